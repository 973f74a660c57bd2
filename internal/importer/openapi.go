package importer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// components is the member of an OpenAPI document that holds what operations
// share.
const components = "components"

// An openAPI is an OpenAPI document whose operations are read.
type openAPI struct {
	*forms
	reader *reader
	common map[string]bool  // see notes
	other  *jsonschema.Node // the first member of an operation that is left out
}

// openAPI reads an OpenAPI document: each operation is a tool.
func (f *forms) openAPI(root *jsonschema.Node) {
	if !strings.HasPrefix(root.Get("openapi").Text(), "3.") {
		f.diags.Errorf(f.span(root), diag.CodeNoDefinition, "this OpenAPI document is not of version 3")
		return
	}
	paths := root.Get("paths")
	if !paths.Is(jsonschema.KindObject) {
		f.diags.Errorf(f.span(root), diag.CodeNoDefinition, "this OpenAPI document has no paths, and so no operations")
		return
	}
	o := &openAPI{forms: f, reader: newReader(f.notes(""), root), common: map[string]bool{}}
	f.service = o.service(root)
	o.reader.openAPI, o.reader.skipped = true, map[string]bool{}
	for _, p := range paths.Members {
		item := o.target(p.Value)
		if !item.Is(jsonschema.KindObject) {
			continue
		}
		for _, m := range item.Members {
			if isMethod(m.Key) && m.Value.Is(jsonschema.KindObject) {
				o.operation(p.Key, m, item.Get("parameters"))
			}
		}
	}
	if o.other != nil {
		f.diags.Infof(f.span(o.other), diag.CodeImportRewritten,
			"security, servers, callbacks and extensions of operations are left out, here and elsewhere: they do not describe arguments or results")
	}
}

func isMethod(key string) bool {
	return slices.Contains([]string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}, key)
}

// target returns what a reference leads to, or the node itself.
func (o *openAPI) target(n *jsonschema.Node) *jsonschema.Node {
	n, _ = o.reader.resolver.Follow(n)
	return n
}

// operation reads an operation.
func (o *openAPI) operation(path string, method jsonschema.Member, shared *jsonschema.Node) {
	op := method.Value
	d := &definition{whole: op, reader: o.reader, name: o.operationName(path, method), service: o.forms.service}
	if !o.selects(d.name, op.Get("tags")) {
		o.forms.skipped = true
		return
	}
	d.entry = &entry{method: strings.ToUpper(method.Key), path: path}
	d.notes = o.notes("the tool " + quote(d.name))
	d.notes.common = o.common
	d.description = given(op, "description")
	summary := given(op, "summary")
	if d.description == nil || d.description.Is(jsonschema.KindString) && strings.TrimSpace(d.description.Text()) == "" {
		d.description, summary = summary, nil
	}
	request := jsonschema.String(strings.ToUpper(method.Key) + " " + path)
	d.extra = []jsonschema.Member{{Key: "http", Value: request, Start: method.Start, End: method.End}}
	if summary != nil {
		d.extra = append(d.extra, jsonschema.NewMember("summary", summary))
	}
	for _, m := range op.Members {
		switch m.Key {
		case "deprecated":
			d.deprecated = m.Value.Is(jsonschema.KindTrue)
		case "tags":
			d.extra = append(d.extra, m)
		case "operationId", "description", "summary", "parameters", "requestBody", "responses":
		default:
			if o.other == nil {
				o.other = m.Value
			}
		}
	}
	a := &operationArguments{openAPI: o, notes: d.notes, op: op, entry: d.entry}
	a.parameters(op.Get("parameters"), shared)
	a.body(op.Get("requestBody"))
	d.input = a.schema()
	if len(a.in.members) > 0 {
		d.extra = append(d.extra, jsonschema.NewMember("in", a.in.node(op)))
	}
	d.output = o.result(op)
	o.found = append(o.found, d)
}

// maxToolName is how long the name of a tool is at most that is made of a path:
// what all providers take.
const maxToolName = 64

// operationName returns the name of an operation, or makes one of its method and
// its path: get_pets_petId. Where that is too long, the end of the path counts.
func (o *openAPI) operationName(path string, method jsonschema.Member) string {
	if name := method.Value.Get("operationId").Text(); name != "" {
		return name
	}
	words := strings.FieldsFunc(path, func(r rune) bool { return r > 'z' || r != '-' && !isNameByte(byte(r)) })
	for len(words) > 1 && len(method.Key)+len(strings.Join(words, "_")) >= maxToolName {
		words = words[1:]
	}
	name := strings.Join(append([]string{method.Key}, words...), "_")
	for i, first := 2, name; slices.ContainsFunc(o.found, func(d *definition) bool { return d.name == name }); i++ {
		name = first + "_" + strconv.Itoa(i)
	}
	return name
}

