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
	for start := 0; ; {
		word, at, next, ok := nextMention(text, start)
		if !ok {
			return words
		}
		words = append(words, Reference{word, place.At(at, at+len(word))})
		start = next
	}
}

// nextMention returns the next name in single backticks of a text, where it
// stands, and where to look for the one behind it.
func nextMention(text string, from int) (word string, at, next int, ok bool) {
	for from < len(text) {
		open := strings.IndexByte(text[from:], '`')
		if open < 0 {
			return "", 0, 0, false
		}
		at = from + open + 1
		end := strings.IndexByte(text[at:], '`')
		if end < 0 {
			return "", 0, 0, false
		}
		word = strings.TrimSuffix(text[at:at+end], "()")
		from = at + end + 1
		if word != "" && !strings.ContainsFunc(word, unicode.IsSpace) {
			return word, at, from, true
		}
	}
	return "", 0, 0, false
}
