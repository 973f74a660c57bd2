package compile

import (
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/source"
)

// This file finds the names that stand inside of texts, for an editor. It reads
// also what is wrong, and tells nothing.

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
	place := newQuotation(v, text)
	for start := 0; ; {
		word, at, next, ok := nextMention(text, start)
		if !ok {
			return words
		}
		words = append(words, Reference{word, place.at(at, at+len(word))})
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

// Arguments returns the arguments {name} of a text of a library that is a
// template.
func Arguments(v ast.Value) []Reference {
	text, ok := ast.TextOf(v)
	if !ok || strings.IndexByte(text, '{') < 0 {
		return nil
	}
	parts, ranges, _ := template.Parse(text, true)
	quotation := newQuotation(v, text)
	var words []Reference
	for i, part := range parts {
		if s := quotation.at(ranges[i].Start, ranges[i].End); part.Kind == template.Argument && !s.IsZero() {
			raw := s.Text()
			s.Start, s.End = s.Start+strings.IndexByte(raw, '{')+1, s.Start+strings.LastIndexByte(raw, '}')
			words = append(words, Reference{part.Text, s})
		}
	}
	return words
}

// DeclaresField reports whether a property of a type, a parameter or a field
// declares a field of it: name::Type.
func DeclaresField(p *ast.Property) bool { return declares(p) }

// ToolNameProblem returns why a name cannot be that of a tool or of an entry, ""
// when it can.
func ToolNameProblem(name string) string { return toolNameProblem(name) }

// TypeNameProblem returns why a name cannot be that of a type, "" when it can.
func TypeNameProblem(name string) string {
	switch {
	case blank(name):
		return "a type needs a name"
	case isTypeName(name):
		return name + " is a type of the language and cannot be defined"
	case !nameable(name):
		return "no type can refer to " + quote(name) + "; the name of a type is one word of letters, digits and _, such as PostalAddress"
	case name[0] < 'A' || name[0] > 'Z':
		return "the name of the type " + quote(name) + " should start with a capital letter"
	}
	return ""
}

// IsBuiltin reports whether gramc has a tool of that name, which an entry
// labelled Builtin gets by it.
func IsBuiltin(name string) bool {
	_, known := builtinNamed(name)
	return known
}

// IsTypeName reports whether a word names a type of the language.
func IsTypeName(name string) bool { return isTypeName(name) }