// contentSchema returns the schema of the JSON in a content object. If there is
// none, it is that of the first media type, which is returned too.
func contentSchema(content *jsonschema.Node) (schema *jsonschema.Node, other string) {
	if !content.Is(jsonschema.KindObject) || len(content.Members) == 0 {
		return nil, ""
	}
	i := slices.IndexFunc(content.Members, func(m jsonschema.Member) bool {
		media, _, _ := strings.Cut(m.Key, ";")
		media = strings.TrimSpace(media)
		return media == "application/json" || strings.HasSuffix(media, "+json") || media == "*/*"
	})
	if i >= 0 {
		return content.Members[i].Value.Get("schema"), ""
	}
	return content.Members[0].Value.Get("schema"), content.Members[0].Key
}

// result returns the schema of the first successful JSON response, nil if there
// is none.
func (o *openAPI) result(op *jsonschema.Node) *jsonschema.Node {
	responses := op.Get("responses")
	if responses == nil {
		return nil
	}
	for _, m := range responses.Members {
		schema, other := contentSchema(o.target(m.Value).Get("content"))
		if strings.HasPrefix(m.Key, "2") && schema != nil && other == "" {
			return schema
		}
	}
	return nil
}

// Operation arguments are the arguments of an operation while they are
// collected.
type operationArguments struct {
	*openAPI
	*notes
	op         *jsonschema.Node
	entry      *entry
	properties object
	in         object // the part of the request that each argument goes to
	required   []*jsonschema.Node
	closed     *jsonschema.Node // additionalProperties of the body
}

// add adds an argument, and the part of the request that it goes to.
func (a *operationArguments) add(m jsonschema.Member, required bool, in string) {
	a.properties.add(m)
	a.in.add(jsonschema.NewMember(m.Key, jsonschema.String(in)))
	if required {
		a.required = append(a.required, jsonschema.String(m.Key).At(int(m.Start), int(m.End)))
	}
}

// parameters adds the parameters of an operation, and those of its path that
// it does not override.
func (a *operationArguments) parameters(own, shared *jsonschema.Node) {
	seen := map[[2]string]bool{}
	for _, list := range []*jsonschema.Node{own, shared} {
		if !list.Is(jsonschema.KindArray) {
			continue
		}
		for _, item := range list.Items {
			p := a.target(item)
			name, in := p.Get("name"), p.Get("in")
			if !name.Is(jsonschema.KindString) || !in.Is(jsonschema.KindString) {
				a.lost(a.span(item), nil, "a parameter needs a name and in")
				continue
			}
			if key := [2]string{name.Text(), in.Text()}; !seen[key] {
				seen[key] = true
				a.parameter(item, p, name.Text(), in.Text())
			}
		}
	}
}

// parameter adds a parameter p, which item is or leads to.
func (a *operationArguments) parameter(item, p *jsonschema.Node, name, in string) {
	required := p.Get("required").Is(jsonschema.KindTrue)
	if a.options.Library && (in == "header" || in == "cookie") {
		a.header(item, name, in, required)
		return
	}
	m := jsonschema.Member{Key: name, Value: parameterSchema(p), Start: item.Start, End: item.End}
	if a.properties.find(m.Key) >= 0 {
		m.Key = in + "_" + name
		a.assumed(a.span(item), nil, "there are two parameters %s; the one in the %s becomes %s", quote(name), in, quote(m.Key))
	}
	if a.properties.find(m.Key) >= 0 {
		a.lost(a.span(item), nil, "there is one more parameter %s", quote(name))
		return
	}
	a.add(m, required, in)
	hasBody := a.op.Get("requestBody") != nil || a.entry.hasBody()
	switch {
	case in == "path":
		a.entry.renamed = append(a.entry.renamed, placed{name, m.Key})
	case hasBody || m.Key != name:
		a.entry.query = append(a.entry.query, placed{name, m.Key})
	}
	if p.Get("x-multi-segment").Is(jsonschema.KindTrue) || in == "path" && p.Get("allowReserved").Is(jsonschema.KindTrue) {
		a.entry.slashes = append(a.entry.slashes, m.Key)
	}
}

// header leaves a parameter in a header to the library: one that is required comes
// from the environment, and others are not sent.
func (a *operationArguments) header(item *jsonschema.Node, name, in string, required bool) {
	switch strings.ToLower(name) {
	case "accept", "content-type", "authorization": // which OpenAPI ignores
		return
	}
	a.rewritten(a.span(item), nil, "the %s %s is not an argument: the library sends it, or nothing does", in, quote(name))
	switch {
	case !required:
	case in == "cookie":
		a.entry.problem = "it needs a cookie"
	default:
		word := strings.Map(func(r rune) rune {
			if r > 'z' || !isNameByte(byte(r)) {
				return '_'
			}
			return r
		}, strings.ToUpper(name))
		a.entry.headers = append(a.entry.headers, placed{name, "${" + a.forms.service.prefix + "_" + word + "}"})
	}
}

