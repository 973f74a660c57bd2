package types

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/invopop/jsonschema"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// InputSchema returns the RawJSON Schema of the arguments: an object with one
// property for each parameter, in their order. Do not change its bytes.
func (s *Signature) InputSchema() json.RawMessage {
	if s.input == nil {
		return s.Arguments().Schema("")
	}
	return s.input
}

// OutputSchema returns the RawJSON Schema of the result. Do not change its
// bytes.
func (s *Signature) OutputSchema() json.RawMessage {
	if s.output == nil {
		return s.Return.Type.Schema(s.Return.Description)
	}
	return s.output
}

// Schema returns the RawJSON Schema of the type, with a description of its own
// where that is not empty. It does not go on beyond the limits.
func (t *Type) Schema(description string) json.RawMessage {
	w := &schemaWriter{b: make([]byte, 0, usualSchema)}
	w.root(t, description)
	return w.b
}

// TypeSignatureToJSONSchema returns the schema of the arguments of a signature
// as a model that can be changed. It marshals to the value of InputSchema. The
// arguments are its Properties; keywords other than type and description are
// RawJSON in the Extras of each model.
func TypeSignatureToJSONSchema(text string) (*jsonschema.Schema, error) {
	signature, problems := ParseTypeSignature(text)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	model := schemaModel(signature.InputSchema())
	delete(model.Extras, "properties")
	model.Properties = jsonschema.NewProperties()
	for _, p := range signature.Params {
		w := &schemaWriter{}
		w.typ(p.Type, p.Description, p.Default)
		model.Properties.Set(p.Name, schemaModel(w.b))
	}
	return model, nil
}

// schemaModel returns a model that marshals to a schema.
func schemaModel(schema []byte) *jsonschema.Schema {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(schema, &members); err != nil {
		panic("types: " + err.Error())
	}
	model := &jsonschema.Schema{Extras: make(map[string]any, len(members))}
	for name, value := range members {
		switch {
		case name == "type" && json.Unmarshal(value, &model.Type) == nil:
		case name == "description" && json.Unmarshal(value, &model.Description) == nil:
		default:
			model.Extras[name] = value
		}
	}
	return model
}

// A schemaWriter writes a schema. It is written by hand because what
// encoding/json makes of nested Marshalers takes time for each level, escapes
// <, > and &, and loses an empty list of required properties.
type schemaWriter struct {
	b     []byte
	parts int
	defs  []*TypeDef // those that were referred to, in this order
	known map[string]*TypeDef
	twin  *TypeDef // one of which $defs has the key already; nil = none
}

// usualSchema is a size that most schemas do not exceed.
const usualSchema = 256

// MaxParts is how many schemas a schema may be made of, at any depth.
const MaxParts = 4000

// schemaTooLarge reports whether a schema exceeds a limit. A small type may make a
// huge one, when it holds the same named types over and over.
func schemaTooLarge(schema []byte, parts int) bool {
	return parts > MaxParts || len(schema) > MaxProgram
}

// root writes the schema of t with the named types that it refers to.
func (w *schemaWriter) root(t *Type, description string) {
	w.typ(t, description, nil)
	if len(w.defs) == 0 {
		return
	}
	w.b = append(w.b[:len(w.b)-1], `,"$defs":{`...)
	for i := 0; i < len(w.defs); i++ { // a definition may refer to more of them
		w.key(w.defs[i].key())
		w.typ(w.defs[i].Type, "", nil)
	}
	w.b = append(w.b, "}}"...)
}

