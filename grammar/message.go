package grammar

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// unexpectedMessage says what is wrong with a token that stands where
// something else was expected.
func unexpectedMessage(t *lexer.Token, expected string) string {
	if reason := badReason(t); reason != "" {
		if _, hint, ok := strings.Cut(expected, ";"); ok && t.Type == tokBadChars {
			reason += ";" + hint
		}
		return reason
	}
	return fmt.Sprintf("unexpected %s, expected %s", describe(t), expected)
}

// badReason says why a bad token is bad, "" for any other token.
func badReason(t *lexer.Token) string {
	switch t.Type {
	case tokBadText:
		return fmt.Sprintf("text that starts with %s is not closed on its line", t.Value[:1])
	case tokBadBreak:
		return fmt.Sprintf("a line break inside %s: write \\n, or put the text between ``` fences", strings.Repeat(t.Value[:1], 2))
	case tokBadTriple:
		return "gram has no \"\"\"; put a text of several lines between ``` fences"
	case tokBadFence:
		return badFenceReason(t.Value)
	case tokBadNumber:
		return badNumberReason(t.Value)
	case tokTooDeep:
		return fmt.Sprintf("more than %d brackets are open here", MaxDepth)
	case tokBadChars:
		return badCharsReason(t.Value)
	}
	return ""
}

func badFenceReason(text string) string {
	if _, ok := fenceTag(text[len(fence):]); ok {
		return "a fence that is never closed with ```"
	}
	return "a fence starts with ``` and at most one tag; its text starts on the next line"
}

func badNumberReason(text string) string {
	if len(text) > maxNumber {
		return fmt.Sprintf("a number longer than %d characters", maxNumber)
	}
	digits := strings.TrimPrefix(text, "-")
	if strings.Count(digits, "-") == 2 && strings.Trim(digits, "0123456789-") == "" {
		return fmt.Sprintf("%s is not a number: write a date as date`%s`", text, text)
	}
	if strings.HasPrefix(digits, "0o") {
		return fmt.Sprintf("%s is not a number: an octal number is written 0%s", clip(text), clip(digits[2:]))
	}
	return fmt.Sprintf("%s is not a number of gram", clip(text))
}

func badCharsReason(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == utf8.RuneError && size < 2:
		return "bytes that are not UTF-8"
	case r == '“' || r == '”' || r == '‘' || r == '’':
		return fmt.Sprintf("%q is a typographic quote; gram takes \" ' or `", r)
	case r >= utf8.RuneSelf:
		return fmt.Sprintf("%q may stand only in quotes and comments; put such a name in backticks", clip(text))
	case r == '/':
		return "a lone / has no meaning in gram"
	}
	return fmt.Sprintf("%q has no meaning in gram", clip(text))
}

func neverClosed(open *lexer.Token, closing string) problem {
	message := fmt.Sprintf("%q is never closed with %q", open.Value, closing)
	return problem{start: open.Pos.Offset, end: end(open), message: message, kind: unclosed}
}

func missingCloser(at int, closing string) problem {
	return problem{start: at, end: at, message: fmt.Sprintf("missing %q", closing), kind: closer}
}

// describe names a token in the words of gram.
func describe(t *lexer.Token) string {
	switch {
	case t.EOF():
		return "end of file"
	case t.Type == tokSymbol:
		return "name " + clip(t.Value)
	case t.Type == tokInteger || t.Type == tokNumber:
		return "number " + clip(t.Value)
	case t.Type == tokFence:
		return "fenced text"
	case t.Type == tokPunct:
		return fmt.Sprintf("%q", t.Value)
	}
	return "text " + clip(t.Value)
}

// clip shortens text to what fits into a message.
func clip(text string) string {
	const most = 80
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		text = text[:n] + "…"
	}
	if len(text) <= most {
		return text
	}
	return excerpt.Bytes(text, most) + "…"
}

// participleProblem translates an error of the participle productions, which
// are those of annotations: everything else recovers by itself.
func participleProblem(err error) problem {
	var unexpected *participle.UnexpectedTokenError
	if errors.As(err, &unexpected) {
		t := unexpected.Unexpected
		return problem{start: t.Pos.Offset, end: t.Pos.Offset + len(t.Value), message: unexpectedMessage(&t, "@key(value) or @@name, then the pattern it speaks of")}
	}
	var at participle.Error
	if errors.As(err, &at) {
		at := at.Position().Offset
		return problem{start: at, end: at, message: fmt.Sprintf("a list of more than %d elements", participle.MaxIterations)}
	}
	panic("grammar: " + err.Error())
}
