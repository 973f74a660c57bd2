package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// Operation arguments are the arguments of an operation while they are
// collected.
type openAPIArguments struct {
	*openAPI
	*notes
	op         *jsonschema.Node
	entry      *openAPIEntry
	properties object
	in         object // the part of the request that each argument goes to
	required   []*jsonschema.Node
	closed     *jsonschema.Node // additionalProperties of the body
}

// add adds an argument, and the part of the request that it goes to.
func (a *openAPIArguments) add(m jsonschema.Member, required bool, in string) {
	a.properties.add(m)
	a.in.add(jsonschema.NewMember(m.Key, jsonschema.String(in)))
	if required {
		a.required = append(a.required, jsonschema.String(m.Key).At(int(m.Start), int(m.End)))
	}
}

// parameters adds the parameters of an operation, and those of its path that
// it does not override.
func (a *openAPIArguments) parameters(own, shared *jsonschema.Node) {
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
func (a *openAPIArguments) parameter(item, p *jsonschema.Node, name, in string) {
	required := p.Get("required").Is(jsonschema.KindTrue) || in == "path" // which OpenAPI requires
	if a.options.Library && (in == "cookie" || in == "header") && a.unsentHeader(item, p, name, in, required) {
		return
	}
	m := jsonschema.Member{Key: name, Value: openAPIParameterSchema(p), Start: item.Start, End: item.End}
	what := "the " + in + " parameter " + quoteText(name)
	if a.unsentStyle(item, what, a.parameterStyleProblem(p, m.Value, in), required) {
		return
	}
	if a.properties.find(m.Key) >= 0 {
		m.Key = in + "_" + name
		a.assumed(a.span(item), nil, "there are two parameters %s; the one in the %s becomes %s", quoteText(name), in, quoteText(m.Key))
	}
	if a.properties.find(m.Key) >= 0 {
		a.lost(a.span(item), nil, "there is one more parameter %s", quoteText(name))
		return
	}
	a.add(m, required, in)
	hasBody := a.op.Get("requestBody") != nil || a.entry.hasBody()
	switch {
	case in == "header":
		a.entry.given = append(a.entry.given, placed{name, m.Key})
	case in == "cookie":
		a.entry.cookies = append(a.entry.cookies, placed{name, "{" + m.Key + "}"})
		a.entry.checkName(m.Key)
	case in == "path":
		a.entry.renamed = append(a.entry.renamed, placed{name, m.Key})
	case hasBody || m.Key != name:
		a.entry.query = append(a.entry.query, placed{name, m.Key})
	}
	if in == "query" && isCommaList(p) && a.styleMayBe(m.Value, "array", 0) {
		a.entry.commas = append(a.entry.commas, name)
	}
	if p.Get("x-multi-segment").Is(jsonschema.KindTrue) || in == "path" && p.Get("allowReserved").Is(jsonschema.KindTrue) {
		a.entry.slashes = append(a.entry.slashes, m.Key)
	}
}

// openAPIParameterSchema returns the schema of a parameter, with what else the
// parameter says about it.
func openAPIParameterSchema(p *jsonschema.Node) *jsonschema.Node {
	schema := p.Get("schema")
	if schema == nil {
		schema, _ = openAPIContentSchema(p.Get("content"))
	}
	if !schema.Is(jsonschema.KindObject) {
		schema = objectMoved(jsonschema.Object(), p)
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
	return objectMoved(jsonschema.Object(append(own, others...)...), schema)
}

// body adds the fields of a request body, or the whole body as one argument.
func (a *openAPIArguments) body(n *jsonschema.Node) {
	body := a.target(n)
	schema, other := openAPIContentSchema(body.Get("content"))
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
		a.entry.fail("its body is " + quoteText(other))
	case a.entry.method != "DELETE" && !a.entry.hasBody():
		a.entry.fail("a " + a.entry.method + " has no body")
	}
	if other != "" && a.entry.body != "form" {
		a.assumed(a.span(body), nil, "the request body is %s and is read like JSON", quoteText(other))
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
		if a.entry.body == "form" {
			a.entry.fail("its form is not an object of fields")
		}
		return
	}
	needed := map[string]bool{}
	for _, name := range object.ItemsOf("required") {
		needed[name.Text()] = true
	}
	encodings := body.Get("content").Get(other).Get("encoding")
	for _, m := range object.Get("properties").Members {
		if needed[m.Key] && a.target(m.Value).Get("readOnly").Is(jsonschema.KindTrue) {
			a.rewritten(a.key(m), nil, "the field %s is readOnly, and so it is not required in a request", quoteText(m.Key))
			needed[m.Key] = false
		}
		if a.entry.body == "form" && a.unsentStyle(m.Value, "the field "+quoteText(m.Key)+" of the form", a.formStyleProblem(a.target(encodings.Get(m.Key)), m.Value), needed[m.Key]) {
			continue
		}
		if a.entry.body == "form" && isCommaList(a.target(encodings.Get(m.Key))) && a.styleMayBe(m.Value, "array", 0) {
			a.entry.commas = append(a.entry.commas, m.Key)
		}
		a.add(m, required && needed[m.Key], "body")
	}
	a.closed = object.Get("additionalProperties")
}

// spreads reports whether the fields of a body can be arguments beside the
// parameters: it is an object without other keywords, and all names are free.
func (a *openAPIArguments) spreads(object *jsonschema.Node) bool {
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
func (a *openAPIArguments) schema() *jsonschema.Node {
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
	return objectMoved(jsonschema.Object(whole...), a.op)
}
