package types

import (
	"cmp"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// An Outline is what a type expression says of names, whatever else is wrong
// with it. The elements of an array count as the array, and the alternatives of
// a union as one type: a value of the type is read without knowing which it is.
type Outline struct {
	Types  []report.Reference // the named types
	Fields []OutlineField     // of {name: Type}
	Rest   *Outline           // of the values of a map, and of an Object; nil when it is none
	Values []ast.Value        // defaults, examples and the like, in (…)
}

// An OutlineField is a field of a type expression.
type OutlineField struct {
	report.Reference // its span has the quotes, where there are any
	Type             *Outline
	Default          ast.Value // nil for none
}

// OutlineOf reads the type expression of a label, or of the value of a property.
func OutlineOf(n ast.Node) *Outline {
	o := &Outline{}
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
	if kind, known := kindNamed(text); known || text == "" { // most types
		if kind == KindObject {
			o.rest()
		}
		return o
	}
	e := newExpression(&Checker{Reporter: &report.Reporter{}}, text, n)
	e.out = o
	for e.peek() != 0 {
		start := e.pos
		e.failed = false
		if e.typ(); e.pos == start {
			e.pos++ // of what cannot be read
		}
	}
	return o
}

// OutlineReferences returns the names of types that a type expression mentions, at
// whatever depth. Those of the language are left out.
func OutlineReferences(n ast.Node) []report.Reference { return OutlineOf(n).references(nil) }

func (o *Outline) references(list []report.Reference) []report.Reference {
	list = append(list, o.Types...)
	for _, f := range o.Fields {
		list = f.Type.references(list)
	}
	if o.Rest != nil {
		list = o.Rest.references(list)
	}
	return list
}

// mention adds the name of a type.
func (o *Outline) mention(name string, at source.Span) {
	switch kind, known := kindNamed(name); {
	case kind == KindObject:
		o.rest()
	case !known && nameableType(name):
		o.Types = append(o.Types, report.Reference{Text: name, Span: at})
	}
}

// rest returns the outline of the values of a map.
func (o *Outline) rest() *Outline {
	if o.Rest == nil {
		o.Rest = &Outline{}
	}
	return o.Rest
}

// attributes adds what the attributes behind a type mention.
func (o *Outline) attributes(r *ast.Record) {
	for _, p := range r.Properties {
		key := p.Key.Text
		if p.Value != nil && AttributeHasFields(key) {
			o.Values = append(o.Values, p.Value)
		}
		if word, bare := p.Value.(*ast.Symbol); bare && (key == "of" || key == "elementType") && !IsTypeName(word.Text) {
			cmp.Or(o.Rest, o).mention(word.Text, word.Span())
		}
	}
}

// anotherInOutline reports whether one more member of a list follows. An outline skips
// what it cannot read.
func (e *expression) anotherInOutline(closing byte) bool {
	if e.out == nil {
		return !e.failed && e.accept(',')
	}
	for e.failed = false; ; e.pos++ {
		switch next := e.peek(); {
		case next == 0 || next == closing:
			return false
		case next == ',':
			e.pos++
			return true
		case isFieldNameStart(next), closing == '}' && strings.IndexByte(`"'*`, next) >= 0: // which a member starts with
			return true
		}
	}
}
