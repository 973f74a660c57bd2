package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/diag"
)

// components is the member of an OpenAPI document that holds what operations
// share.
const components = "components"

// A document is an OpenAPI document whose operations are read.
type document struct {
	*forms
	root   *node
	reader *reader
	left   *node // the first member of an operation that says nothing of its schema
}

// openAPI reads a document: each operation is a tool.
func (f *forms) openAPI(root *node) {
	version := root.get("openapi")
	if !version.is(kindString) || !strings.HasPrefix(version.text, "3.") {
		f.im.diags.Errorf(root.span, diag.CodeNoDefinition, "of OpenAPI, documents of version 3 are read; this is another")
		return
	}
	d := &document{forms: f, root: root, reader: newReader(&notes{diags: &f.im.diags}, root)}
	common := map[string]bool{}
	paths := root.get("paths")
	if !paths.is(kindObject) {
		f.im.diags.Errorf(root.span, diag.CodeNoDefinition, "this OpenAPI document has no paths, and so no operations")
		return
	}
	for _, p := range paths.members {
		item := d.target(p.value)
		if !item.is(kindObject) {
			continue
		}
		for _, m := range item.members {
			if isMethod(m.key) && m.value.is(kindObject) {
				d.operation(p.key, m, item.get("parameters"), common)
			}
		}
	}
	if d.left != nil {
		f.im.diags.Infof(d.left.span, diag.CodeImportRewritten, "security, servers, callbacks and extensions of operations are left out, here and elsewhere: they say nothing of arguments and results")
	}
}

func isMethod(key string) bool {
	return slices.Contains([]string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}, key)
}

// target returns what a reference leads to, or the node itself.
func (d *document) target(n *node) *node {
	const most = 100 // references to references
	for range most {
		ref := n.get("$ref")
		if ref == nil {
			return n
		}
		n = d.reader.resolve(ref)
	}
	return nil
}

// operation reads an operation.
func (d *document) operation(path string, method member, shared *node, common map[string]bool) {
	op := method.value
	def := &definition{whole: op, reader: d.reader, name: operationName(path, method.key)}
	if id := op.get("operationId"); id.is(kindString) && id.text != "" {
		def.name = id.text
	}
	def.notes = &notes{diags: &d.im.diags, tool: "the tool " + quote(def.name), common: common}
	def.description = op.given("description")
	summary := op.given("summary")
	if def.description == nil || def.description.is(kindString) && strings.TrimSpace(def.description.text) == "" {
		def.description, summary = summary, nil
	}
	http := &node{kind: kindString, text: strings.ToUpper(method.key) + " " + path, span: method.span}
	def.extra = []member{{"http", http, method.span}}
	if summary != nil {
		def.extra = append(def.extra, member{"summary", summary, summary.span})
	}
	for _, m := range op.members {
		switch m.key {
		case "deprecated":
			def.deprecated = m.value.is(kindBool) && m.value.text == "true"
		case "tags":
			def.extra = append(def.extra, m)
		case "operationId", "description", "summary", "parameters", "requestBody", "responses":
		default:
			if d.left == nil {
				d.left = m.value
			}
		}
	}
	a := &operationArguments{document: d, notes: def.notes, where: &node{kind: kindObject},
		properties: &node{kind: kindObject, span: op.span}, required: &node{kind: kindArray, span: op.span}}
	a.parameters(op.get("parameters"), shared)
	a.body(op.get("requestBody"))
	def.input = a.schema(op)
	if len(a.where.members) > 0 {
		def.extra = append(def.extra, member{"in", a.where, op.span})
	}
	def.output = d.result(op.get("responses"))
	d.found = append(d.found, def)
}

