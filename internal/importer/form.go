package importer

import (
	"strings"

	"github.com/gram-lang/gramc/diag"
)

// read reads the text and returns the definitions in it.
func (im *importer) read() []*definition {
	r := &jsonReader{file: im.file, text: im.file.Text(), diags: &im.diags}
	r.pos = len(r.text) - len(strings.TrimPrefix(r.text, "\ufeff"))
	f := &forms{im: im}
	if isYAML(im.file.Name(), r.text) {
		if n, ok := readYAML(im.file, &im.diags); ok {
			f.top(n)
		}
		r.pos = len(r.text)
	}
	for values := 0; r.peek() != 0 || r.pos < len(r.text) || values == 0 && strings.TrimSpace(r.text) == ""; values++ {
		start := r.pos
		n, failed := r.value()
		if failed == nil {
			f.top(n)
			continue
		}
		im.diags.Errorf(failed.at, failed.code, "%s", failed.message)
		if !r.nextLine(start, failed.at.Start) {
			break
		}
	}
	if len(f.found) == 0 && !im.diags.HasErrors() {
		im.diags.Errorf(im.file.Span(0, 0), diag.CodeNoDefinition, "there is no definition of a tool in this file")
	}
	return f.found
}

// nextLine moves to the next line behind a mistake, and reports whether the
// text goes on there with another value: as JSON Lines, one value a line.
func (r *jsonReader) nextLine(start, failed int) bool {
	if strings.Contains(r.text[start:failed], "\n") {
		return false
	}
	n := strings.IndexByte(r.text[failed:], '\n')
	if n < 0 {
		return false
	}
	r.pos, r.depth = failed+n+1, 0
	return r.pos < len(r.text) && (r.text[r.pos] == '{' || r.text[r.pos] == '[')
}

// A forms finds definitions in the forms in which they are written.
type forms struct {
	im    *importer
	found []*definition
}

// top reads a whole JSON value.
func (f *forms) top(n *node) {
	switch {
	case n.kind == kindArray:
		f.list(n)
	case n.kind != kindObject:
		f.unknown(n)
	case n.get("openapi") != nil || n.get("swagger") != nil:
		f.openAPI(n)
	case n.get("result").is(kindObject): // a JSON-RPC response
		f.top(n.get("result"))
	case n.get("tools").is(kindArray):
		f.list(n.get("tools"))
	case n.get("functions").is(kindArray):
		f.list(n.get("functions"))
	default:
		f.one(n)
	}
}

func (f *forms) list(n *node) {
	for _, item := range n.items {
		f.one(item)
	}
}

func (f *forms) unknown(n *node) {
	f.im.diags.Errorf(n.span, diag.CodeNoDefinition,
		"this is no definition of a tool; one is an object with a name and a schema, such as parameters or inputSchema")
}

// one reads one definition, or something that holds some.
func (f *forms) one(n *node) {
	if n.kind != kindObject {
		f.unknown(n)
		return
	}
	for _, key := range []string{"functionDeclarations", "function_declarations"} {
		if list := n.get(key); list.is(kindArray) {
			f.list(list)
			return
		}
	}
	if inner := n.get("function"); inner.is(kindObject) {
		f.definition(inner, n, "function")
		return
	}
	if inner := n.get("toolSpec"); inner.is(kindObject) {
		f.definition(inner, n, "toolSpec")
		return
	}
	f.definition(n, nil, "")
}

// definition reads a definition. What stands around it, in a member of outer,
// counts as well.
func (f *forms) definition(n, outer *node, inner string) {
	d := &definition{whole: n}
	d.notes = &notes{diags: &f.im.diags}
	name := n.get("name")
	if name == nil && n.get("properties") != nil { // a schema with a title
		name = n.get("title")
	}
	if !name.is(kindString) || name.text == "" {
		what := "this definition has no name"
		if t := n.get("type"); t.is(kindString) && name == nil {
			what = "a tool of the type " + quote(t.text) + " has no schema of its own"
		}
		f.im.diags.Errorf(n.span, diag.CodeNoDefinition, "%s; it is left out", what)
		return
	}
	d.name = name.text
	d.notes.tool = "the tool " + quote(d.name)
	if n.get("name") == nil {
		d.input, d.description = n, n.get("description")
		f.found = append(f.found, d)
		return
	}
	for i := range n.members {
		f.member(d, &n.members[i])
	}
	if outer != nil {
		for i := range outer.members {
			if m := outer.members[i]; m.key != inner {
				f.member(d, &m)
			}
		}
	}
	if d.input == nil {
		if t := n.given("type"); t.is(kindString) && t.text != "function" && t.text != "custom" {
			f.im.diags.Errorf(n.span, diag.CodeNoDefinition, "a tool of the type %s has no schema of its own; it is left out", quote(t.text))
			return
		}
		d.input = &node{kind: kindObject, span: n.span}
	}
	f.found = append(f.found, d)
}

// member reads a member of a definition.
func (f *forms) member(d *definition, m *member) {
	null := m.value.kind == kindNull
	switch m.key {
	case "name":
	case "description":
		if !null && m.value.kind != kindString {
			d.notes.lost(m.span, (*place)(nil).key(m.key), "a description is a text")
		}
		d.description = m.value
	case "parameters", "inputSchema", "input_schema", "parametersJsonSchema", "parameters_json_schema", "args_schema":
		f.schema(d, &d.input, m)
	case "args":
		f.arguments(d, m)
	case "outputSchema", "output_schema", "response", "responseJsonSchema", "returns":
		f.schema(d, &d.output, m)
	case "strict":
		if m.value.kind == kindBool {
			d.strict = m.value
		} else if !null {
			d.extra = append(d.extra, *m)
		}
	case "type":
		if !m.value.is(kindString) || m.value.text != "function" && m.value.text != "custom" {
			d.extra = append(d.extra, *m)
		}
	default:
		if !null {
			d.extra = append(d.extra, *m)
		}
	}
}

// schema takes the schema of the arguments, or of the result.
func (f *forms) schema(d *definition, to **node, m *member) {
	v := m.value
	if inner := v.get("json"); inner.is(kindObject) && len(v.members) == 1 {
		v = inner
	}
	switch {
	case v.kind == kindNull:
	case *to != nil:
		d.notes.lost(m.span, (*place)(nil).key(m.key), "%s is a second schema", quote(m.key))
	case v.kind != kindObject:
		d.notes.lost(m.span, (*place)(nil).key(m.key), "%s must be a schema", quote(m.key))
	default:
		*to = v
	}
}

// arguments takes the properties of the arguments without a schema around
// them.
func (f *forms) arguments(d *definition, m *member) {
	if m.value.kind != kindObject || d.input != nil {
		d.extra = append(d.extra, *m)
		return
	}
	d.input = &node{kind: kindObject, span: m.value.span}
	d.input.add(member{"type", &node{kind: kindString, text: "object", span: m.span}, m.span})
	d.input.add(member{"properties", m.value, m.span})
}