// typ writes the schema of t, as it is used with a description and a default.
func (w *schemaWriter) typ(t *Type, description string, value json.RawMessage) {
	if w.parts++; schemaTooLarge(w.b, w.parts) {
		w.b = append(w.b, "{}"...)
		return
	}
	for t.Def != nil && !t.Def.ByReference() && !t.Nullable && len(t.Keywords) == 0 {
		t = t.Def.Type // of which the use says no more
	}
	w.b = append(w.b, '{')
	switch ref := t.written(); {
	case ref.Def == nil:
		t = ref
		w.kind(t)
	case t.keyword("additionalProperties") == nil:
		t = ref
		w.reference(t)
	default: // a field that is not declared is one that the same schema does not declare
		t = t.expanded()
		w.kind(t)
	}
	w.keywords(t, description, true, value != nil)
	if t.Def == nil {
		w.structure(t)
	}
	w.keywords(t, "", false, value != nil)
	if value != nil {
		w.member(`"default":`)
		w.b = append(w.b, value...)
	}
	w.b = append(w.b, '}')
}

// comma writes a comma, but not before the first member or element.
func (w *schemaWriter) comma() {
	if last := w.b[len(w.b)-1]; last != '{' && last != '[' {
		w.b = append(w.b, ',')
	}
}

// key writes the key of the next member.
func (w *schemaWriter) key(name string) {
	w.comma()
	w.string(name)
	w.b = append(w.b, ':')
}

// member writes what the next member begins with.
func (w *schemaWriter) member(text string) {
	w.comma()
	w.b = append(w.b, text...)
}

func (w *schemaWriter) string(text string) { w.b = schemaString(w.b, text) }

// reference writes a $ref to a named type.
func (w *schemaWriter) reference(t *Type) {
	if w.known == nil {
		w.known = map[string]*TypeDef{}
	}
	key := t.Def.key()
	switch known := w.known[key]; {
	case known == nil:
		w.known[key] = t.Def
		w.defs = append(w.defs, t.Def)
	case known != t.Def && w.twin == nil:
		w.twin = t.Def
	}
	if t.Nullable {
		w.member(`"anyOf":`)
		w.b = append(w.b, "[{"...)
	}
	w.key("$ref")
	w.string("#/$defs/" + pointer.Replace(key))
	if t.Nullable {
		w.b = append(w.b, `},{"type":"null"}]`...)
	}
}

// pointer escapes a key for a RawJSON pointer in a URI.
var pointer = strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", " ", "%20", `"`, "%22", "<", "%3C", ">", "%3E")

// kind writes the type keyword.
func (w *schemaWriter) kind(t *Type) {
	switch {
	case t.Kind == KindAny:
	case t.Nullable && t.Kind != KindNull:
		w.member(`"type":["`)
		w.b = append(append(w.b, t.Kind...), `","null"]`...)
	default:
		w.member(`"type":"`)
		w.b = append(append(w.b, t.Kind...), '"')
	}
}

// keywords writes the keywords that stand before the structure, or behind it.
// A description or a default of the use takes the place of that of the type.
func (w *schemaWriter) keywords(t *Type, description string, before, ownDefault bool) {
	if description != "" {
		w.member(`"description":`)
		w.string(description)
	}
	for i := range t.Keywords {
		k := &t.Keywords[i]
		if schemaStandsBefore(k.Name) != before || k.Name == "description" && description != "" || k.Name == "default" && ownDefault {
			continue
		}
		name, value := t.schemaKeyword(k)
		w.key(name)
		w.b = append(w.b, value...)
	}
}

// schemaKeyword returns what a schema says for a keyword of t, where null may be
// one more value.
func (t *Type) schemaKeyword(k *Keyword) (name string, value json.RawMessage) {
	switch {
	case !t.isNullable():
	case k.Name == "const" && string(k.Value) != "null":
		return "enum", schemaWithNull(slices.Concat(json.RawMessage("["), k.Value, json.RawMessage("]")), "null")
	case k.Name == "enum":
		return k.Name, schemaWithNull(k.Value, "null")
	case k.Name == "type":
		return k.Name, schemaWithNull(k.Value, `"null"`)
	}
	return k.Name, k.Value
}

