package provider

import (
	"errors"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// parseSchema reads a JSON text without duplicate keys; why is what is wrong with it.
func parseSchema(text []byte) (root *jsonschema.Node, why string) {
	root, err := jsonschema.Read(text, &jsonschema.ReadOptions{
		Accept: func(d jsonschema.Defect) bool { return d.Kind == jsonschema.LoneSurrogate },
	})
	var syntax *jsonschema.SyntaxError
	switch {
	case err == nil:
		return root, ""
	case errors.As(err, &syntax) && syntax.Defect == jsonschema.DuplicateKey:
		return nil, syntax.Message
	}
	return nil, "the schema is not JSON"
}

// A schemaDocument is a schema whose references can be resolved.
type schemaDocument struct {
	*jsonschema.Resolver
	nulls map[*jsonschema.Node]bool // whether a schema behind a reference takes null
}

func newSchemaDocument(root *jsonschema.Node) *schemaDocument {
	return &schemaDocument{jsonschema.NewResolver(root), map[*jsonschema.Node]bool{}}
}

// resolve returns the target of the $ref of a schema, or nil.
func (d *schemaDocument) resolve(schema *jsonschema.Node) *jsonschema.Node {
	to, _ := d.Resolve(schema.Get("$ref").Text())
	return to
}

// takesNull reports whether null fits a schema.
func (d *schemaDocument) takesNull(n *jsonschema.Node) bool {
	if n.Kind != jsonschema.KindObject {
		return n.Kind == jsonschema.KindTrue
	}
	if types := n.TypeList(); types != nil && !slices.Contains(types, "null") {
		return false
	}
	if enum := n.Get("enum"); enum != nil && !slices.ContainsFunc(enum.Items, isNullSchema) {
		return false
	}
	if value := n.Get("const"); value != nil && !isNullSchema(value) {
		return false
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if either := n.Get(keyword); either != nil && !slices.ContainsFunc(either.Items, d.takesNull) {
			return false
		}
	}
	return n.Get("$ref") == nil || d.refTakesNull(d.resolve(n))
}

// refTakesNull is takesNull for a schema that can lead back to itself.
func (d *schemaDocument) refTakesNull(n *jsonschema.Node) bool {
	if n == nil {
		return false
	}
	takes, known := d.nulls[n]
	if !known {
		d.nulls[n] = false // while we look
		takes = d.takesNull(n)
		d.nulls[n] = takes
	}
	return takes
}

func isNullSchema(n *jsonschema.Node) bool { return n.Kind == jsonschema.KindNull }

// guessSchemaTypes returns the types of a schema: those that it names, or else those of
// its values or keywords; nil if unknown.
func guessSchemaTypes(n *jsonschema.Node) []string {
	if types := n.TypeList(); types != nil {
		return types
	}
	if value := n.Get("const"); value != nil {
		return []string{schemaTypeOf(value)}
	}
	if enum := n.Get("enum"); enum != nil {
		var types []string
		for _, value := range enum.Items {
			if t := schemaTypeOf(value); !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
		if slices.Contains(types, "number") { // takes integers as well
			types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
		}
		return types
	}
	for _, m := range n.Members {
		if types := limitedSchemaTypes(m.Key); types != 0 {
			return types.Names()
		}
	}
	return nil
}

// schemaTypeOf returns the type of a value as it is written: 1.0 is a number.
func schemaTypeOf(n *jsonschema.Node) string {
	if n.Kind == jsonschema.KindNumber && strings.ContainsAny(n.Raw(), ".eE") {
		return "number"
	}
	return n.TypeOf().String()
}

// limitedSchemaTypes returns the one type that a keyword limits, 0 for those that limit
// every type or none, and for rare ones, which providers do not take.
func limitedSchemaTypes(keyword string) jsonschema.Types {
	k, _ := jsonschema.KeywordNamed(keyword)
	rare := k.Group != "" || k.Form == jsonschema.FormTextsMap || k.Name == "dependencies"
	if k.HasSchemas() {
		rare = k.Name != "properties" && k.Name != "additionalProperties" && k.Name != "items"
	}
	if k.Role != jsonschema.Assertion || k.On == jsonschema.AnyType || rare {
		return 0
	}
	return k.On
}
