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
	reader *schemaReader
	common map[string]bool  // see notes
	names  map[string]bool  // of the operations before
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
	o := &openAPI{forms: f, reader: newSchemaReader(f.notes(""), root), common: map[string]bool{}, names: map[string]bool{}}
	f.service = o.service(root)
	o.reader.openAPI, o.reader.skipped = true, map[string]bool{}
	for _, p := range paths.Members {
		item := o.target(p.Value)
		if !item.Is(jsonschema.KindObject) {
			continue
		}
		for _, m := range item.Members {
			if isOpenAPIMethod(m.Key) && m.Value.Is(jsonschema.KindObject) {
				o.operation(p.Key, m, item.Get("parameters"))
			}
		}
	}
	if o.other != nil {
		f.diags.Infof(f.span(o.other), diag.CodeImportRewritten,
			"security, servers, callbacks and extensions of operations are left out, here and elsewhere: they do not describe arguments or results")
	}
}

func isOpenAPIMethod(key string) bool {
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
	d := &toolDefinition{whole: op, reader: o.reader, name: o.operationName(path, method), service: o.forms.service}
	if !o.selects(d.name, op.Get("tags")) {
		o.forms.skipped = true
		return
	}
	d.entry = &openAPIEntry{method: strings.ToUpper(method.Key), path: path}
	d.notes = o.notes("the tool " + quoteText(d.name))
	d.notes.common = o.common
	d.description = objectGiven(op, "description")
	summary := objectGiven(op, "summary")
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
	a := &openAPIArguments{openAPI: o, notes: d.notes, op: op, entry: d.entry}
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
// its path: get_pets_petId. Where that is too long, the end of the path counts. A
// second operation of one name gets its method behind it.
func (o *openAPI) operationName(path string, method jsonschema.Member) string {
	name := method.Value.Get("operationId").Text()
	given := name != ""
	if given && o.names[name] {
		name += "_" + method.Key
	} else if !given {
		words := strings.FieldsFunc(path, func(r rune) bool { return r > 'z' || r != '-' && !isServiceNameByte(byte(r)) })
		for len(words) > 1 && len(method.Key)+len(strings.Join(words, "_")) >= maxToolName {
			words = words[1:]
		}
		name = strings.Join(append([]string{method.Key}, words...), "_")
	}
	for i, first := 2, name; o.names[name]; i++ {
		name = first + "_" + strconv.Itoa(i)
	}
	o.names[name] = true
	if id := method.Value.Get("operationId"); given && name != id.Text() {
		o.diags.Infof(o.span(id), diag.CodeImportRewritten, "another operation has the operationId %s already; this one becomes %s", quoteText(id.Text()), quoteText(name))
	}
	return name
}

// openAPIContentSchema returns the schema of the JSON in a content object. If there is
// none, it is that of the first media type, which is returned too.
func openAPIContentSchema(content *jsonschema.Node) (schema *jsonschema.Node, other string) {
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
		schema, other := openAPIContentSchema(o.target(m.Value).Get("content"))
		if strings.HasPrefix(m.Key, "2") && schema != nil && other == "" {
			return schema
		}
	}
	return nil
}
