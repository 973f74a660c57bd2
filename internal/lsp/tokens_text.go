package lsp

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/source"
)

// This file adds the tokens of what is inside of texts.

// text adds the tokens of a text: it is one, but for the tools that it mentions
// in backticks.
func (t *tokenizer) text(v *ast.String) {
	if t.isEntry {
		t.template(v.Span())
		return
	}
	t.mentions(v, v.Span().Start, v.Span().End, true)
}

// template adds the tokens of a text of a library: parameters in braces, where
// they mean that, and the names of environment variables.
func (t *tokenizer) template(s source.Span) {
	var names []semanticToken
	parts, ranges, _ := template.Parse(s.Text(), t.isTemplate)
	for i, p := range parts {
		kind := tokenParameter
		switch p.Kind {
		case template.Literal:
			continue
		case template.Environment:
			kind = tokenVariable
		}
		end := s.Start + ranges[i].End - len("}")
		names = append(names, semanticToken{end - len(p.Text), end, kind, 0})
	}
	t.split(s.Start, s.End, names, true)
}

// split adds tokens inside of a text, and those between them as strings if the
// text is one for editors.
func (t *tokenizer) split(start, end int, inner []semanticToken, isString bool) {
	for _, in := range append(inner, semanticToken{start: end, end: end}) {
		if isString && start < in.start {
			t.found = append(t.found, semanticToken{start, in.start, tokenString, 0})
		}
		if in.start < in.end {
			t.found = append(t.found, in)
		}
		start = in.end
	}
}

// mentions adds the tools of the agent that a text mentions in backticks, and
// the text between them as a string if it is one for editors.
func (t *tokenizer) mentions(v ast.Value, start, end int, isString bool) {
	var tools []semanticToken
	if len(t.tools) > 0 {
		for _, m := range report.Mentions(v) {
			if t.tools[m.Text] {
				tools = append(tools, semanticToken{m.Span.Start, m.Span.End, tokenTool, t.deprecation(m.Text)})
			}
		}
	}
	t.split(start, end, tools, isString)
}

// deprecation returns the modifier of the name of a tool or a type.
func (t *tokenizer) deprecation(name string) tokenModifier {
	if t.deprecated[name] {
		return modifierDeprecated
	}
	return 0
}

// tagged adds the tokens of a text with a tag. Markdown and languages that this
// server does not know stay as the editor colours them.
func (t *tokenizer) tagged(v *ast.Tagged) {
	e, tag, ok := contentOf(v)
	if !ok {
		t.add(v.Span(), tokenString, 0)
		return
	}
	if at := strings.Index(v.Raw, tag); at >= 0 && tag != "" {
		from := v.Span().Start + at
		t.found = append(t.found, semanticToken{from, from + len(tag), tokenDecorator, 0})
	}
	text := v.Span().File.Text()[e.start:e.end]
	switch {
	case tag == "type":
		t.typeText(v.Span(), text, v.Text, e.start-v.Span().Start)
	case tag == "json":
		t.json(text, e.start)
	case tag == "re":
		t.found = append(t.found, semanticToken{e.start, e.end, tokenRegexp, 0})
	case v.Fence:
		t.mentions(v, e.start, e.end, false)
	default:
		t.mentions(v, e.start, e.end, true)
	}
}

// typeName adds the tokens of a label that names a type.
func (t *tokenizer) typeName(n *ast.Name) {
	if n.Kind == ast.NameQuoted && len(n.Raw) > 1 {
		t.typeText(n.Span(), n.Raw[1:len(n.Raw)-1], n.Text, 1)
		return
	}
	t.nameOfType(n.Span(), n.Text)
}

// nameOfType adds the token of the name of a type.
func (t *tokenizer) nameOfType(s source.Span, name string) {
	modifiers := t.deprecation(name)
	if types.IsTypeName(name) {
		modifiers = modifierDefaultLibrary
	}
	t.add(s, tokenType, modifiers)
}

