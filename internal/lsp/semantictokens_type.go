package lsp

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

// This file adds the tokens of texts in other languages: types, JSON, and those
// that a tag names.

// typeLabel adds the tokens of a label that names a type.
func (t *semanticTokenizer) typeLabel(n *ast.Name) {
	if n.Kind == ast.NameQuoted && len(n.Raw) > 1 {
		t.typeText(n.Span(), n.Raw[1:len(n.Raw)-1], n.Text, 1)
		return
	}
	t.typeName(n.Span(), n.Text)
}

// typeName adds the token of the name of a type.
func (t *semanticTokenizer) typeName(s source.Span, name string) {
	modifiers := tokenModifier(0)
	switch {
	case types.IsTypeName(name):
		modifiers = modifierDefaultLibrary
	case t.deprecated[name]:
		modifiers = modifierDeprecated
	}
	t.add(s, tokenType, modifiers)
}

// typeText adds the tokens of a type expression, which begins after skip bytes
// of a span. One with escapes is one token.
func (t *semanticTokenizer) typeText(s source.Span, raw, text string, skip int) {
	if raw != text && strings.TrimSpace(raw) != strings.TrimSpace(text) {
		t.add(s, tokenType, 0)
		return
	}
	t.typeExpression(source.Span{File: s.File, Start: s.Start + skip, End: s.Start + skip + len(raw)})
}

// typeExpression adds the tokens of a type expression or of JSON, which may be wrong.
func (t *semanticTokenizer) typeExpression(s source.Span) {
	text := s.Text()
	isValue := false // what follows is the value of an attribute or a default
	scan := grammar.NewScanner(text)
	for next := scan.Next(); next.Kind != grammar.EndToken; next = scan.Next() {
		end, kind, modifiers := next.End, tokenOperator, tokenModifier(0)
		switch c := text[next.Start]; {
		case next.Kind == grammar.WordToken, next.Kind == grammar.BadToken && isWordByte(c):
			end = next.Start + wordLength(text[next.Start:])
			kind, modifiers = typeWordToken(text[next.Start:end], text[end:], isValue)
			isValue = false
		case next.Kind == grammar.TextToken, next.Kind == grammar.OpenTextToken:
			kind, isValue = tokenString, false
			if strings.HasPrefix(strings.TrimLeft(text[end:], whitespace), ":") {
				kind = tokenProperty
			}
		case next.Kind == grammar.NumberToken:
			kind, isValue = tokenNumber, false
		case strings.IndexByte("|?=*", c) >= 0:
			end, isValue = next.Start+1, c == '='
		default:
			isValue = isValue && c != ',' && c != ')'
			scan.Seek(next.Start + 1)
			continue
		}
		at := source.Span{File: s.File, Start: s.Start + next.Start, End: s.Start + end}
		if kind == tokenType {
			t.typeName(at, at.Text())
		} else {
			t.add(at, kind, modifiers)
		}
		if end != next.End {
			scan.Seek(end)
		}
	}
}

// typeWordToken returns what a word in a type expression is, by what follows it.
func typeWordToken(word, rest string, isValue bool) (tokenKind, tokenModifier) {
	rest = strings.TrimLeft(rest, whitespace)
	field := strings.TrimLeft(strings.TrimPrefix(rest, "?"), whitespace)
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
