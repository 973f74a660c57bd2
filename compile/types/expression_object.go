package types

import (
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// object reads {a: T, b?: T = 1, *: T}.
func (e *expression) object() *Type {
	start := e.pos
	e.pos++
	fields, names := []*Param{}, paramNames{}
	var rest *Type
	e.list('}', func() {
		if e.peek() == '*' && (rest == nil || e.out != nil) {
			e.pos++
			e.expect(':')
			rest = e.objectMapValues()
			return
		}
		if f := e.objectField(); !e.failed {
			e.c.duplicateParam(&names, f, diag.CodeDuplicateField, "field")
			fields = append(fields, f)
		}
	})
	t := &Type{Kind: KindObject, Name: e.text[start:e.pos], Rest: rest}
	if len(fields) > 0 || rest == nil {
		t.setFields(fields)
	}
	return t
}

func (e *expression) objectField() *Param {
	next := e.peek()
	start := e.pos
	f := &Param{}
	switch {
	case next == '"' || next == '\'':
		f.Name = e.literalString()
	case isFieldNameStart(next):
		f.Name = e.name()
	default:
		e.unexpected("the name of a field")
		return nil
	}
	f.Span = e.At(start, e.pos)
	optional := e.accept('?')
	e.expect(':')
	if e.pos < len(e.text) && e.text[e.pos] == ':' {
		e.pos++
	}
	outer, shape := e.out, &Outline{}
	if outer != nil && !e.failed {
		outer.Fields = append(outer.Fields, OutlineField{report.Reference{Text: f.Name, Span: f.Span}, shape, nil})
		e.out = shape
	}
	f.Type, f.Optional = e.typ()
	e.out = outer
	f.Optional = f.Optional || optional
	if !e.failed && e.accept('=') {
		f.Optional = true
		what := report.Named("the field", f.Name)
		switch v := e.readLiteral(); {
		case outer != nil:
			outer.Fields[len(outer.Fields)-1].Default = v
		case v != nil:
			e.c.whenNamedTypesLowered(compare, func() { f.Default = e.c.typedValue(v, f.Type, what, "default") })
		}
	}
	return f
}

// objectMap reads <T> behind Map.
func (e *expression) objectMap(start int) *Type {
	e.expect('<')
	rest := e.objectMapValues()
	if e.out == nil && !e.failed && e.peek() == ',' { // Map<Text, Int>
		e.foreignApplied(start, "Map")
		return nil
	}
	e.expect('>')
	return &Type{Kind: KindObject, Rest: rest, Name: e.text[start:e.pos], Span: e.At(start, e.pos)}
}

// objectMapValues reads the type of the values of a map.
func (e *expression) objectMapValues() *Type {
	outer := e.out
	if outer != nil {
		e.out = outer.rest()
	}
	t := e.inner("the values of a map")
	e.out = outer
	return t
}
