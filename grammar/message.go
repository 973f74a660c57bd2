package grammar

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// unexpectedMessage describes what is wrong with a token that stands where
// something else was expected.
func unexpectedMessage(t token, expected string) string {
	if reason := badMessage(t); reason != "" {
		if _, hint, ok := strings.Cut(expected, ";"); ok && t.kind == tokBadChars {
			reason += ";" + hint
		}
		return reason
	}
	return fmt.Sprintf("unexpected %s, expected %s", describeInMessage(t), expected)
}

// badMessage says why a bad token is bad, "" for any other token.
func badMessage(t token) string {
	switch t.kind {
	case tokBadText:
		return fmt.Sprintf("text that starts with %s is not closed on its line", t.text[:1])
	case tokBadBreak:
		return fmt.Sprintf("a line break inside %s: write \\n, or put the text between ``` fences", strings.Repeat(t.text[:1], 2))
	case tokBadTriple:
		return "gram has no \"\"\"; put a text of several lines between ``` fences"
	case tokBadFence:
		return badFenceMessage(t.text)
	case tokBadNumber:
		return badNumberMessage(t.text)
	case tokTooDeep:
		return fmt.Sprintf("more than %d brackets are open here", MaxDepth)
	case tokBadQuotes:
		r, _ := utf8.DecodeRuneInString(t.text)
		return fmt.Sprintf("%q is a typographic quote; gram takes \" ' or `", r)
	case tokBadChars:
		return badCharsMessage(t.text)
	}
	return ""
}

func badFenceMessage(text string) string {
	if _, ok := textFenceTag(text[len(fence):lexLineEnd(text, 0)]); ok {
		return "a fence that is never closed with ```"
	}
	return "a fence starts with ``` and at most one tag; its text starts on the next line"
}

func badNumberMessage(text string) string {
	if len(text) > maxNumber {
		return fmt.Sprintf("a number longer than %d characters", maxNumber)
	}
	if what, meant, _ := meantByBadNumber(text); what != "" {
		return fmt.Sprintf("%s is not a number: %s is written %s", clipMessage(text), what, clipMessage(meant))
	}
	return fmt.Sprintf("%s is not a number of gram", clipMessage(text))
}

func badCharsMessage(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == utf8.RuneError && size < 2:
		return "bytes that are not UTF-8"
	case r == '“' || r == '”' || r == '‘' || r == '’':
		return fmt.Sprintf("%q is a typographic quote; gram takes \" ' or `", r)
	case r >= utf8.RuneSelf:
		return fmt.Sprintf("%q may stand only in quotes and comments; put such a name in backticks", clipMessage(text))
	case r == '/':
		return "a lone / has no meaning in gram"
	}
	return fmt.Sprintf("%q has no meaning in gram", clipMessage(text))
}

// signOf has the text of each sign.
var signOf = [...]string{
	tokLeftParen: "(", tokRightParen: ")", tokLeftBracket: "[", tokRightBracket: "]", tokLeftBrace: "{", tokRightBrace: "}",
	tokComma: ",", tokBar: "|", tokColon: ":", tokColons: "::", tokAt: "@", tokAts: "@@", tokArrow: "-",
}

// closerInMessage returns the text of a closing bracket.
func closerInMessage(closer kind) string { return signOf[closer] }

// describeInMessage names a token in the words of gram.
func describeInMessage(t token) string {
	switch {
	case t.kind == tokEnd:
		return "end of file"
	case t.kind == tokSymbol:
		return "name " + clipMessage(t.text)
	case t.kind == tokInteger || t.kind == tokNumber:
		return "number " + clipMessage(t.text)
	case t.kind == tokFence:
		return "fenced text"
	case signs.has(t.kind):
		return fmt.Sprintf("%q", t.text)
	}
	return "text " + clipMessage(t.text)
}

// clipMessage shortens text to what fits into a message.
func clipMessage(text string) string {
	const most = 80
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		text = text[:n] + "…"
	}
	return excerpt.Short(text, most)
}
