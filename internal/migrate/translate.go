package migrate

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
)

// object returns the type expression of an object, or of an array of them.
func (r *migrator) object(fields []*field, array bool) string {
	text := "{" + commaList(fields, r.inline) + "}"
	if array {
		return "[" + text + "]"
	}
	return text
}

// inline returns a field as a type expression has it: name: Type = default.
func (r *migrator) inline(f *field) string {
	var attrs []string
	preset := ""
	for _, p := range f.modifiers {
		text := r.literal(p.Value)
		if p.Key.Text == "default" {
			preset = " = " + text
		} else {
			attrs = append(attrs, name(p.Key.Text)+"="+text)
		}
	}
	typ, optional := f.typ, f.optional
	if inner, maybe := strings.CutPrefix(typ, "Maybe "); maybe {
		typ, optional = strings.TrimSpace(inner), true
	}
	key := name(f.name)
	if optional && preset == "" {
		key += "?"
	}
	switch {
	case typ == "":
		typ = r.object(f.nested, f.array)
	case len(attrs) > 0 && !isSymbol(strings.Trim(typ, "[]")):
		typ = "(" + typ + ")"
	}
	if len(attrs) > 0 {
		typ += "(" + strings.Join(attrs, ", ") + ")"
	}
	return key + ": " + typ + preset
}

// property returns a field as a property that declares it.
func (r *migrator) property(f *field) string {
	typ, space := f.typ, ""
	if typ == "" {
		typ = r.object(f.nested, f.array)
	}
	if !isSymbol(typ) {
		typ, space = ast.Print(&ast.Tagged{Tag: "type", Text: typ}), " "
	}
	if len(f.modifiers) == 0 && !f.optional {
		return name(f.name) + "::" + space + typ
	}
	parts := []string{"type: " + typ}
	if f.optional {
		parts = append(parts, "optional: true")
	}
	for _, p := range f.modifiers {
		switch p.Value.(type) {
		case *ast.Array, *ast.Record:
			r.fail("the value " + p.Value.Span().Text() + " has no place in a map")
		}
		parts = append(parts, p.Key.Raw+": "+p.Value.Span().Text())
	}
	return name(f.name) + "::{" + strings.Join(parts, ", ") + "}"
}

// literal returns a value as a type expression writes it.
func (r *migrator) literal(v ast.Value) string {
	switch v := v.(type) {
	case *ast.String:
		return ast.Print(&ast.String{Text: v.Text})
	case *ast.Bool:
		return ast.Print(v)
	case *ast.Symbol:
		if v.Text != "null" {
			return ast.Print(&ast.String{Text: v.Text})
		}
	case *ast.Number:
		if v.Kind != ast.Measurement {
			return v.Digits()
		}
	case *ast.Array:
		return "[" + commaList(v.Elements, r.literal) + "]"
	case *ast.Record:
		return "{" + commaList(v.Properties, func(p *ast.Property) string { return name(p.Key.Text) + ": " + r.literal(p.Value) }) + "}"
	}
	r.fail("a type expression cannot have the value " + v.Span().Text())
	return ""
}

// commaList returns what write makes of the items, with commas between.
func commaList[T any](items []T, write func(T) string) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = write(item)
	}
	return strings.Join(texts, ", ")
}

// name returns the name of a field, in quotes where it is not a symbol.
func name(text string) string {
	if isSymbol(text) {
		return text
	}
	return ast.Print(&ast.Name{Kind: ast.NameDouble, Text: text})
}

func isSymbol(text string) bool { return ast.NewName(text).Kind == ast.NameSymbol }
