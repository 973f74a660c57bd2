package importer

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// aliasPattern returns the pattern of another name of a type.
func aliasPattern(u *use) *ast.Pattern { return typePattern(ast.LabelType, nil, u.node("", false)) }

// unionPattern returns a named union with the attributes of u.
func unionPattern(t *typ, u *use, alternatives []*use) *ast.Pattern {
	r := u.record()
	if t.exclusive {
		r.Properties = slices.Insert(r.Properties, 0, patternProperty("exclusive", ":", &ast.Bool{Value: true}))
	}
	var elements []*ast.Pattern
	for _, a := range alternatives {
		elements = append(elements, a.node("", false))
	}
	return typePattern(ast.LabelUnion, r, elements...)
}

// objectPattern returns a named type of objects with the attributes of u.
func (w *gramWriter) objectPattern(t *typ, u *use, fields []*use, p *namePath) *ast.Pattern {
	r := u.record()
	w.restOf(r, t, p)
	var elements []*ast.Pattern
	for i, f := range t.fields {
		elements = append(elements, fields[i].field(f))
	}
	return typePattern(ast.LabelType, r, elements...)
}

func typePattern(label string, r *ast.Record, elements ...*ast.Pattern) *ast.Pattern {
	s := &ast.Subject{Labels: []*ast.Label{{Separator: ":", Name: ast.NewName(label)}}}
	if r != nil && len(r.Properties) > 0 {
		s.Record = r
	}
	return &ast.Pattern{Form: ast.FormBracket, Subject: s, Elements: elements}
}

// addElementPattern adds the type of elements or undeclared fields to a record.
func addElementPattern(r *ast.Record, text string) {
	switch {
	case text == "":
	case isSymbolInUse(text):
		addToPattern(r, "of", &ast.Symbol{Text: text})
	default:
		addToPattern(r, "of", &ast.Tagged{Tag: "type", Text: text})
	}
}

// patternHasEmptyName reports whether a field has an empty name, which only type
// expressions can express.
func patternHasEmptyName(t *typ) bool {
	return slices.ContainsFunc(t.fields, func(f *field) bool { return f.name == "" })
}

func patternProperty(key, separator string, v ast.Value) *ast.Property {
	return &ast.Property{Key: ast.NewName(key), Separator: separator, Value: v}
}

func addToPattern(r *ast.Record, key string, v ast.Value) {
	r.Properties = append(r.Properties, patternProperty(key, ":", v))
}

// nodePattern makes the gram node (name::label {record}).
func nodePattern(name, label string, record *ast.Record) *ast.Pattern {
	s := &ast.Subject{Labels: []*ast.Label{{Separator: "::", Name: ast.NewName(label)}}}
	if name != "" {
		s.Identity = ast.NewName(name)
	}
	if record != nil && len(record.Properties) > 0 {
		s.Record = record
	}
	return &ast.Pattern{Form: ast.FormNode, Subject: s}
}

// isLiteralPattern reports whether a type is a single value that is its own expression:
// "circle", 42, true.
func isLiteralPattern(t *typ) bool {
	if len(t.attrs) != 1 || t.attrs[0].key != "const" || t.nullable || t.value != nil || t.ref != nil || t.union != nil || len(t.types)+len(t.raw) > 0 {
		return false
	}
	switch v := t.attrs[0].value; v.Kind {
	case jsonschema.KindString:
		return t.kind == "Text"
	case jsonschema.KindNumber:
		return t.kind == "Int" || t.kind == "Number" && v.TypeOf() == jsonschema.FractionType
	}
	return t.kind == "Bool"
}
