package lsp

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
)

// A semanticToken is bytes of the text that mean one thing.
type semanticToken struct {
	start, end int
	kind       tokenKind
	modifiers  tokenModifier
}

// tokens returns what the words of the document mean, in their order, some names
// of tools and types being deprecated. No two overlap.
func (d *document) tokens(deprecated map[string]bool) []semanticToken {
	file := d.ast()
	t := &tokenizer{deprecated: deprecated, found: make([]semanticToken, 0, len(d.text)/10)}
	if file.Header != nil {
		t.record(file.Header, keysAreProperties)
	}
	for _, p := range file.Patterns {
		t.pattern(p, aside)
	}
	for comment := range d.comments() {
		t.add(comment.Span, tokenComment, 0)
	}
	slices.SortStableFunc(t.found, func(a, b semanticToken) int { return cmp.Compare(a.start, b.start) })
	end := 0
	return slices.DeleteFunc(t.found, func(t semanticToken) bool {
		if t.start < end || t.end <= t.start {
			return true
		}
		end = t.end
		return false
	})
}

// A tokenizer collects the tokens of a tree.
type tokenizer struct {
	found      []semanticToken
	deprecated map[string]bool // names of tools and types
	tools      map[string]bool // what the agent around can call
	isEntry    bool            // in the record of an entry of a library
	isTemplate bool            // in a text in which braces hold a parameter
}

func (t *tokenizer) add(s source.Span, kind tokenKind, m tokenModifier) {
	if !s.IsZero() {
		t.found = append(t.found, semanticToken{s.Start, s.End, kind, m})
	}
}

// A surrounding is the kind of pattern around a pattern.
type surrounding uint8

const (
	aside       surrounding = iota // at the top, or in what means nothing to gramc
	inAgent                        // among its tools
	inLibrary                      // among its entries
	inSignature                    // of a tool or an entry
	inType                         // among the fields of a type
)

// pattern adds the tokens of a pattern.
func (t *tokenizer) pattern(p *ast.Pattern, in surrounding) {
	for _, a := range p.Annotations {
		t.annotation(a)
	}
	var modifiers tokenModifier
	if isDeprecated(p.Subject.Record) {
		modifiers = modifierDeprecated
	}
	switch p.Form {
	case ast.FormBad:
		return
	case ast.FormRef:
		t.reference(p, in)
		return
	case ast.FormPath:
		for i, e := range p.Elements {
			t.pattern(e, in)
			if i < len(p.Arrows) {
				t.arrow(p.Arrows[i])
			}
		}
		return
	case ast.FormNode:
		t.node(p.Subject, in, modifiers)
		return
	}
	kind, inside := meaning(p, in)
	if p.Subject.Identity != nil {
		t.add(p.Subject.Identity.Span(), kind, modifiers|modifierDefinition)
	}
	for _, l := range p.Subject.Labels {
		if inside == aside {
			t.typeName(l.Name)
		} else {
			t.add(l.Name.Span(), tokenKeyword, 0)
		}
	}
	if _, isAgent := ast.AsAgent(p); isAgent {
		t.tools = map[string]bool{}
		for _, e := range p.Elements {
			t.tools[e.Identity()] = true
		}
		defer func() { t.tools = nil }()
	}
	if p.Subject.Record != nil {
		keys := keysAreProperties
		if inside == inType {
			keys = keysDeclareFields
		}
		t.isEntry = in == inLibrary
		t.record(p.Subject.Record, keys)
		t.isEntry = false
	}
	for _, e := range p.Elements {
		t.pattern(e, inside)
	}
}

// meaning returns the kind of the name of a bracket, and the surrounding of its
// elements.
func meaning(p *ast.Pattern, in surrounding) (tokenKind, surrounding) {
	if _, isAgent := ast.AsAgent(p); isAgent {
		return tokenAgent, inAgent
	}
	if _, isTool := ast.AsTool(p); isTool {
		return tokenTool, inSignature
	}
	switch {
	case p.HasLabel(ast.LabelEnum):
		return tokenEnum, inType
	case ast.IsNamedType(p):
		return tokenType, inType
	case p.HasLabel(ast.LabelLibrary):
		return tokenLibrary, inLibrary
	case in == inLibrary:
		return tokenTool, inSignature
	}
	return tokenVariable, aside
}

