package report

import (
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
)

// This file finds the names that stand inside of texts, for an editor. It reads
// also what is wrong, and reports nothing.

// A Reference is a name that stands inside of a text.
type Reference struct {
	Text string
	Span source.Span // of the name alone, in its file
}

// Mentions returns the names in single backticks of a text such as an
// instruction, without the brackets of `tool()`. There are none in what is no
// text.
func Mentions(v ast.Value) []Reference {
	text, ok := ast.TextOf(v)
	if !ok || strings.IndexByte(text, '`') < 0 {
		return nil
	}
	var words []Reference
	place := NewQuotation(v, text)
	for at := 0; ; {
		open := strings.IndexByte(text[at:], '`')
		if open < 0 {
			return words
		}
		at += open + 1
		end := strings.IndexByte(text[at:], '`')
		if end < 0 {
			return words
		}
		word := strings.TrimSuffix(text[at:at+end], "()")
		if word != "" && !strings.ContainsFunc(word, unicode.IsSpace) {
			words = append(words, Reference{word, place.At(at, at+len(word))})
		}
		at += end + 1
	}
}
