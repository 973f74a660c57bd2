package importer

import (
	"slices"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// readForm reads the text and returns the definitions in it.
func (im *importer) readForm() []*toolDefinition {
	f := &forms{importer: im}
	if isYAML(im.file.Name(), im.file.Text()) {
		if n := im.yaml(); n != nil {
			f.top(n)
		}
	} else {
		im.jsonValues(f.top)
	}
	if len(f.found) == 0 && !im.diags.HasErrors() && len(im.unused) == 0 {
		im.diags.Errorf(im.file.Span(0, 0), diag.CodeNoDefinition, "%s", f.nothing())
	}
	return f.found
}

// nothing returns why no definition was found.
func (f *forms) nothing() string {
	if f.skipped {
		return "no tool of this file is chosen by name and tag"
	}
	return "this file has no tool definitions"
}

// A forms finds definitions in the forms in which they are written.
type forms struct {
	*importer
	found   []*toolDefinition
	skipped bool // there are definitions that are not to be imported
}

// top reads a whole JSON value.
func (f *forms) top(n *jsonschema.Node) {
	switch {
	case n.Kind == jsonschema.KindArray:
		f.list(n)
	case n.Kind != jsonschema.KindObject:
		f.unknown(n)
	case n.Get("openapi") != nil || n.Get("swagger") != nil:
		f.openAPI(n)
	case n.Get("result").Is(jsonschema.KindObject): // a JSON-RPC response
		f.top(n.Get("result"))
	case n.Get("tools").Is(jsonschema.KindArray):
		f.list(n.Get("tools"))
	case n.Get("functions").Is(jsonschema.KindArray):
		f.list(n.Get("functions"))
	default:
		f.one(n)
	}
}

func (f *forms) list(n *jsonschema.Node) {
	for _, item := range n.Items {
		f.one(item)
	}
}

func (f *forms) unknown(n *jsonschema.Node) {
	f.diags.Errorf(f.span(n), diag.CodeNoDefinition,
		"this is not a tool definition, which is an object with a name and a schema, such as parameters or inputSchema")
}

// one reads one definition, or an object with several.
func (f *forms) one(n *jsonschema.Node) {
	if n.Kind != jsonschema.KindObject {
		f.unknown(n)
		return
	}
	for _, key := range []string{"functionDeclarations", "function_declarations"} {
		if list := n.Get(key); list.Is(jsonschema.KindArray) {
			f.list(list)
			return
		}
	}
	for _, key := range []string{"function", "toolSpec"} {
		if inner := n.Get(key); inner.Is(jsonschema.KindObject) {
			f.definition(inner, without(n, key))
			return
		}
	}
	f.definition(n, nil)
}

// definition reads a definition. The members around it count as well.
func (f *forms) definition(n *jsonschema.Node, around []jsonschema.Member) {
	name := n.Get("name")
	if name == nil && n.Get("properties") != nil { // a schema with a title
		name = n.Get("title")
	}
	if name.Text() == "" {
		what := "this definition has no name"
		if t := n.Get("type"); t.Is(jsonschema.KindString) && name == nil {
			what = "a tool of type " + quote(t.Text()) + " has no schema of its own"
		}
		f.diags.Errorf(f.span(n), diag.CodeNoDefinition, "%s; it is left out", what)
		return
	}
	if !f.selects(name.Text(), n.Get("tags")) {
		f.skipped = true
		return
	}
	d := &toolDefinition{whole: n, name: name.Text(), notes: f.notes("the tool " + quote(name.Text()))}
	if n.Get("name") == nil {
		d.input, d.description = n, n.Get("description")
		f.found = append(f.found, d)
		return
	}
	for _, m := range slices.Concat(n.Members, around) {
		d.member(m)
	}
	if d.input == nil {
		if t := given(n, "type"); t.Is(jsonschema.KindString) && !isFunction(t) {
			f.diags.Errorf(f.span(n), diag.CodeNoDefinition, "a tool of type %s has no schema of its own; it is left out", quote(t.Text()))
			return
		}
		d.input = moved(jsonschema.Object(), n)
	}
	f.found = append(f.found, d)
}

// isFunction reports whether a type of tools is one with a schema.
func isFunction(t *jsonschema.Node) bool { return t.Text() == "function" || t.Text() == "custom" }

// member reads a member of a definition.
func (d *toolDefinition) member(m jsonschema.Member) {
	isExtra := false
	switch m.Key {
	case "name":
	case "description":
		if !m.Value.Is(jsonschema.KindNull) && !m.Value.Is(jsonschema.KindString) {
			d.notes.lost(d.notes.key(m), &jsonschema.Location{Token: m.Key}, "a description must be a string")
		}
		d.description = m.Value
	case "parameters", "inputSchema", "input_schema", "parametersJsonSchema", "parameters_json_schema", "args_schema":
		d.schema(&d.input, m)
	case "args": // the properties of the arguments without a schema around them
		if isExtra = !m.Value.Is(jsonschema.KindObject) || d.input != nil; !isExtra {
			d.input = moved(jsonschema.Object(
				jsonschema.NewMember("type", jsonschema.String("object").At(int(m.Start), int(m.End))),
				jsonschema.Member{Key: "properties", Value: m.Value, Start: m.Start, End: m.End},
			), m.Value)
		}
	case "outputSchema", "output_schema", "response", "responseJsonSchema", "returns":
		d.schema(&d.output, m)
	case "strict":
		if isExtra = !m.Value.IsBool(); !isExtra {
			d.strict = m.Value
		}
	case "type":
		isExtra = !isFunction(m.Value)
	default:
		isExtra = true
	}
	if isExtra && (m.Key == "args" || m.Key == "type" || !m.Value.Is(jsonschema.KindNull)) {
		d.extra = append(d.extra, m)
	}
}

// schema takes the schema of the arguments, or of the result.
func (d *toolDefinition) schema(to **jsonschema.Node, m jsonschema.Member) {
	v, at := m.Value, &jsonschema.Location{Token: m.Key}
	if inner := v.Get("json"); inner.Is(jsonschema.KindObject) && len(v.Members) == 1 {
		v = inner
	}
	switch {
	case v.Kind == jsonschema.KindNull:
	case *to != nil:
		d.notes.lost(d.notes.key(m), at, "%s is a second schema", quote(m.Key))
	case v.Kind != jsonschema.KindObject:
		d.notes.lost(d.notes.key(m), at, "%s must be a schema", quote(m.Key))
	default:
		*to = v
	}
}