// operationName makes a name of a method and a path: get_pets_petId.
func operationName(path, method string) string {
	words := strings.FieldsFunc(path, func(r rune) bool {
		return !(r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z')
	})
	return strings.Join(append([]string{method}, words...), "_")
}

// jsonSchema returns the schema of the JSON in a content object, and the media
// type that stands for it where there is no JSON.
func (d *document) jsonSchema(content *node) (schema *node, other string) {
	if !content.is(kindObject) || len(content.members) == 0 {
		return nil, ""
	}
	for _, m := range content.members {
		media, _, _ := strings.Cut(m.key, ";")
		if media = strings.TrimSpace(media); media == "application/json" || strings.HasSuffix(media, "+json") || media == "*/*" {
			return m.value.get("schema"), ""
		}
	}
	first := content.members[0]
	return first.value.get("schema"), first.key
}

// result returns the schema of the first JSON response that tells of success.
func (d *document) result(responses *node) *node {
	if responses == nil {
		return nil
	}
	for _, m := range responses.members {
		if strings.HasPrefix(m.key, "2") {
			if schema, other := d.jsonSchema(d.target(m.value).get("content")); schema != nil && other == "" {
				return schema
			}
		}
	}
	return nil
}

// operationArguments are the arguments of an operation while they are
// collected.
type operationArguments struct {
	*document
	*notes
	properties *node
	required   *node
	closed     *node // additionalProperties of the body
	where      *node // in what part of the request each argument goes
}

// add adds an argument.
func (a *operationArguments) add(name string, span member, schema *node, required bool, in string) {
	a.properties.add(member{name, schema, span.span})
	a.where.add(member{name, &node{kind: kindString, text: in, span: span.span}, span.span})
	if required {
		a.required.items = append(a.required.items, &node{kind: kindString, text: name, span: span.span})
	}
}

// parameters adds the parameters of an operation, and those of its path that
// it does not say anew.
func (a *operationArguments) parameters(own, shared *node) {
	seen := map[[2]string]bool{}
	for _, list := range []*node{own, shared} {
		if !list.is(kindArray) {
			continue
		}
		for _, item := range list.items {
			p := a.target(item)
			name, in := p.get("name"), p.get("in")
			if !name.is(kindString) || !in.is(kindString) {
				a.lost(item.span, nil, "a parameter without name and in")
				continue
			}
			if key := [2]string{name.text, in.text}; seen[key] {
				continue
			} else {
				seen[key] = true
			}
			word := name.text
			if a.properties.find(word) >= 0 {
				word = in.text + "_" + word
				a.assumed(item.span, nil, "there are two parameters %s; the one in the %s becomes %s", quote(name.text), in.text, quote(word))
			}
			if a.properties.find(word) >= 0 {
				a.lost(item.span, nil, "one more parameter %s", quote(name.text))
				continue
			}
			required := p.get("required")
			a.add(word, member{span: item.span}, a.parameterSchema(p), required != nil && required.text == "true", in.text)
		}
	}
}

// parameterSchema returns the schema of a parameter, with what the parameter
// itself says of it.
func (a *operationArguments) parameterSchema(p *node) *node {
	schema := p.get("schema")
	if schema == nil {
		schema, _ = a.jsonSchema(p.get("content"))
	}
	whole := &node{kind: kindObject, span: p.span}
	for _, key := range []string{"description", "deprecated", "example"} {
		if i := p.find(key); i >= 0 && (key != "example" || schema.get("example") == nil && schema.get("examples") == nil) {
			whole.add(p.members[i])
		}
	}
	if schema.is(kindObject) {
		for _, m := range schema.members {
			if whole.find(m.key) < 0 {
				whole.add(m)
			}
		}
		whole.span = schema.span
	}
	return whole
}

// body adds the fields of a request body, or the whole body as one argument.
func (a *operationArguments) body(n *node) {
	body := a.target(n)
	schema, other := a.jsonSchema(body.get("content"))
	if schema == nil {
		if body != nil {
			a.lost(body.span, nil, "a request body without a schema")
		}
		return
	}
	if other != "" {
		a.assumed(body.span, nil, "the request body is %s and taken as if it were JSON", quote(other))
	}
	flag := body.get("required")
	required := flag != nil && flag.text == "true"
	object := a.target(schema)
	if object.get("allOf").is(kindArray) {
		if merged := a.reader.with(a.notes).merged(object, nil); merged.get("allOf") == nil {
			object = merged
		}
	}
	if !a.spreads(object) {
		name := "body"
		for a.properties.find(name) >= 0 {
			name += "_"
		}
		a.add(name, member{span: schema.span}, schema, required, "body")
		return
	}
	needed := map[string]bool{}
	if list := object.get("required"); list.is(kindArray) && required {
		for _, item := range list.items {
			needed[item.text] = true
		}
	}
	for _, m := range object.get("properties").members {
		a.add(m.key, m, m.value, needed[m.key], "body")
	}
	a.closed = object.get("additionalProperties")
}

// spreads reports whether the fields of a body can be arguments beside the
// parameters: it is an object that says nothing else, and no name occurs twice.
func (a *operationArguments) spreads(object *node) bool {
	properties := object.get("properties")
	if !properties.is(kindObject) {
		return false
	}
	for _, m := range object.members {
		switch m.key {
		case "properties", "required", "title", "description", "example", "examples", "xml", "externalDocs":
		case "type":
			if m.value.text != "object" {
				return false
			}
		case "additionalProperties":
			if m.value.kind != kindBool {
				return false
			}
		default:
			return false
		}
	}
	return !slices.ContainsFunc(properties.members, func(m member) bool { return a.properties.find(m.key) >= 0 })
}

// schema returns the schema of all arguments.
func (a *operationArguments) schema(op *node) *node {
	n := &node{kind: kindObject, span: op.span}
	n.add(member{"type", &node{kind: kindString, text: "object", span: op.span}, op.span})
	n.add(member{"properties", a.properties, op.span})
	if len(a.required.items) > 0 {
		n.add(member{"required", a.required, op.span})
	}
	if a.closed != nil {
		n.add(member{"additionalProperties", a.closed, op.span})
	}
	return n
}

// with returns the reader, which from now on tells what it finds for other
// notes.
func (r *reader) with(n *notes) *reader {
	r.notes, r.valued = n, false
	return r
}
