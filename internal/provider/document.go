package provider

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonpointer"
)

// A document is a schema with the parts of it that references lead to.
type document struct {
	tree  *node
	refs  map[string]*node // nil for a reference that leads nowhere
	nulls map[*node]bool   // whether a schema behind a reference takes null
}

func newDocument(tree *node) *document {
	return &document{tree: tree, refs: map[string]*node{}, nulls: map[*node]bool{}}
}

// resolve returns the schema that a reference stands for, or nil.
func (d *document) resolve(ref string) *node {
	if n, known := d.refs[ref]; known {
		return n
	}
	n := d.tree
	for p := placeOf(ref); n != nil && p != nil; {
		var steps []string
		for ; p != nil; p = p.up {
			steps = append(steps, p.step)
		}
		for _, step := range slices.Backward(steps) {
			if n != nil {
				n = n.at(step)
			}
		}
	}
	if !strings.HasPrefix(ref, "#") {
		n = nil
	}
	d.refs[ref] = n
	return n
}

// placeOf returns the place that a reference such as #/$defs/Name names.
func placeOf(ref string) *place {
	path, _ := strings.CutPrefix(ref, "#")
	if path == "" {
		return nil
	}
	var at *place
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if plain, err := url.PathUnescape(step); err == nil {
			step = plain
		}
		at = at.key(jsonpointer.Key(step))
	}
	return at
}

func (n *node) at(step string) *node {
	if n.kind == '[' {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.items) {
			return n.items[i]
		}
		return nil
	}
	return n.get(step)
}

// takesNull reports whether null fits a schema.
func (d *document) takesNull(n *node) bool {
	if n.kind != '{' {
		return n.kind == 't'
	}
	if types := typesOf(n); types != nil && !slices.Contains(types, "null") {
		return false
	}
	if enum := n.get("enum"); enum != nil && !slices.ContainsFunc(enum.items, isNull) {
		return false
	}
	if value := n.get("const"); value != nil && !isNull(value) {
		return false
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if either := n.get(keyword); either != nil && !slices.ContainsFunc(either.items, d.takesNull) {
			return false
		}
	}
	if ref := n.get("$ref"); ref != nil {
		return d.refTakesNull(d.resolve(ref.text()))
	}
	return true
}

// refTakesNull is takesNull for a schema that may lead back to itself.
func (d *document) refTakesNull(n *node) bool {
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

func isNull(n *node) bool { return n.kind == 'n' }

var jsonTypes = [...]string{"string", "integer", "number", "boolean", "array", "object", "null"}

// typesOf returns the types that a schema names; nil if it names none.
func typesOf(n *node) []string {
	t := n.get("type")
	if t == nil {
		return nil
	}
	if t.kind == '"' {
		return []string{t.text()}
	}
	types := []string{}
	for _, item := range t.items {
		types = append(types, item.text())
	}
	return types
}

// guessTypes returns the types of a schema: those that it names, or else those
// that its values or keywords are for; nil if nothing tells.
func guessTypes(n *node) []string {
	if types := typesOf(n); types != nil {
		return types
	}
	if value := n.get("const"); value != nil {
		return []string{typeOfValue(value)}
	}
	if enum := n.get("enum"); enum != nil {
		var types []string
		for _, value := range enum.items {
			if t := typeOfValue(value); !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
		if slices.Contains(types, "number") { // takes integers as well
			types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
		}
		return types
	}
	for _, m := range n.members {
		if types := typesFor(m.key); types != nil {
			return types
		}
	}
	return nil
}

func typeOfValue(n *node) string {
	switch n.kind {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	if bytes.ContainsAny(n.raw, ".eE") {
		return "number"
	}
	return "integer"
}

// typesFor returns the types that a keyword is a limit of; nil for those that
// are for every type.
func typesFor(keyword string) []string {
	switch keyword {
	case "properties", "required", "additionalProperties", "minProperties", "maxProperties":
		return []string{"object"}
	case "items", "minItems", "maxItems", "uniqueItems":
		return []string{"array"}
	case "minLength", "maxLength", "pattern", "format":
		return []string{"string"}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return []string{"number"}
	}
	return nil
}

// compact returns the text of n without space between its parts.
func compact(n *node) (string, error) {
	var b bytes.Buffer
	err := json.Compact(&b, n.append(nil))
	return b.String(), err
}
