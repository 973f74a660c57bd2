package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// This file finds what an Http entry would send in another way than an OpenAPI
// document asks for. An entry writes text, numbers and booleans as they are, an array in a
// query or a form as one parameter for each item, and others with commas.

// parameterStyleProblem returns why an entry cannot send a parameter p in a path, a query or a
// header, "" when it can.
func (a *openAPIArguments) parameterStyleProblem(p, schema *jsonschema.Node, in string) string {
	style := p.Get("style").Text()
	isArray, isObject := a.styleMayBe(schema, "array", 0), a.styleMayBe(schema, "object", 0)
	switch {
	case in != "query" && isObject:
		return "it is an object"
	case in == "path" && style != "" && style != "simple":
		return "it has the style " + quoteText(style)
	case in == "cookie" && isArray && !isCommaList(p):
		return "it is an array with explode"
	case in != "query" && isArray && a.itemsMayNest(schema):
		return "it is an array of arrays or objects"
	case in != "query" && isArray && p.Get("schema") == nil && p.Get("content") != nil:
		return "it is an array in JSON"
	case in != "query":
		return ""
	case p.Get("schema") == nil && p.Get("content") != nil:
		if isArray {
			return "it is an array in JSON"
		}
		return ""
	}
	return a.formStyleProblem(p, schema)
}

// formStyleProblem returns why an entry cannot send a value in a query or a form, "" when
// it can. What says how to write it is a parameter or an encoding.
func (a *openAPIArguments) formStyleProblem(says, schema *jsonschema.Node) string {
	style := says.Get("style").Text()
	media := says.Get("contentType").Text()
	isJSON := media == "application/json" || strings.HasSuffix(media, "+json")
	switch isArray := a.styleMayBe(schema, "array", 0); {
	case a.styleMayBe(schema, "object", 0) && (!isJSON || isArray):
		if style == "" {
			return "it is an object"
		}
		return "it is an object of the style " + quoteText(style)
	case !isArray:
		return ""
	case isJSON:
		return "it is an array in JSON"
	case style != "" && style != "form":
		return "it is an array of the style " + quoteText(style)
	case a.itemsMayNest(schema):
		return "it is an array of arrays or objects"
	}
	return ""
}

// itemsMayNest reports whether the items of an array may be arrays or objects.
func (a *openAPIArguments) itemsMayNest(schema *jsonschema.Node) bool {
	items := a.target(schema).Get("items")
	return a.styleMayBe(items, "object", 0) || a.styleMayBe(items, "array", 0)
}

// isCommaList reports whether an array stands once in a query, a form or a cookie, with commas
// between its items. What says so is a parameter or an encoding.
func isCommaList(says *jsonschema.Node) bool { return says.Get("explode").Is(jsonschema.KindFalse) }

// styleMayBe reports whether a schema takes values of a type, as far as it says which.
func (a *openAPIArguments) styleMayBe(schema *jsonschema.Node, kind string, depth int) bool {
	if schema = a.target(schema); schema == nil || depth > maxNesting {
		return false
	}
	part := map[string]string{"array": "items", "object": "properties"}[kind]
	if given := schema.Get("type"); given != nil {
		return slices.Contains(schema.TypeList(), kind)
	} else if schema.Get(part) != nil {
		return true
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if slices.ContainsFunc(schema.ItemsOf(key), func(s *jsonschema.Node) bool { return a.styleMayBe(s, kind, depth+1) }) {
			return true
		}
	}
	return false
}

// unsentStyle deals with an argument that an entry cannot send: without a library it is
// one as any other. It reports whether the argument is left out.
func (a *openAPIArguments) unsentStyle(at *jsonschema.Node, what, problem string, required bool) bool {
	switch {
	case problem == "" || !a.options.Library:
	case required:
		a.entry.fail("it needs " + what + ", which such an entry cannot send: " + problem)
	default:
		a.assumed(a.span(at), nil, "%s is not an argument, and is not sent: an Http entry cannot write it, because %s", what, problem)
		return true
	}
	return false
}
