package fuzz

import (
	"fmt"
	"slices"
	"strings"
)

// file returns an agent with a tool that takes the root, and the named types.
// What is more is said of the first parameter.
func (m *typeMaker) file(more string) string {
	written := &typeMaker{data: m.data, at: 0} // other decisions, but always the same ones
	var b strings.Builder
	first := m.root.fields[0].typ
	fmt.Fprintf(&b, "[a:Agent {instruction: \"i\", model: \"OpenAI/m\", returns:: type`%s`} |\n  [t:Tool {description: \"d\"} | ", first.expression())
	for i, f := range m.root.fields {
		if i == 0 && more != "" {
			f = &fieldModel{name: f.name, typ: f.typ}
			b.WriteString(written.node(f, more) + "==>")
			continue
		}
		b.WriteString(written.node(f, "") + "==>")
	}
	fmt.Fprintf(&b, "(::`%s`)]]\n", first.expression())
	for _, n := range m.names {
		b.WriteString(written.definition(n) + "\n")
	}
	return b.String()
}

// definition returns a named type.
func (m *typeMaker) definition(n *namedModel) string {
	t := n.typ
	var record []string
	if n.shared {
		record = append(record, "shared: true")
	}
	if t.nullable {
		record = append(record, "nullable: true")
	}
	plain := *t
	plain.nullable = false
	switch {
	case t.kind == "text" && len(t.enum) > 1 && len(t.attrs) == 1 && m.below(2) == 0:
		return fmt.Sprintf("[%s:Enum {%s}]", n.name, strings.Join(append(record, "values: ["+strings.Join(t.enum, ", ")+"]"), ", "))
	case t.kind == "union":
		return m.union(n, t, record)
	case t.kind == "object" && len(t.fields) > 0:
		record = append(record, pairs(t.attrs, ": ")...)
		if t.closed {
			record = append(record, "closed: true")
		}
		if len(t.fields) > 0 && m.below(2) == 1 && declarable(t.fields) {
			return fmt.Sprintf("[%s:Type {%s}]", n.name, strings.Join(append(record, m.declared(t.fields)...), ", "))
		}
		elements := make([]string, len(t.fields))
		for i, f := range t.fields {
			elements[i] = m.node(f, "")
		}
		return fmt.Sprintf("[%s:Type {%s} | %s]", n.name, strings.Join(record, ", "), strings.Join(elements, ", "))
	case m.below(2) == 1:
		return fmt.Sprintf("[%s:Type {%s} | (::`%s`)]", n.name, strings.Join(record, ", "), plain.expression())
	}
	label, rest := m.label(&plain)
	return fmt.Sprintf("[%s:Type {%s} | (::%s)]", n.name, strings.Join(append(record, rest...), ", "), label)
}

func (m *typeMaker) union(n *namedModel, t *typeModel, record []string) string {
	record = append(record, pairs(t.attrs, ": ")...)
	if t.tags {
		record = append(record, "discriminator: kind")
	}
	if m.below(2) == 1 {
		record = append(record, "exclusive: true")
	}
	elements := make([]string, len(t.either))
	for i, u := range t.either {
		elements[i] = "(::`" + u.expression() + "`)"
	}
	return fmt.Sprintf("[%s:Union {%s} | %s]", n.name, strings.Join(record, ", "), strings.Join(elements, ", "))
}

func name(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r == ' ' || r > 127 }) {
		return "`" + text + "`"
	}
	return text
}

// node returns a parameter, or a field of a named type.
func (m *typeMaker) node(f *fieldModel, more string) string {
	label, record := m.label(f.typ)
	switch {
	case f.fallback != "":
		record = append(record, f.typ.defaultText(f.fallback))
	case f.optional:
		record = append(record, "optional: true")
	}
	if more != "" {
		record = append(record, more)
	}
	return fmt.Sprintf("(%s::%s {%s})", name(f.name), label, strings.Join(record, ", "))
}

// isText reports whether t is of text, whatever it is called.
func (t *typeModel) isText() bool { return t.resolved().kind == "text" }

