package offline

import (
	"slices"
	"strconv"

	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/runtime"
)

// flatten replaces $ref and allOf by what they stand for. It is a guess where
// keywords meet; the value is checked against the whole schema in the end.
func (b *argumentBuilder) flatten(s *jsonschema.Node) (*jsonschema.Node, bool) {
	if b.steps++; b.steps > maxSteps || s.Is(jsonschema.KindFalse) {
		return nil, false
	}
	parts := arrayKeyword(s, "allOf")
	if ref := s.Get("$ref"); ref != nil {
		target, _ := b.resolver.Resolve(ref.Text())
		parts = append(parts, target)
	}
	out := withoutKeywords(s, "$ref", "allOf")
	for _, part := range parts {
		flat, ok := b.flatten(part)
		if !ok {
			return nil, false
		}
		out = overlaySchemas(flat, out)
	}
	return out, true
}

// overlaySchemas returns a with the members of b on top. Objects are merged, and the
// required properties of both are required.
func overlaySchemas(a, b *jsonschema.Node) *jsonschema.Node {
	out := a.Edit()
	for _, m := range b.Members {
		before := a.Get(m.Key)
		switch {
		case before.Is(jsonschema.KindObject) && m.Value.Is(jsonschema.KindObject):
			m.Value = overlaySchemas(before, m.Value)
		case m.Key == "required":
			m.Value = jsonschema.Array(slices.Concat(arrayKeyword(a, m.Key), m.Value.Items)...)
		}
		out.Set(m.Key, m.Value)
	}
	return out.Node(a)
}

// withoutKeywords returns an object without some of its keys, and {} for other values.
func withoutKeywords(s *jsonschema.Node, keys ...string) *jsonschema.Node {
	if !s.Is(jsonschema.KindObject) {
		return jsonschema.Object()
	}
	out := s.Edit()
	out.Remove(keys...)
	return out.Node(s)
}

// arrayKeyword returns a copy of the array that a keyword has, nil if it has none.
func arrayKeyword(s *jsonschema.Node, keyword string) []*jsonschema.Node {
	if array := s.Get(keyword); array != nil {
		return slices.Clone(array.Items)
	}
	return nil
}

// intKeyword returns the value of a keyword such as minItems, or the other one where
// it is absent.
func intKeyword(s *jsonschema.Node, keyword string, otherwise int) int {
	if f, ok := numberKeyword(s, keyword); ok && 0 <= f && f <= 1<<30 {
		return int(f)
	}
	return otherwise
}

func numberKeyword(s *jsonschema.Node, keyword string) (float64, bool) {
	f, err := strconv.ParseFloat(s.Get(keyword).Raw(), 64)
	return f, err == nil
}

// fits returns a check of values against some keywords of s.
func (b *argumentBuilder) fits(s *jsonschema.Node, keywords ...string) func(*jsonschema.Node) bool {
	some := slices.DeleteFunc(s.Edit().Members, func(m jsonschema.Member) bool { return !slices.Contains(keywords, m.Key) })
	text := jsonschema.Object(some...).Raw()
	if b.checks[text] == nil {
		schema, err := runtime.CompileSchema([]byte(text))
		b.checks[text] = func(v *jsonschema.Node) bool { return err == nil && schema.Validate(v.Append(nil)) == nil }
	}
	return b.checks[text]
}