// reference adds the token of a name among elements.
func (t *tokenizer) reference(p *ast.Pattern, in surrounding) {
	kind := tokenVariable
	if in == inAgent || in == inLibrary {
		kind = tokenTool
	}
	t.add(p.Span(), kind, t.deprecation(p.Identity()))
}

// node adds the tokens of a node: a parameter, a field of a type, a rule.
func (t *tokenizer) node(s *ast.Subject, in surrounding, modifiers tokenModifier) {
	kind := tokenVariable
	switch in {
	case inSignature:
		kind = tokenParameter
	case inType:
		kind = tokenProperty
	}
	if s.Identity != nil {
		t.add(s.Identity.Span(), kind, modifiers|modifierDefinition)
	}
	keys := keysDeclareFields
	for _, l := range s.Labels {
		switch l.Name.Text {
		case "Allow", "Ask", "Deny":
			if in == inSignature && l.Separator == ":" {
				t.add(l.Name.Span(), tokenKeyword, 0)
				keys = keysAreParameters
				continue
			}
		}
		t.typeName(l.Name)
	}
	if s.Record != nil {
		t.record(s.Record, keys)
	}
}

func (t *tokenizer) annotation(a *ast.Annotation) {
	if a.Key != nil {
		t.add(a.Key.Span(), tokenDecorator, 0)
	}
	if a.Subject != nil {
		t.node(a.Subject, aside, 0)
	}
	if a.Value != nil {
		t.value(a.Value, keysAreProperties, false)
	}
}

// arrow adds the tokens of an arrow: its strokes, and the label between them.
func (t *tokenizer) arrow(a *ast.Arrow) {
	s := a.Span()
	open, shut := strings.IndexByte(s.Text(), '['), strings.LastIndexByte(s.Text(), ']')
	if a.Subject == nil || open < 0 || shut < open {
		t.add(s, tokenOperator, 0)
		return
	}
	t.add(source.Span{File: s.File, Start: s.Start, End: s.Start + open}, tokenOperator, 0)
	t.node(a.Subject, aside, 0)
	t.add(source.Span{File: s.File, Start: s.Start + shut + 1, End: s.End}, tokenOperator, 0)
}

// keys are the roles of the keys of a record.
type keys uint8

const (
	keysAreProperties keys = iota
	keysDeclareFields      // those with two colons do
	keysAreParameters      // of a rule
)

// record adds the tokens of a record.
func (t *tokenizer) record(r *ast.Record, k keys) {
	for _, p := range r.Properties {
		kind, modifiers := tokenProperty, tokenModifier(0)
		isType := p.Separator == "::"
		inner, isRecord := p.Value.(*ast.Record)
		switch {
		case k == keysAreParameters:
			kind = tokenParameter
		case k == keysDeclareFields && isType:
			modifiers = modifierDefinition
			if isRecord && isDeprecated(inner) {
				modifiers |= modifierDeprecated
			}
		case p.Key.Text == "type", p.Key.Text == "elementType", p.Key.Text == "of":
			isType = k == keysDeclareFields
		case p.Key.Text == "returns":
			isType = true
		}
		t.add(p.Key.Span(), kind, modifiers)
		if p.Value != nil {
			t.isTemplate = t.isEntry && (p.Key.Text == "run" || p.Key.Text == "url")
			t.value(p.Value, k, isType)
			t.isTemplate = false
		}
	}
}

// value adds the tokens of a value, which can be a type.
func (t *tokenizer) value(v ast.Value, k keys, isType bool) {
	switch v := v.(type) {
	case *ast.String:
		if isType && v.Quote != ast.QuoteFence && v.Raw != "" {
			t.typeText(v.Span(), v.Raw[1:len(v.Raw)-1], v.Text, 1)
			return
		}
		t.text(v)
	case *ast.Number:
		t.add(v.Span(), tokenNumber, 0)
	case *ast.Range:
		t.add(v.Span(), tokenNumber, 0)
	case *ast.Bool:
		t.add(v.Span(), tokenKeyword, 0)
	case *ast.Symbol:
		switch {
		case v.Text == "null":
			t.add(v.Span(), tokenKeyword, 0)
		case isType:
			t.nameOfType(v.Span(), v.Text)
		default:
			t.add(v.Span(), tokenEnumMember, 0)
		}
	case *ast.Tagged:
		t.tagged(v)
	case *ast.Array:
		for _, e := range v.Elements {
			t.value(e, k, isType)
		}
	case *ast.Record:
		t.record(v, keysDeclareFields)
	}
}
