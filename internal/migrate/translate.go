package migrate

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/ast"
)

// A field is an entry of a list of fields: {name: "a", type: "Text", …}.
type field struct {
	entry     *ast.Record
	name      string
	typ       string   // a type expression; "" when the field is an object, or an array of them
	array     bool     // of such objects
	nested    []*field // the fields of such objects
	optional  bool
	modifiers []*ast.Property // description, default and the like
}

// A translator reads the older notation of fields. The first thing that it
// cannot translate is the reason.
type translator struct{ reason string }

func (t *translator) fail(format string, args ...any) {
	if t.reason == "" {
		t.reason = fmt.Sprintf(format, args...)
	}
}

// fields reads a list of fields.
func (t *translator) fields(list *ast.Property) []*field {
	array, ok := list.Value.(*ast.Array)
	if !ok {
		t.fail("they are no list")
		return nil
	}
	fields := make([]*field, 0, len(array.Elements))
	seen := make(map[string]bool, len(array.Elements))
	for _, e := range array.Elements {
		entry, ok := e.(*ast.Record)
		if !ok {
			t.fail("not each of them is a map")
			return nil
		}
		f := t.field(entry)
		if t.reason != "" {
			return nil
		}
		if seen[f.name] {
			t.fail("the field %q occurs twice", f.name)
		}
		seen[f.name] = true
		fields = append(fields, f)
	}
	return fields
}

// field reads an entry. It is nil when there is a reason.
func (t *translator) field(entry *ast.Record) *field {
	f := &field{entry: entry}
	var nested *ast.Property
	keys := make(map[string]bool, len(entry.Properties))
	for _, p := range entry.Properties {
		if keys[p.Key.Text] {
			t.fail("a field says %q twice", p.Key.Text)
		}
		keys[p.Key.Text] = true
		switch p.Key.Text {
		case "name":
			f.name, _ = ast.WordOf(p.Value)
		case "type":
			f.typ, _ = ast.WordOf(p.Value)
		case "fields":
			nested = p
		case "of", "elementType":
			if name, ok := ast.WordOf(p.Value); !ok || name == "" {
				t.fail("the element type of a field is no type")
			}
		case "optional":
			yes, ok := p.Value.(*ast.Bool)
			if !ok {
				t.fail("%q of a field is neither true nor false", "optional")
				return nil
			}
			f.optional = yes.Value
		default:
			f.modifiers = append(f.modifiers, p)
		}
	}
	switch {
	case f.name == "":
		t.fail("a field has no name")
	case f.typ == "":
		t.fail("the field %q has no type", f.name)
	case keys["of"] && keys["elementType"]:
		t.fail("the field %q has two element types", f.name)
	}
	if t.reason != "" {
		return nil
	}
	t.whole(f, nested)
	return f
}

// whole joins the type of a field, its element type and its fields.
func (t *translator) whole(f *field, nested *ast.Property) {
	element := elementType(f.entry)
	if nested == nil {
		switch {
		case element == "":
		case f.typ == "Array":
			f.typ = "[" + element + "]"
		default:
			t.fail("the field %q has an element type and is no Array", f.name)
		}
		return
	}
	switch {
	case f.typ == "Object" && element == "":
	case f.typ == "Array" && element == "Object", f.typ == "[Object]" && element == "":
		f.array = true
	default:
		t.fail("the field %q has fields and is no Object", f.name)
	}
	f.typ, f.nested = "", t.fields(nested)
}

// object writes the type expression of an object, or of an array of them.
func (t *translator) object(b *strings.Builder, fields []*field, array bool) {
	open, shut := "{", "}"
	if array {
		open, shut = "[{", "}]"
	}
	b.WriteString(open)
	for i, f := range fields {
		if i > 0 {
			b.WriteString(", ")
		}
		t.inline(b, f)
	}
	b.WriteString(shut)
}

// inline writes a field as a type expression has it: name: Type = default.
func (t *translator) inline(b *strings.Builder, f *field) {
	var attrs []string
	preset := ""
	for _, p := range f.modifiers {
		text := t.literal(p, f)
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
	b.WriteString(name(f.name))
	if optional && preset == "" {
		b.WriteString("?")
	}
	b.WriteString(": ")
	switch {
	case typ == "":
		t.object(b, f.nested, f.array)
	case len(attrs) > 0 && !isSymbol(strings.Trim(typ, "[]")):
		b.WriteString("(" + typ + ")")
	default:
		b.WriteString(typ)
	}
	if len(attrs) > 0 {
		b.WriteString("(" + strings.Join(attrs, ", ") + ")")
	}
	b.WriteString(preset)
}

// property returns a field as a property that declares it.
func (t *translator) property(f *field) string {
	typ, space := f.typ, ""
	if typ == "" {
		var b strings.Builder
		t.object(&b, f.nested, f.array)
		typ = b.String()
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
			t.fail("%q of the field %q is a list or a map, which has no place in a map", p.Key.Text, f.name)
			return ""
		}
		parts = append(parts, p.Key.Raw+": "+p.Value.Span().Text())
	}
	return name(f.name) + "::{" + strings.Join(parts, ", ") + "}"
}

// literal returns a value as a type expression writes it.
func (t *translator) literal(p *ast.Property, f *field) string {
	text, ok := literal(p.Value)
	if !ok {
		t.fail("%q of the field %q is a value that a type expression cannot write", p.Key.Text, f.name)
	}
	return text
}

func literal(v ast.Value) (text string, ok bool) {
	switch v := v.(type) {
	case *ast.String:
		return ast.Print(&ast.String{Text: v.Text}), true
	case *ast.Bool:
		return ast.Print(v), true
	case *ast.Symbol:
		return ast.Print(&ast.String{Text: v.Text}), v.Text != "null"
	case *ast.Number:
		return v.Digits(), v.Kind != ast.Measurement
	case *ast.Array:
		parts := make([]string, len(v.Elements))
		for i, e := range v.Elements {
			if parts[i], ok = literal(e); !ok {
				return "", false
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	case *ast.Record:
		parts := make([]string, len(v.Properties))
		for i, p := range v.Properties {
			value, ok := literal(p.Value)
			if !ok {
				return "", false
			}
			parts[i] = name(p.Key.Text) + ": " + value
		}
		return "{" + strings.Join(parts, ", ") + "}", true
	}
	return "", false
}

// name returns the name of a field, in quotes where it is no symbol.
func name(text string) string {
	if isSymbol(text) {
		return text
	}
	return ast.Print(&ast.Name{Kind: ast.NameDouble, Text: text})
}

func isSymbol(text string) bool { return ast.NewName(text).Kind == ast.NameSymbol }
