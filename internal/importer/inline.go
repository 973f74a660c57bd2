package importer

import (
	"slices"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// An inliner replaces references with what they lead to.
type inliner struct {
	*schemaReader
	open    []*jsonschema.Node // the references that are being replaced
	schemas int
	problem string
}

// inlined returns a keyword with what it refers to in place of references, or
// why that is not possible.
func (r *schemaReader) inlined(m jsonschema.Member) (value *jsonschema.Node, problem string) {
	in := &inliner{schemaReader: r}
	value = in.keyword(m.Key, m.Value)
	return value, in.problem
}

func (in *inliner) keyword(key string, value *jsonschema.Node) *jsonschema.Node {
	each := func(_ int, _ string, part *jsonschema.Node) *jsonschema.Node { return in.schema(part) }
	switch k, _ := jsonschema.KeywordNamed(key); {
	case k.Form == jsonschema.FormSchemas, k.Form == jsonschema.FormSchemaMap, key == "items" && value.Is(jsonschema.KindArray):
		return value.Map(each)
	case k.Form == jsonschema.FormSchema:
		return in.schema(value)
	}
	return value
}

func (in *inliner) schema(n *jsonschema.Node) *jsonschema.Node {
	in.merges += 10 // what is inlined is written out, too
	if in.schemas++; in.schemas > maxInlined || in.merges > maxMerged {
		in.problem = "there are too many of them"
	}
	if in.problem != "" || !n.Is(jsonschema.KindObject) {
		return n
	}
	ref := n.Get("$ref")
	n = n.Map(func(_ int, key string, part *jsonschema.Node) *jsonschema.Node {
		switch key {
		case "$ref", "$defs", "definitions", "$id", "id", "$schema":
			return nil
		}
		return in.keyword(key, part)
	})
	if ref == nil {
		return n
	}
	target := in.resolveReference(ref)
	switch {
	case target == nil:
		in.problem = quoteText(ref.Text()) + " leads to nothing in this file"
		return n
	case slices.Contains(in.open, target):
		in.problem = "they have no end"
		return n
	}
	in.open = append(in.open, target)
	target = in.schema(target)
	in.open = in.open[:len(in.open)-1]
	if len(n.Members) == 0 {
		return target
	}
	all := n.Edit()
	all.Set("allOf", jsonschema.Array(append(slices.Clip(n.ItemsOf("allOf")), target)...))
	return jsonschema.Object(all.Members...)
}
