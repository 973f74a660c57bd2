package lsp

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/report"
)

// This file finds the names in tests: of agents and tools, of parameters, and of the
// fields of results and answers.

// scenario finds the names of a test.
func (b *indexer) scenario(p *ast.Pattern) {
	def := b.define(patternKind, p, nil)
	agent := b.named(p, "agent", tested, def)
	b.named(p, "approve", stepped, def)
	for _, step := range p.Elements {
		if step.Form == ast.FormBracket {
			b.step(step, agent, def)
		}
	}
}

// named finds the names that are the value of a property, and returns the last.
func (b *indexer) named(p *ast.Pattern, key string, purpose purpose, in *definition) (name string) {
	if property := p.Property(key); property != nil && property.Value != nil {
		name = b.namedIn(property.Value, purpose, in)
	}
	return name
}

func (b *indexer) namedIn(v ast.Value, purpose purpose, in *definition) (name string) {
	if list, ok := v.(*ast.Array); ok {
		for _, e := range list.Elements {
			name = b.namedIn(e, purpose, in)
		}
		return name
	}
	name, ok := ast.WordOf(v)
	if ok && name != "" {
		b.refer(place{spelling: indexedSpelling(v.Span(), asValue), name: name, purpose: purpose, in: in})
	}
	return name
}

// step finds the names in a step of a test of an agent.
func (b *indexer) step(p *ast.Pattern, agent string, in *definition) {
	for _, key := range []string{"before", "order", "handled", "asked"} {
		b.named(p, key, stepped, in)
	}
	called := b.named(p, "tool", stepped, in)
	result := b.named(p, "result", stepped, in)
	from := b.named(p, "from", stepped, in)
	for _, key := range []string{"never", "called", "call"} {
		if p.Property(key) != nil {
			called = b.named(p, key, stepped, in)
		}
	}
	if calls := p.Property("calls"); calls != nil {
		b.listedCalls(calls.Value, in)
	}
	arguments := &filled{shape: &shape{document: b.document, arguments: called}}
	b.given(p, "with", arguments, in)
	b.keys(p, "matching", arguments, in)
	if name := p.Property("argument"); name != nil && name.Value != nil {
		if text, ok := ast.WordOf(name.Value); ok && called != "" {
			b.refer(place{spelling: indexedSpelling(name.Value.Span(), asValue), name: text, purpose: field, in: in, of: arguments})
		}
	}
	of := &filled{shape: &shape{document: b.document, answer: true, agent: agent}}
	switch {
	case p.HasLabel("Result"), p.HasLabel("Fault"):
		of = &filled{shape: &shape{document: b.document, result: called}}
	case from != "":
		of = &filled{shape: &shape{document: b.document, result: from}}
	case result != "":
		of = &filled{shape: &shape{document: b.document, result: result}}
	}
	b.given(p, "answer", of, in)
	b.given(p, "is", b.path(p.Property("path"), of, in), in)
}

// given finds the fields in the value of a property.
func (b *indexer) given(p *ast.Pattern, key string, of *filled, in *definition) {
	if property := p.Property(key); property != nil && property.Value != nil {
		b.typeValues(property.Value, asName, noCode, of, in)
	}
}

// keys finds the names of parameters that are keys.
func (b *indexer) keys(p *ast.Pattern, key string, of *filled, in *definition) {
	property := p.Property(key)
	if property == nil {
		return
	}
	if record, ok := property.Value.(*ast.Record); ok {
		for _, each := range record.Properties {
			b.refer(place{spelling: indexedSpelling(each.Key.Span(), asName), name: each.Key.Text, purpose: field, in: in, of: of})
		}
	}
}

// listedCalls finds the names in several calls of one response.
func (b *indexer) listedCalls(v ast.Value, in *definition) {
	list, _ := v.(*ast.Array)
	if list == nil {
		return
	}
	for _, e := range list.Elements {
		if record, ok := e.(*ast.Record); ok {
			p := &ast.Pattern{Base: ast.At(record.Span()), Form: ast.FormBracket, Subject: &ast.Subject{Record: record}}
			b.step(p, "", in)
		}
	}
}

// path finds the fields that a JSON Pointer names, and returns the part that it
// leads to. Elements of arrays count as the array.
func (b *indexer) path(p *ast.Property, of *filled, in *definition) *filled {
	if p == nil || p.Value == nil {
		return of
	}
	text, ok := ast.TextOf(p.Value)
	if !ok || !strings.HasPrefix(text, "/") {
		return of
	}
	q, at := report.NewQuotation(p.Value, text), 1
	for token := range strings.SplitSeq(text[1:], "/") {
		end := at + len(token)
		if token != "" && strings.Trim(token, "0123456789") != "" {
			name := jsonpointer.Key(token)
			if name == token { // else it is escaped
				b.refer(place{spelling: indexedSpelling(q.At(at, end), indexedForm(p.Value)), name: name, purpose: field, in: in, of: of})
			}
			of = &filled{outer: of, key: name}
		}
		at = end + 1
	}
	return of
}
