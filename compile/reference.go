package compile

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
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

// Arguments returns the arguments {name} of a text of a library that is a
// template.
func Arguments(v ast.Value) []Reference {
	text, ok := ast.TextOf(v)
	if !ok || strings.IndexByte(text, '{') < 0 {
		return nil
	}
	c := &compiler{}
	template := c.libraryText(v, text, true)
	var words []Reference
	for i, part := range template.Parts {
		if s := template.spans[i]; part.Kind == Argument && !s.IsZero() {
			raw := s.Text()
			s.Start, s.End = s.Start+strings.IndexByte(raw, '{')+1, s.Start+strings.LastIndexByte(raw, '}')
			words = append(words, Reference{part.Text, s})
		}
	}
	return words
}

// IsArgument reports whether a template can speak of an argument of that name.
func IsArgument(name string) bool { return !strings.ContainsAny(name, "{}\"':;,() \t\r\n") }

// TypeReferences returns the names of types that a type expression speaks of: a label,
// or the value of a property. Those of the language are left out.
func TypeReferences(n ast.Node) []Reference {
	text := ""
	switch n := n.(type) {
	case *ast.Name:
		text = n.Text
	case *ast.Symbol:
		text = n.Text
	case *ast.String:
		text = n.Text
	case *ast.Tagged:
		text = n.Text
	}
	if isTypeName(text) || text == "" {
		return nil
	}
	w := typeWords{expression: expression{text: text}, node: n}
	for w.pos < len(text) {
		w.next()
	}
	return w.words
}

// typeWords goes through a type expression without reading what it means.
type typeWords struct {
	expression
	node  ast.Node
	words []Reference
	open  []byte // the brackets that are open, attributes as 'a'
	value int    // how many were open when a value started, plus one; 0 outside of a value
	typed bool   // what stands before is the end of a type
}

// next takes one sign or word.
func (w *typeWords) next() {
	typed := w.typed
	switch b := w.peek(); {
	case b == 0:
		return
	case b == '"' || b == '\'':
		w.quoted(b)
	case isNameStart(b):
		w.word()
		return
	case '0' <= b && b <= '9':
		w.name()
	default:
		w.pos++
		w.sign(b, typed)
		return
	}
	w.typed = true
}

// quoted skips a text.
func (w *typeWords) quoted(quote byte) {
	for w.pos++; w.pos < len(w.text) && w.text[w.pos] != quote; w.pos++ {
		if w.text[w.pos] == '\\' {
			w.pos++
		}
	}
	w.pos = min(w.pos+1, len(w.text))
}

// sign takes a sign; typed says that it stands behind a type.
func (w *typeWords) sign(b byte, typed bool) {
	w.typed = strings.IndexByte("]})>?", b) >= 0
	switch b {
	case '(':
		if typed {
			b = 'a'
		}
		w.open = append(w.open, b)
	case '[', '{', '<':
		w.open = append(w.open, b)
	case ']', '}', ')', '>':
		w.open = w.open[:max(len(w.open)-1, 0)]
		if len(w.open)+1 < w.value {
			w.value = 0
		}
	case ',':
		if len(w.open)+1 == w.value {
			w.value = 0
		}
	case '=':
		if w.value == 0 {
			w.value = len(w.open) + 1
		}
	}
}

// word takes a word, which may name a type, a field or an attribute.
func (w *typeWords) word() {
	start := w.pos
	name := w.name()
	end := w.pos
	w.typed = true
	if w.value > 0 {
		return
	}
	inside := byte(0)
	if n := len(w.open); n > 0 {
		inside = w.open[n-1]
	}
	next := w.peek()
	if inside == 'a' && (next == '=' || next == ':') {
		w.pos++
		if w.value = len(w.open) + 1; name == "of" || name == "elementType" {
			w.value = 0
		}
		w.typed = false
		return
	}
	if next == '?' && inside == '{' {
		ahead := w.expression
		ahead.pos++
		next = ahead.peek()
	}
	if next == ':' && inside == '{' || !nameable(name) || isTypeName(name) {
		return
	}
	if w.quotation == nil {
		w.quotation = newQuotation(w.node, w.text)
	}
	w.words = append(w.words, Reference{name, w.at(start, end)})
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
