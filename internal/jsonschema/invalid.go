package jsonschema

import (
	"strings"
)

// Invalid finds the first keyword in a schema, or in the schemas in it, that has
// no place there or whose value is not what wanted says; wanted is "" if there is
// none. References are invalid: the schema stands by itself.
func Invalid(schema *Node) (at *Location, wanted string) { return invalidSchema(schema, nil) }

func invalidSchema(schema *Node, at *Location) (*Location, string) {
	if !schema.Is(KindObject) {
		if schema.IsBool() {
			return nil, ""
		}
		return at, "a schema"
	}
	for _, m := range schema.Members {
		if where, wanted := invalidKeyword(m, at.Key(m.Key)); wanted != "" {
			return where, wanted
		}
	}
	return nil, ""
}

func invalidKeyword(m Member, at *Location) (*Location, string) {
	k, _ := KeywordNamed(m.Key)
	switch {
	case k.Role == Identity && k.Name != "$comment", strings.HasSuffix(strings.ToLower(k.Name), "ref") && k.Role == Assertion:
		return at, "no references and no parts with names"
	case k.Name == "items" && m.Value.Is(KindArray):
		k.Form = FormSchemas
	}
	if wanted := k.Wanted(m.Value); wanted != "" {
		return at, wanted
	}
	switch k.Form {
	case FormSchema:
		return invalidSchema(m.Value, at)
	case FormSchemas:
		for i, item := range m.Value.Items {
			if where, wanted := invalidSchema(item, at.Item(i)); wanted != "" {
				return where, wanted
			}
		}
	case FormSchemaMap:
		for _, inner := range m.Value.Members {
			if where, wanted := invalidSchema(inner.Value, at.Key(inner.Key)); wanted != "" {
				return where, wanted
			}
		}
	}
	return nil, ""
}
