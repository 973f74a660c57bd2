package grammar

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// badFixes returns the fixes of a token that is not gram, where a value is
// expected or where a name is.
func badFixes(t token, value bool) lazyFixes {
	return func(text string) []fix {
		switch t.kind {
		case tokBadBreak:
			return fixBrokenText(t)
		case tokBadTriple:
			return fixTripledText(t)
		case tokBadNumber:
			return fixBadNumber(t, text)
		case tokBadQuotes:
			return fixSmartQuotes(t, value)
		case tokBadChars:
			return fixBadChars(t, text, value)
		}
		return nil
	}
}

// fixBrokenText writes the line ends inside of a text as escapes, or puts it
// between fences.
func fixBrokenText(t token) []fix {
	escapes := fix{title: `write the line ends as \n`}
	for i := range len(t.text) {
		switch {
		case t.text[i] == '\n':
			escapes.edits = append(escapes.edits, edit{t.begin() + i, t.begin() + i + 1, `\n`})
		case strings.HasPrefix(t.text[i:], "\r\n"):
			escapes.edits = append(escapes.edits, edit{t.begin() + i, t.begin() + i + 1, ""})
		}
	}
	fixes := []fix{escapes}
	if body, bad := unescapeAll(t.text[1 : len(t.text)-1]); len(bad) == 0 && t.text[0] != '`' && !strings.Contains(body, fence) {
		fixes = append(fixes, fixBetweenFences(t, body))
	}
	return fixes
}

func fixTripledText(t token) []fix {
	body, closed := strings.CutSuffix(strings.TrimPrefix(t.text, `"""`), `"""`)
	if !closed || len(t.text) < 6 || strings.Contains(body, fence) {
		return nil
	}
	body = strings.TrimPrefix(strings.TrimPrefix(body, "\r"), "\n")
	if last := strings.LastIndexByte(body, '\n'); strings.TrimSpace(body[last+1:]) == "" {
		body = body[:max(last, 0)]
	}
	return []fix{fixBetweenFences(t, body)}
}

func fixBetweenFences(t token, body string) fix {
	return changeFix("put the text between fences", t.begin(), t.end(), fence+"\n"+body+"\n"+fence)
}

// fixBadNumber writes a number as gram does, or puts it in quotes.
func fixBadNumber(t token, text string) []fix {
	if len(t.text) > maxNumber {
		return nil
	}
	end := t.begin() + bareLength(lineFrom(text, t.begin()))
	quoted := changeFix("put it in quotes", t.begin(), end, asText(text[t.begin():end]))
	_, meant, safe := meantNumber(t.text)
	switch written := writeFix(t.begin(), t.end(), meant); {
	case meant == "", isDate(t.text) && end > t.end():
		return []fix{quoted}
	case safe:
		return []fix{written.asSafe()}
	default:
		return []fix{written, quoted}
	}
}

// meantNumber returns what a number of another language, a date or a range is, if
// its name helps, how gram writes it, "" if that is unknown, and whether it can be
// nothing else.
func meantNumber(text string) (what, meant string, safe bool) {
	digits := strings.TrimPrefix(text, "-")
	sign := text[:len(text)-len(digits)]
	plain := strings.ReplaceAll(digits, "_", "")
	octal, isOctal := strings.CutPrefix(text, "0o")
	switch {
	case isOctal && octal != "" && prefix(octal, octalDigit) == len(octal):
		return "an octal number", "0" + octal, true
	case isDate(text):
		return "a date", "date`" + text + "`", true
	case isSpan(text):
		return "a range", strings.Replace(text, "-", "..", 1), false
	case plain != digits && isNumber(sign+plain):
		return "", sign + plain, true
	case prefix(digits, digit) == len(digits): // leading zeros
		return "", sign + strings.TrimLeft(digits, "0"), false
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(digits, "eE") && !strings.ContainsAny(digits, "xXpP") {
		if plain := strconv.FormatFloat(v, 'f', -1, 64); len(plain) <= 25 && isNumber(plain) {
			return "", plain, false
		}
	}
	return "", "", false
}

// isNumber reports whether all of text is one number.
func isNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || !isDigit(digits[0]) {
		return false
	}
	_, n := numberForm(text)
	return n == len(text)
}

// isSpan reports whether text is a range as people write it: 1-6.
func isSpan(text string) bool {
	low, high, ok := strings.Cut(text, "-")
	return ok && isNumber(low) && isNumber(high) && isDigit(low[len(low)-1])
}

// isDate reports whether text is a date such as 2024-01-15.
func isDate(text string) bool {
	parts := strings.Split(text, "-")
	for _, p := range parts {
		if p == "" || prefix(p, digit) < len(p) {
			return false
		}
	}
	return len(parts) == 3
}

// bareLength returns how much of text looks like one word that should stand in
// quotes: up to whitespace, a comma or a closing bracket.
func bareLength(text string) int {
	if n := strings.IndexAny(text, " \t\r\n\v\f,)]}|\"'`"); n >= 0 {
		return n
	}
	return len(text)
}

// fixSmartQuotes writes plain quotes for typographic ones.
func fixSmartQuotes(t token, value bool) []fix {
	_, size := utf8.DecodeRuneInString(t.text)
	_, last := utf8.DecodeLastRuneInString(t.text)
	body, _ := unescapeAll(t.text[size : len(t.text)-last])
	written := asName(body)
	if value {
		written = asText(body)
	}
	return []fix{writeFix(t.begin(), t.end(), written).asSafe()}
}

// fixBadChars replaces whitespace of other scripts, letters that need quotes, and signs
// of other languages.
func fixBadChars(t token, text string, value bool) []fix {
	if plain := strings.Map(asWhitespace, t.text); strings.TrimSpace(plain) == "" {
		return []fix{changeFix("write a plain space", t.begin(), t.end(), plain).asSafe()}
	}
	after := text[t.end():]
	switch {
	case t.text == "+" && after != "" && isDigit(after[0]):
		return []fix{changeFix("remove the +", t.begin(), t.end(), "").asSafe()}
	case t.text == "." && after != "" && isDigit(after[0]) && value:
		return []fix{writeFix(t.begin(), t.end(), "0.").asSafe()}
	case t.text == ";":
		return []fix{writeFix(t.begin(), t.end(), ",")}
	}
	before, line := text[max(0, t.begin()-200):t.begin()], lineFrom(text, t.begin())
	start := t.begin() - len(before) + len(strings.TrimRightFunc(before, isWord)) // of the word, in letters of any script
	end := t.begin() + len(line) - len(strings.TrimLeftFunc(line, isWord))
	if end <= t.begin() {
		return nil
	}
	if value {
		return []fix{writeFix(start, end, asText(text[start:end])).asSafe()}
	}
	f := writeFix(start, end, asTick(text[start:end]))
	f.safe = t.text[0] >= utf8.RuneSelf
	return []fix{f}
}

// asWhitespace turns whitespace that gram does not have into some that it has, and
// any other character into something else.
func asWhitespace(r rune) rune {
	switch {
	case r == '\u2028', r == '\u2029', r == '\u0085':
		return '\n'
	case unicode.IsSpace(r), r == '\u200b', r == '\u2060', r == '\ufeff':
		return ' '
	}
	return 'x'
}

func isWord(r rune) bool {
	return r < utf8.RuneSelf && class[byte(r)]&symbolPart != 0 ||
		r != utf8.RuneError && r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r))
}
