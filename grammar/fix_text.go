package grammar

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
)

// escapeFixes returns the fixes of the escape at the start of rest, which gram
// does not know and which stands in a text with that quote.
func escapeFixes(rest string, at int, quote byte) []fix {
	double := insertFix(`\`, at)
	double.title = "write " + `\` + rest[:2]
	if r, length := codePoint(rest); length > 0 {
		if written, ok := escapedInQuotes(r, quote); ok {
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

// codePoint returns the character of \u0041, \u{1F600}, \x41 or a pair of
// surrogates at the start of text, and the length of the escape.
func codePoint(text string) (rune, int) {
	r, length := hexEscape(text)
	if !utf16.IsSurrogate(r) {
		return r, length
	}
	low, more := hexEscape(text[length:])
	if r = utf16.DecodeRune(r, low); r == unicode.ReplacementChar {
		return 0, 0
	}
	return r, length + more
}

var hexForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\\(?:u\{([[:xdigit:]]{1,8})\}|u([[:xdigit:]]{4})|x([[:xdigit:]]{2}))`)
})

func hexEscape(text string) (rune, int) {
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

// escapedInQuotes returns how a character is written in a text with that quote, and
// whether it can be.
func escapedInQuotes(r rune, quote byte) (string, bool) {
	switch {
	case r == rune(quote) || r == '\\':
		return `\` + string(r), true
	case strings.ContainsRune("\b\f\n\r\t", r):
		return strings.Trim(strconv.QuoteRune(r), "'"), true
	}
	return string(r), unicode.IsPrint(r)
}

// fixBareValue returns the fix of a value of several words or with signs, which
// starts at an offset and goes on where the parser did not expect it.
func fixBareValue(text string, start, unexpected int) []fix {
	line := lineFrom(text, start)
	n := strings.IndexAny(line, ",}])|\"'`")
	if n < 0 {
		n = len(line)
	}
	value := strings.TrimRight(line[:n], " \t\r")
	if start+len(value) <= unexpected || value == "" || strings.ContainsAny(value, "{[(\\") || strings.HasSuffix(value, ":") {
		return nil
	}
	if low, high, ok := strings.Cut(value, "..."); ok && isNumber(low) && isNumber(high) {
		return []fix{writeFix(start, start+len(value), low+".."+high)}
	}
	written := asText(value)
	if end := start + n; n == len(line) && foreignAt(text, end).startsKey() {
		written += ","
	}
	quoted := changeFix("put the text in quotes", start, start+len(value), written)
	if number, unit, ok := strings.Cut(value, " "); ok {
		if isNumber(number) && unit != "" && prefix(unit, letter) == len(unit) {
			return []fix{writeFix(start, start+len(value), number+unit), quoted}
		}
		return []fix{quoted}
	}
	return []fix{quoted.asSafe()}
}