// isAny reports whether t is of anything, whatever it is called.
func (t *typeModel) isAny() bool { return t.resolved().kind == "any" }

// resolved returns t behind its names.
func (t *typeModel) resolved() *typeModel {
	for t.kind == "name" {
		t = t.name.typ
	}
	return t
}

// defaultText returns a default as a property. Tagged text is text for a type
// of text, so that JSON is written there as gram.
func (t *typeModel) defaultText(value string) string {
	if t.isText() {
		return "default: " + value
	}
	return "default: json`" + value + "`"
}

// label returns the label of a node and what its record says of the type.
func (m *typeMaker) label(t *typeModel) (label string, record []string) {
	word := map[string]string{
		"text": "Text", "int": "Int", "number": "Number", "bool": "Bool", "null": "Null", "any": "Any",
		"array": "Array", "map": "Map", "object": "Object",
	}[t.kind]
	if t.kind == "name" {
		word = t.name.name
	}
	if word == "" || m.below(3) == 0 || t.kind == "object" && !declarable(t.fields) {
		return "`" + t.expression() + "`", nil
	}
	record = pairs(t.attrs, ": ")
	if t.nullable {
		record = append(record, "nullable: true")
	}
	if t.elem != nil {
		record = append(record, "of:: type`"+t.elem.expression()+"`")
	}
	if t.closed {
		record = append(record, "closed: true")
	}
	return word, append(record, m.declared(t.fields)...)
}

// declarable reports whether fields can stand in a record.
func declarable(fields []*fieldModel) bool {
	return !slices.ContainsFunc(fields, func(f *fieldModel) bool {
		return f.name == "of" || f.name == "min" || f.name == "const" || f.name == "description"
	})
}

// declared returns fields as properties.
func (m *typeMaker) declared(fields []*fieldModel) []string {
	var list []string
	for _, f := range fields {
		if !f.optional && m.below(2) == 0 {
			list = append(list, fmt.Sprintf("%s:: type`%s`", name(f.name), f.typ.expression()))
			continue
		}
		record := []string{"type: \"" + strings.ReplaceAll(f.typ.expression(), `"`, `\"`) + "\""}
		switch {
		case f.fallback != "":
			record = append(record, f.typ.defaultText(f.fallback))
		case f.optional:
			record = append(record, "optional: true")
		}
		list = append(list, fmt.Sprintf("%s::{%s}", name(f.name), strings.Join(record, ", ")))
	}
	return list
}

func pairs(attrs []attr, sign string) []string {
	var list []string
	for _, a := range attrs {
		list = append(list, a.key+sign+a.value)
	}
	return list
}

// expression returns t as a type expression.
func (t *typeModel) expression() string {
	text := ""
	attrs := pairs(t.attrs, "=")
	switch t.kind {
	case "text":
		text = "Text"
	case "int":
		text = "Int"
	case "number":
		text = "Number"
	case "bool":
		text = "Bool"
	case "null":
		text = "Null"
	case "any":
		text = "Any"
	case "name":
		text = t.name.name
	case "array":
		text = "[" + t.elem.expression() + "]"
	case "map":
		text = "Map<" + t.elem.expression() + ">"
	case "union":
		var either []string
		for _, u := range t.either {
			either = append(either, u.expression())
		}
		text = "(" + strings.Join(either, " | ") + ")"
	case "object":
		text = t.record()
		if t.closed {
			attrs = append(attrs, "closed=true")
		}
	}
	if len(attrs) > 0 {
		text += "(" + strings.Join(attrs, ", ") + ")"
	}
	if t.nullable {
		text += "?"
	}
	return text
}

func (t *typeModel) record() string {
	var fields []string
	for _, f := range t.fields {
		mark, fallback := "", ""
		switch {
		case f.fallback != "":
			fallback = " = " + f.fallback
		case f.optional:
			mark = "?"
		}
		fields = append(fields, quoted(f.name)+mark+": "+f.typ.expression()+fallback)
	}
	return "{" + strings.Join(fields, ", ") + "}"
}