// typeText adds the tokens of a type expression, which begins after skip bytes
// of a span. One with escapes is one token.
func (t *tokenizer) typeText(s source.Span, raw, text string, skip int) {
	if raw != text && strings.TrimSpace(raw) != strings.TrimSpace(text) {
		t.add(s, tokenType, 0)
		return
	}
	start := s.Start + skip
	for _, w := range typeWords(raw) {
		at := source.Span{File: s.File, Start: start + w.start, End: start + w.end}
		if w.kind == tokenType {
			t.nameOfType(at, at.Text())
			continue
		}
		t.add(at, w.kind, w.modifiers)
	}
}

// typeWords returns the tokens of a type expression.
func typeWords(text string) []semanticToken {
	var words []semanticToken
	value := false // what follows is the value of an attribute or a default
	scan := grammar.NewScanner(text)
	for t := scan.Next(); t.Kind != grammar.EndToken; t = scan.Next() {
		w := semanticToken{t.Start, t.End, tokenOperator, 0}
		switch c := text[t.Start]; {
		case t.Kind == grammar.WordToken, t.Kind == grammar.BadToken && isWordByte(c):
			w.end = t.Start + scanWord(text[t.Start:])
			w.kind, w.modifiers = typeWord(text[w.start:w.end], text[w.end:], value)
			value = false
		case t.Kind == grammar.TextToken, t.Kind == grammar.OpenTextToken:
			w.kind, value = tokenString, false
		case t.Kind == grammar.NumberToken:
			w.end, w.kind, value = t.Start+numberLength(text[t.Start:]), tokenNumber, false
		case strings.IndexByte("|?=*", c) >= 0:
			w.end, value = t.Start+1, c == '='
		default:
			value = value && c != ',' && c != ')'
			scan.Seek(t.Start + 1)
			continue
		}
		words = append(words, w)
		if w.end != t.End {
			scan.Seek(w.end)
		}
	}
	return words
}

// typeWord returns what a word in a type expression is, by what follows it.
func typeWord(word, rest string, isValue bool) (tokenKind, tokenModifier) {
	rest = strings.TrimLeft(rest, " \t\r\n")
	field := strings.TrimLeft(strings.TrimPrefix(rest, "?"), " \t\r\n")
	switch {
	case strings.HasPrefix(field, ":"):
		return tokenProperty, modifierDefinition
	case strings.HasPrefix(rest, "="):
		return tokenProperty, 0
	case word == "true" || word == "false" || word == "null" || word == "Maybe":
		return tokenKeyword, 0
	case isValue:
		return tokenEnumMember, 0
	}
	return tokenType, 0
}

// json adds the tokens of JSON, which may be wrong.
func (t *tokenizer) json(text string, start int) {
	scan := grammar.NewScanner(text)
	for next := scan.Next(); next.Kind != grammar.EndToken; next = scan.Next() {
		kind, end := tokenString, next.End
		switch {
		case next.Kind == grammar.WordToken:
			end, kind = next.Start+scanWord(text[next.Start:]), tokenKeyword
		case next.Kind == grammar.NumberToken:
			end, kind = next.Start+numberLength(text[next.Start:]), tokenNumber
		case text[next.Start] != '"':
			continue
		case strings.HasPrefix(strings.TrimLeft(text[end:], " \t\r\n"), ":"):
			kind = tokenProperty
		}
		t.found = append(t.found, semanticToken{start + next.Start, start + end, kind, 0})
		if end != next.End {
			scan.Seek(end)
		}
	}
}

func scanWord(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	return n
}

func numberLength(text string) int {
	n := 1
	for n < len(text) && (isWordByte(text[n]) || text[n] == '.' || (text[n] == '+' || text[n] == '-') && (text[n-1] == 'e' || text[n-1] == 'E')) {
		n++
	}
	return n
}
