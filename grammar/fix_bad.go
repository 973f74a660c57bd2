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
			return fixTextInSmartQuotes(t, text, value)
		case tokBadChars:
			return fixBadChars(t, text, value)
		}
		return nil
	}
}

// fixBadNumber writes a number as gram does, or puts it in quotes.
func fixBadNumber(t token, text string) []fix {
	if len(t.text) > maxNumber {
		return nil
	}
	end := t.begin() + badBareLength(fixLine(text, t.begin()))
	quoted := changeFix("put it in quotes", t.begin(), end, fixAsText(text[t.begin():end]))
	_, meant, safe := meantByBadNumber(t.text)
	switch written := writeFix(t.begin(), t.end(), meant); {
	case meant == "", isBadDate(t.text) && end > t.end():
		return []fix{quoted}
	case safe:
		return []fix{written.asSafe()}
	default:
		return []fix{written, quoted}
	}
}

// meantByBadNumber returns what a number of another language, a date or a range is, if
// its name helps, how gram writes it, "" if that is unknown, and whether it can be
// nothing else.
func meantByBadNumber(text string) (what, meant string, safe bool) {
	digits := strings.TrimPrefix(text, "-")
	sign := text[:len(text)-len(digits)]
	plain := strings.ReplaceAll(digits, "_", "")
	octal, isOctal := strings.CutPrefix(text, "0o")
	switch {
	case isOctal && octal != "" && lexPrefix(octal, octalDigit) == len(octal):
		return "an octal number", "0" + octal, true
	case isBadDate(text):
		return "a date", "date`" + text + "`", false // or text
	case isBadSpan(text):
		return "a range", strings.Replace(text, "-", "..", 1), false
	case plain != digits && isWholeNumber(sign+plain):
		return "", sign + plain, true
	case lexPrefix(digits, digit) == len(digits): // leading zeros
		return "", sign + strings.TrimLeft(digits, "0"), false
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(digits, "eE") && !strings.ContainsAny(digits, "xXpP") {
		if plain := strconv.FormatFloat(v, 'f', -1, 64); len(plain) <= 25 && isWholeNumber(plain) {
			return "", plain, false
		}
	}
	return "", "", false
}

// isBadSpan reports whether text is a range as people write it: 1-6.
func isBadSpan(text string) bool {
	low, high, ok := strings.Cut(text, "-")
	return ok && isWholeNumber(low) && isWholeNumber(high) && isDigit(low[len(low)-1])
}

// isBadDate reports whether text is a date such as 2024-01-15.
func isBadDate(text string) bool {
	parts := strings.Split(text, "-")
	for _, p := range parts {
		if p == "" || lexPrefix(p, digit) < len(p) {
			return false
		}
	}
	return len(parts) == 3
}

// badBareLength returns how much of text looks like one word that should stand in
// quotes: up to whitespace, a comma or a closing bracket.
func badBareLength(text string) int {
	if n := strings.IndexAny(text, " \t\r\n\v\f,)]}|\"'`"); n >= 0 {
		return n
	}
	return len(text)
}

// fixBadChars replaces whitespace of other scripts, letters that need quotes, and signs
// of other languages.
func fixBadChars(t token, text string, value bool) []fix {
	if plain := strings.Map(badAsWhitespace, t.text); strings.TrimSpace(plain) == "" {
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
	before, line := text[max(0, t.begin()-200):t.begin()], fixLine(text, t.begin())
	start := t.begin() - len(before) + len(strings.TrimRightFunc(before, isBadWord)) // of the word, in letters of any script
	end := t.begin() + len(line) - len(strings.TrimLeftFunc(line, isBadWord))
	if end <= t.begin() {
		return nil
	}
	if value {
		return []fix{writeFix(start, end, fixAsText(text[start:end])).asSafe()}
	}
	f := writeFix(start, end, fixAsTextInTicks(text[start:end]))
	f.safe = t.text[0] >= utf8.RuneSelf
	return []fix{f}
}

// badAsWhitespace turns whitespace that gram does not have into some that it has, and
// any other character into something else.
func badAsWhitespace(r rune) rune {
	switch {
	case r == '\u2028', r == '\u2029', r == '\u0085':
		return '\n'
	case unicode.IsSpace(r), r == '\u200b', r == '\u2060', r == '\ufeff':
		return ' '
	}
	return 'x'
}

func isBadWord(r rune) bool {
	return r < utf8.RuneSelf && class[byte(r)]&symbolPart != 0 ||
		r != utf8.RuneError && r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r))
}
