package types

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// named reads a name, or Maybe and a type.
func (e *expression) named() (t *Type, optional bool) {
	start := e.pos
	name := e.name()
	next := e.peek()
	kind, known := kindNamed(name)
	applied := isFieldNameStart(next) || next != 0 && strings.IndexByte("{<", next) >= 0
	array := next == '[' && !strings.HasPrefix(strings.TrimLeft(e.text[e.pos+1:], " \t"), "]")
	switch {
	case name == "true" || name == "false" || name == "null":
		e.pos = start
		return e.literalType(), false
	case name == "Maybe" && next != '<' && (applied || next != 0 && strings.IndexByte("[(\"'", next) >= 0):
		t, _ = e.postfix()
		return t, e.out == nil // an outline needs no modifiers
	case name == "Maybe" && next != '<':
		e.fail(start, start+len(name), diag.CodeSyntax, "Maybe needs a type behind it: Maybe Text")
		return nil, false
	case name == "Map" && next == '<':
		return e.objectMap(start), false
	case e.out != nil:
		e.out.mention(name, e.At(start, start+len(name)))
		return &Type{Kind: kind}, false
	case applied && e.fieldNameFollows():
		e.unexpected(`","`)
		return nil, false
	case applied || array || name == "IO" || next == '(' && !known && e.c.NamedType(name) == nil:
		e.foreignApplied(start, name)
		return nil, false
	}
	if known {
		return &Type{Kind: kind, Name: name, Span: e.At(start, start+len(name))}, false
	}
	if def := e.c.NamedType(name); def != nil {
		t := e.c.useNamedType(def, e.At(start, start+len(name)))
		e.failed = e.failed || t == nil
		return t, false
	}
	e.unknownName(start, name)
	return nil, false
}

// fieldNameFollows reports whether a name and a colon follow, so that what stands
// before them lacks a comma.
func (e *expression) fieldNameFollows() bool {
	ahead := *e
	return isFieldNameStart(ahead.peek()) && ahead.name() != "" && ahead.peek() == ':'
}

// unknownName reports that there is no type of that name.
func (e *expression) unknownName(start int, name string) {
	e.c.Broken = e.c.Broken || e.c.Incomplete || e.c.Unlinked
	if vocabulary.ForeignType(name) == "" && e.c.IsLikelyImported(name) {
		e.failed = true
		return
	}
	if e.c.Mislabelled != nil && e.c.Mislabelled(name) {
		e.failed = true
		return
	}
	definition := e.c.misspeltName(name)
	if e.c.SuggestImport != nil && definition == nil {
		d := e.fail(start, start+len(name), diag.CodeUnknownType, "unknown type %s", report.Quote(name))
		if e.c.SuggestImport(d, name) {
			return
		}
		e.c.Diags = e.c.Diags[:len(e.c.Diags)-1] // it is reported below, in other words
	}
	near := vocabulary.ForeignType(name)
	if definition != nil {
		near = definition.Identity()
	} else if near == "" && !isLabel(name) {
		near = e.c.Guess(name, e.c.namedTypeSuggestions())
	}
	if format := foreignFormat(name); near == "" && format != "" {
		d := e.fail(start, start+len(name), diag.CodeUnknownType, "unknown type %s; that is a Text with a format: {format: %s}", report.Quote(name), format)
		e.fixForeignFormat(d, name, format)
		return
	}
	if near == "" && e.c.Incomplete {
		e.c.MayBeImported(e.fail(start, start+len(name), diag.CodeUnknownType, "unknown type %s", report.Quote(name)))
		return
	}
	if near == "" {
		e.fail(start, start+len(name), diag.CodeUnknownType, "unknown type %s; the types are Text, Int, Double, Bool, Object, Array, Map, Any and the types that the file defines with [Name:Type …]",
			report.Quote(name))
		return
	}
	d := e.fail(start, start+len(name), diag.CodeUnknownType, "unknown type %s; did you mean %s?", report.Quote(name), near)
	if definition != nil {
		report.FixName(d, name, definition)
		return
	}
	report.Respell(d, d.Span, name, near)
}

// misspeltName returns the type of the file of which the name is like an unknown one, nil
// for none.
func (c *Checker) misspeltName(name string) *ast.Pattern {
	var names []string
	types := c.Scope.Types[:min(len(c.Scope.Types), report.MaxCandidates)]
	for _, p := range types {
		names = append(names, p.Identity())
	}
	i := slices.Index(names, c.Guess(name, names))
	if i < 0 || types[i].Subject.Identity == nil {
		return nil
	}
	return types[i]
}

// isLabel reports whether a name is a label of a pattern, and so no misspelt type.
func isLabel(name string) bool {
	return slices.ContainsFunc(vocabulary.Labels(), func(w vocabulary.Word) bool { return w.Name == name })
}
