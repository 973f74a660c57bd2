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
			f.definition(inner, objectWithout(n, key))
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
			what = "a tool of type " + quoteText(t.Text()) + " has no schema of its own"
		}
		f.diags.Errorf(f.span(n), diag.CodeNoDefinition, "%s; it is left out", what)
		return
	}
	if !f.selects(name.Text(), n.Get("tags")) {
		f.skipped = true
		return
	}
	d := &toolDefinition{whole: n, name: name.Text(), notes: f.notes("the tool " + quoteText(name.Text()))}
	if n.Get("name") == nil {
		d.input, d.description = n, n.Get("description")
		f.found = append(f.found, d)
		return
	}
	for _, m := range slices.Concat(n.Members, around) {
		d.member(m)
	}
	if d.input == nil {
		if t := objectGiven(n, "type"); t.Is(jsonschema.KindString) && !isFunctionForm(t) {
			f.diags.Errorf(f.span(n), diag.CodeNoDefinition, "a tool of type %s has no schema of its own; it is left out", quoteText(t.Text()))
			return
		}
		d.input = objectMoved(jsonschema.Object(), n)
	}
	f.found = append(f.found, d)
}

// isFunctionForm reports whether a type of tools is one with a schema.
func isFunctionForm(t *jsonschema.Node) bool { return t.Text() == "function" || t.Text() == "custom" }
