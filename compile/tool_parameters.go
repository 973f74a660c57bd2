package compile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// This file writes as a signature what a tool says of its parameters in a property, as the
// JSON of other tools does: {parameters: {type: "object", properties: {id: {type: "string"}}}}.

// toolParametersKeys are what the property is called.
var toolParametersKeys = []string{"parameters", "params", "args", "arguments", "inputs", "input", "inputSchema", "input_schema"}

// toolParameters returns the property of a tool without signature that says what its parameters
// are, and the signature that it means; nil where there is none, or where gram would say less.
func toolParameters(t ast.Tool) (p *ast.Property, chain string) {
	if len(t.Elements) > 0 || t.Subject.Record == nil || len(t.Subject.Record.Properties) < 2 {
		return nil, ""
	}
	i := slices.IndexFunc(t.Subject.Record.Properties, func(p *ast.Property) bool { return slices.Contains(toolParametersKeys, p.Key.Text) })
	if i < 0 {
		return nil, ""
	}
	p = t.Subject.Record.Properties[i]
	fields, ok := schemaFields(p.Value)
	if !ok {
		return nil, ""
	}
	for _, f := range fields {
		if chain += "(" + ast.Print(ast.NewName(f.name)) + "::" + f.label + f.record() + ")==>"; f.label == "" {
			return nil, ""
		}
	}
	return p, cmp.Or(chain, "()==>") + "(::Any)"
}

// reportToolParameters reports that a tool has its parameters in a property.
func (c *compiler) reportToolParameters(t ast.Tool, what string, p *ast.Property, chain string) {
	d := c.Diags.Errorf(p.Key.Span(), diag.CodeMissingSignature, "%s has its parameters as a property; they are its signature, an element: | %s", what, report.Clip(chain))
	properties := t.Subject.Record.Properties
	remove := report.RemoveElement(properties, slices.Index(properties, p))
	if place := t.Subject.Span().Tail(); !place.IsZero() && !remove.IsZero() {
		d.Fixes = []diag.Fix{{Title: "write the signature", Edits: []diag.Edit{{Span: remove}, {Span: place, NewText: " | " + chain}}}}
	}
}

// A schemaField is a field that a schema declares.
type schemaField struct {
	name, label string // the type as a label
	attributes  []string
}

func (f *schemaField) record() string {
	if len(f.attributes) == 0 {
		return ""
	}
	return " {" + strings.Join(f.attributes, ", ") + "}"
}

// schemaFields reads the schema of an object, a map of names to types, or a list of fields
// with their names.
func schemaFields(v ast.Value) (fields []schemaField, ok bool) {
	if list, isList := v.(*ast.Array); isList {
		return schemaListFields(list)
	}
	schema := schemaRecord(v)
	if schema == nil {
		return nil, false
	}
	properties, required := schema, []string(nil)
	if typ := schema.Get("type"); typ != nil && len(schema.Properties) == 1 {
		word, _ := ast.WordOf(typ.Value)
		return nil, word == "object"
	}
	if declared := schema.Get("properties"); declared != nil {
		if properties = schemaRecord(declared.Value); properties == nil {
			return nil, false
		}
		required = []string{}
		for _, p := range schema.Properties {
			switch list, isList := p.Value.(*ast.Array); {
			case p.Key.Text == "required" && isList:
				for _, e := range list.Elements {
					name, _ := ast.WordOf(e)
					required = append(required, name)
				}
			case !slices.Contains([]string{"type", "properties", "additionalProperties", "$schema"}, p.Key.Text):
				return nil, false
			}
		}
	}
	for _, p := range properties.Properties {
		f := schemaField{name: p.Key.Text}
		if !f.read(p.Value) {
			return nil, false
		}
		if required != nil && !slices.Contains(required, f.name) && !slices.ContainsFunc(f.attributes, func(a string) bool { return strings.HasPrefix(a, "default: ") }) {
			f.attributes = slices.Insert(f.attributes, 0, "optional: true")
		}
		fields = append(fields, f)
	}
	return fields, true
}

// schemaListFields reads a list such as [{name: "id", type: "string"}].
func schemaListFields(list *ast.Array) (fields []schemaField, ok bool) {
	for _, e := range list.Elements {
		r, isRecord := e.(*ast.Record)
		if !isRecord || r.Get("name") == nil {
			return nil, false
		}
		var f schemaField
		f.name, _ = ast.WordOf(r.Get("name").Value)
		if f.name == "" || !f.read(r) {
			return nil, false
		}
		fields = append(fields, f)
	}
	return fields, true
}

// read reads the type of a field: a word, or a schema without types inside but for those of
// a list.
func (f *schemaField) read(v ast.Value) bool {
	if word, ok := ast.WordOf(v); ok {
		f.label = vocabulary.TypeOf(word)
		return f.label != ""
	}
	schema := schemaRecord(v)
	if schema == nil {
		return false
	}
	for _, p := range schema.Properties {
		switch key := p.Key.Text; {
		case key == "type":
			word, _ := ast.WordOf(p.Value)
			if f.label = vocabulary.TypeOf(word); f.label == "" {
				return false
			}
		case key == "name" && f.name != "":
		case key == "required":
			required, isBool := p.Value.(*ast.Bool)
			if !isBool {
				return false
			}
			if !required.Value {
				f.attributes = append(f.attributes, "optional: true")
			}
		case key == "items":
			var item schemaField
			if !item.read(p.Value) || len(item.attributes) > 0 {
				return false
			}
			f.attributes = append(f.attributes, "of:: "+item.label)
		default:
			attribute := schemaAttribute(key)
			if attribute == "" || p.Value == nil {
				return false
			}
			f.attributes = append(f.attributes, attribute+": "+ast.Print(p.Value))
		}
	}
	return f.label != ""
}

// schemaAttribute returns the attribute of a parameter that a keyword of JSON Schema is, "" for none.
func schemaAttribute(keyword string) string {
	if slices.Contains([]string{"required", "optional", "nullable", "of", "fields", "types", "schema", "additionalProperties"}, keyword) {
		return ""
	}
	for _, p := range vocabulary.Properties(vocabulary.OwnerParameter) {
		if p.Keyword == keyword {
			return p.Key
		}
	}
	return ""
}

// schemaRecord returns a map, which may be a text in JSON, nil for another value.
func schemaRecord(v ast.Value) *ast.Record {
	if tagged, ok := v.(*ast.Tagged); ok {
		v = types.LiteralJSON(tagged)
	}
	r, _ := v.(*ast.Record)
	return r
}
