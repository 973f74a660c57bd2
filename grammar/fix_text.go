package grammar

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gram-lang/gramc/ast"
)

// fixTextEscape returns the fixes of the escape at the start of rest, which gram
// does not know and which stands in a text with that quote.
func fixTextEscape(rest string, at int, quote byte) []fix {
	double := insertFix(`\`, at)
	double.title = "write " + `\` + rest[:2]
	if r, length := fixTextCodePoint(rest); length > 0 {
		if written, ok := fixTextInQuotes(r, quote); ok {
			return []fix{writeFix(at, at+length, written).asSafe()}
		}
		return []fix{double}
	}
	switch c := rest[1]; {
	case strings.IndexByte("aev0xuUN", c) >= 0:
		return []fix{double}
	case class[c]&letter != 0:
		return []fix{double.asSafe()}
	}
	return []fix{double, changeFix("remove the backslash", at, at+1, "")}
}

// fixTextCodePoint returns the character of \u0041, \u{1F600}, \x41 or a pair of
// surrogates at the start of text, and the length of the escape.
func fixTextCodePoint(text string) (rune, int) {
	r, length := fixTextHexEscape(text)
	if !utf16.IsSurrogate(r) {
		return r, length
	}
	low, more := fixTextHexEscape(text[length:])
	if r = utf16.DecodeRune(r, low); r == unicode.ReplacementChar {
		return 0, 0
	}
	return r, length + more
}

var hexForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\\(?:u\{([[:xdigit:]]{1,8})\}|u([[:xdigit:]]{4})|x([[:xdigit:]]{2}))`)
})

func fixTextHexEscape(text string) (rune, int) {
	form := hexForm().FindStringSubmatch(text)
	if form == nil {
		return 0, 0
	}
	v, err := strconv.ParseUint(form[1]+form[2]+form[3], 16, 32)
	if err != nil || v > unicode.MaxRune {
		return 0, 0
	}
	return rune(v), len(form[0])
}

// fixTextInQuotes returns how a character is written in a text with that quote, and
// whether it can be.
func fixTextInQuotes(r rune, quote byte) (string, bool) {
	switch {
	case r == rune(quote) || r == '\\':
		return `\` + string(r), true
	case strings.ContainsRune("\b\f\n\r\t", r):
		return strings.Trim(strconv.QuoteRune(r), "'"), true
	}
	return string(r), unicode.IsPrint(r)
}

// fixBareText returns the fix of a value of several words or with signs, which
// starts at an offset and goes on where the parser did not expect it.
func fixBareText(text string, start, unexpected int) []fix {
	line := fixLine(text, start)
	n := strings.IndexAny(line, ",}])|\"'`")
	if n < 0 {
		n = len(line)
	}
	value := strings.TrimRight(line[:n], " \t\r")
	if start+len(value) <= unexpected || value == "" || strings.ContainsAny(value, "{[(\\") || strings.HasSuffix(value, ":") {
		return nil
	}
	if low, rest, ok := strings.Cut(value, ".."); ok {
		if high := strings.TrimLeft(rest, "."); isWholeNumber(low) && isWholeNumber(high) {
			return []fix{writeFix(start, start+len(value), low+".."+high)}
		}
	}
	if fixes := fixBareType(text, start, unexpected); fixes != nil {
		return fixes
	}
	written := fixAsText(value)
	if end := start + n; n == len(line) && foreignTypeAt(text, end).startsKey() {
		written += ","
	}
	quoted := changeFix("put the text in quotes", start, start+len(value), written)
	if number, unit, ok := strings.Cut(value, " "); ok {
		if isWholeNumber(number) && unit != "" && lexPrefix(unit, letter) == len(unit) {
			return []fix{writeFix(start, start+len(value), number+unit), quoted}
		}
		return []fix{quoted}
	}
	return []fix{quoted.asSafe()}
}

// fixBareType returns the fix of a type that stands after :: in a record without backticks.
func fixBareType(text string, start, unexpected int) []fix {
	if !strings.HasSuffix(strings.TrimRight(text[:start], " \t"), "::") {
		return nil
	}
	r := foreignTypeAt(text, start)
	written := r.typ()
	if r.pos <= unexpected || written == "" || r.unknown && !isNamedType(written) || strings.ContainsAny(written, "`\\") {
		return nil
	}
	return []fix{writeFix(start, r.pos, foreignTypeLabel(written))}
}

// fixAsText returns text in double quotes.
func fixAsText(text string) string { return ast.Print(&ast.String{Text: text}) }

// fixAsTextInTicks returns text in backticks.
func fixAsTextInTicks(text string) string {
	return ast.Print(&ast.Name{Kind: ast.NameQuoted, Text: text})
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
	if body, bad := unescapeText(t.text[1 : len(t.text)-1]); len(bad) == 0 && t.text[0] != '`' && !strings.Contains(body, fence) {
		fixes = append(fixes, fixTextBetweenFences(t, body))
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
	return []fix{fixTextBetweenFences(t, body)}
}

func fixTextBetweenFences(t token, body string) fix {
	return changeFix("put the text between fences", t.begin(), t.end(), fence+"\n"+body+"\n"+fence)
}

// fixTextInSmartQuotes writes plain quotes for typographic ones.
func fixTextInSmartQuotes(t token, text string, value bool) []fix {
	_, size := utf8.DecodeRuneInString(t.text)
	_, last := utf8.DecodeLastRuneInString(t.text)
	body, _ := unescapeText(t.text[size : len(t.text)-last])
	written := fixAsName(body)
	if value {
		written = fixAsText(body)
	}
	if strings.HasSuffix(strings.TrimRight(text[:t.begin()], " \t"), "::") {
		if meant := foreignQuotedType(`"` + body + `"`); meant != "" {
			return []fix{writeFix(t.begin(), t.end(), meant), writeFix(t.begin(), t.end(), written)}
		}
	}
	return []fix{writeFix(t.begin(), t.end(), written).asSafe()}
}