// schemaWithNull adds null to a list that lacks it.
func schemaWithNull(list json.RawMessage, null string) json.RawMessage {
	var values []json.RawMessage
	if err := json.Unmarshal(list, &values); err != nil {
		panic("compile: " + err.Error())
	}
	if slices.ContainsFunc(values, func(v json.RawMessage) bool { return string(v) == null }) {
		return list
	}
	return append(append(slices.Clone(list[:len(list)-1]), ','), null+"]"...)
}

// schemaStandsBefore reports whether a keyword stands before properties, items and
// alternatives, so that a reader sees first what is short.
func schemaStandsBefore(keyword string) bool {
	switch keyword {
	case "default", "examples", "deprecated", "readOnly", "writeOnly":
		return false
	}
	return true
}

// structure writes what a type is made of.
func (w *schemaWriter) structure(t *Type) {
	switch {
	case t.Kind == KindArray && t.Elem == nil && t.keyword("items") != nil:
	case t.Kind == KindArray && t.Elem == nil:
		w.member(`"items":`)
		w.b = append(w.b, "{}"...) // providers refuse an array without items
	case t.Kind == KindArray:
		w.member(`"items":`)
		w.typ(t.Elem, "", nil)
	case t.Fields != nil:
		w.fields(t.Fields)
	}
	if t.Rest != nil {
		w.member(`"additionalProperties":`)
		w.typ(t.Rest, "", nil)
	}
	if t.Union != nil {
		w.union(t)
	}
}

func (w *schemaWriter) union(t *Type) {
	name := "anyOf"
	if t.Exclusive {
		name = "oneOf"
	}
	w.key(name)
	w.b = append(w.b, '[')
	for _, u := range t.Union {
		w.comma()
		w.typ(u, "", nil)
	}
	if t.Nullable {
		w.b = append(w.b, `,{"type":"null"}`...)
	}
	w.b = append(w.b, ']')
}

func (w *schemaWriter) fields(fields []*Param) {
	w.member(`"properties":`)
	w.b = append(w.b, '{')
	for _, f := range fields {
		w.key(f.Name)
		w.typ(f.Type, f.Description, f.Default)
	}
	w.b = append(w.b, `},"required":[`...)
	for _, f := range fields {
		if !f.Optional {
			w.comma()
			w.string(f.Name)
		}
	}
	w.b = append(w.b, ']')
}

// schemaString appends text as a RawJSON string.
func schemaString(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return append(b, plainjson.String(text)...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// SchemaOf returns the schema of a type, or reports that it is too large. What
// belongs to a named type is written out wherever the type is used, so that all
// schemas of a file have a limit too. A dry compiler keeps no schema.
func (c *Checker) SchemaOf(t *Type, description string, place source.Span, what string) (schema json.RawMessage, fits bool) {
	if c.written > maxWritten {
		c.Diags.Errorf(place, diag.CodeTooLarge, "the schemas of this file take more than %d MiB up to here", maxWritten>>20)
		return nil, false
	}
	w := &schemaWriter{b: c.scratch[:0]}
	if !c.Dry || w.b == nil {
		w.b = make([]byte, 0, usualSchema)
	}
	w.root(t, description)
	c.scratch = w.b
	c.written += len(w.b)
	switch {
	case w.twin != nil:
		c.Diags.Errorf(place, diag.CodeDuplicateType, "two types of one schema are called %s in its $defs, one of them %s", report.Quote(w.twin.key()), report.Clip(w.twin.Name))
	case w.parts > MaxParts:
		c.Diags.Errorf(place, diag.CodeTooLarge, "the schema of %s has more than %d parts, with those of its types; providers take no more", what, MaxParts)
	case len(w.b) > MaxProgram:
		c.Diags.Errorf(place, diag.CodeTooLarge, "the schema of %s is larger than %d MiB", what, MaxProgram>>20)
	case c.Dry:
		return nil, true
	default:
		return w.b, true
	}
	return nil, false
}

// maxWritten is the size to which the schemas of one file may grow together.
const maxWritten = 4 * MaxProgram