// hasBody reports whether the method of an operation sends a body.
func (e *entry) hasBody() bool { return e.method == "POST" || e.method == "PUT" || e.method == "PATCH" }

// parameterSchema returns the schema of a parameter, with what else the
// parameter says about it.
func parameterSchema(p *jsonschema.Node) *jsonschema.Node {
	schema := p.Get("schema")
	if schema == nil {
		schema, _ = contentSchema(p.Get("content"))
	}
	if !schema.Is(jsonschema.KindObject) {
		schema = moved(jsonschema.Object(), p)
	}
	hasExample := schema.Get("example") != nil || schema.Get("examples") != nil
	var own []jsonschema.Member
	for _, key := range []string{"description", "deprecated", "example"} {
		if i := p.Find(key); i >= 0 && (key != "example" || !hasExample) {
			own = append(own, p.Members[i])
		}
	}
	others := slices.DeleteFunc(slices.Clone(schema.Members), func(m jsonschema.Member) bool {
		return slices.ContainsFunc(own, func(o jsonschema.Member) bool { return o.Key == m.Key })
	})
	return moved(jsonschema.Object(append(own, others...)...), schema)
}

// body adds the fields of a request body, or the whole body as one argument.
func (a *operationArguments) body(n *jsonschema.Node) {
	body := a.target(n)
	schema, other := contentSchema(body.Get("content"))
	if schema == nil {
		if body != nil {
			a.lost(a.span(body), nil, "a request body without a schema")
		}
		return
	}
	a.entry.body = "json"
	switch {
	case strings.HasPrefix(other, "application/x-www-form-urlencoded"):
		a.entry.body = "form"
	case other != "":
		a.entry.problem = "its body is " + quote(other)
	case a.entry.method != "DELETE" && !a.entry.hasBody():
		a.entry.problem = "a " + a.entry.method + " has no body"
	}
	if other != "" && a.entry.body != "form" {
		a.assumed(a.span(body), nil, "the request body is %s and is read like JSON", quote(other))
	}
	required := body.Get("required").Is(jsonschema.KindTrue)
	object := a.target(schema)
	if object.Get("allOf").Is(jsonschema.KindArray) {
		if merged := a.reader.with(a.notes).merged(object, nil); merged.Get("allOf") == nil {
			object = merged
		}
	}
	if !a.spreads(object) {
		m := jsonschema.Member{Key: "body", Value: schema, Start: schema.Start, End: schema.End}
		for a.properties.find(m.Key) >= 0 {
			m.Key += "_"
		}
		a.add(m, required, "body")
		a.entry.whole = m.Key
		return
	}
	needed := map[string]bool{}
	for _, name := range object.ItemsOf("required") {
		needed[name.Text()] = true
	}
	for _, m := range object.Get("properties").Members {
		a.add(m, required && needed[m.Key], "body")
	}
	a.closed = object.Get("additionalProperties")
}

// spreads reports whether the fields of a body can be arguments beside the
// parameters: it is an object without other keywords, and all names are free.
func (a *operationArguments) spreads(object *jsonschema.Node) bool {
	properties := object.Get("properties")
	return properties.Is(jsonschema.KindObject) && !slices.ContainsFunc(object.Members, func(m jsonschema.Member) bool {
		switch m.Key {
		case "properties", "required", "title", "description", "example", "examples", "xml", "externalDocs":
			return false
		case "type":
			return m.Value.Text() != "object"
		case "additionalProperties":
			return !m.Value.IsBool()
		}
		return true
	}) && !slices.ContainsFunc(properties.Members, func(m jsonschema.Member) bool { return a.properties.find(m.Key) >= 0 })
}

// schema returns the schema of all arguments.
func (a *operationArguments) schema() *jsonschema.Node {
	whole := []jsonschema.Member{{Key: "type", Value: jsonschema.String("object")}, {Key: "properties", Value: a.properties.node(a.op)}}
	if len(a.required) > 0 {
		whole = append(whole, jsonschema.NewMember("required", jsonschema.Array(a.required...)))
	}
	if a.closed != nil {
		whole = append(whole, jsonschema.NewMember("additionalProperties", a.closed))
	}
	for i := range whole {
		whole[i].Start, whole[i].End = a.op.Start, a.op.End
	}
	return moved(jsonschema.Object(whole...), a.op)
}

// with returns the reader, which from now on reports to other notes.
func (r *reader) with(n *notes) *reader {
	r.notes = n
	return r
}
