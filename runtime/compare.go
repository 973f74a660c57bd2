package runtime

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// EqualSchema reports whether two JSON Schemas say the same. The order of keys,
// of required fields and of enum values is free; a number may be written in
// several ways; an absent "required" or "properties" equals an empty one, and
// an absent "items" or "additionalProperties" equals one that allows
// everything; $schema, $id, title and description do not count.
func EqualSchema(a, b json.RawMessage) bool {
	return bytes.Equal(a, b) || len(DiffSchema(a, b)) == 0
}

// DiffSchema returns what [EqualSchema] finds different, one line for each
// place, such as `/properties/age/type: want "integer", have "string"`.
func DiffSchema(want, have json.RawMessage) []string {
	w, errWant := decodeSchema(want)
	h, errHave := decodeSchema(have)
	if errWant != nil || errHave != nil {
		return []string{fmt.Sprintf("not JSON: want %s, have %s", shorten(string(want)), shorten(string(have)))}
	}
	var d differ
	d.schema("", w, h)
	return d.lines
}

func decodeSchema(raw json.RawMessage) (any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(raw))
}

type differ struct{ lines []string }

func (d *differ) report(pointer string, want, have any) {
	d.lines = append(d.lines, fmt.Sprintf("%s: want %s, have %s",
		cmp.Or(pointer, "schema"), sketch(want), sketch(have)))
}

func sketch(v any) string {
	if v == nil {
		return "nothing"
	}
	return shorten(literal(v))
}

// schema compares two schemas keyword by keyword.
func (d *differ) schema(pointer string, want, have any) {
	w, wantIsObject := want.(map[string]any)
	h, haveIsObject := have.(map[string]any)
	if !wantIsObject || !haveIsObject {
		if !equalJSON(want, have) {
			d.report(pointer, want, have)
		}
		return
	}
	for _, keyword := range keysOf(w, h) {
		d.keyword(joinPointer(pointer, keyword), keyword, valueOf(w, keyword), valueOf(h, keyword))
	}
}

// jsonNull stands for a null that is written, which is not the same as a
// keyword that is absent.
type jsonNull struct{}

// MarshalJSON returns null.
func (jsonNull) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

func valueOf(schema map[string]any, keyword string) any {
	v, ok := schema[keyword]
	if ok && v == nil {
		return jsonNull{}
	}
	return v
}

// isNote reports whether a keyword says nothing of what a schema allows.
func isNote(keyword string) bool {
	switch keyword {
	case "$schema", "$id", "title", "description":
		return true
	}
	return false
}

func (d *differ) keyword(pointer, keyword string, want, have any) {
	if isNote(keyword) {
		return
	}
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		w, _ := want.(map[string]any)
		h, _ := have.(map[string]any)
		for _, name := range keysOf(w, h) {
			d.schema(joinPointer(pointer, name), w[name], h[name])
		}
	case "items", "additionalProperties":
		d.schema(pointer, unlessAnything(want), unlessAnything(have))
	case "not", "if", "then", "else", "contains", "propertyNames",
		"unevaluatedItems", "unevaluatedProperties":
		d.schema(pointer, want, have)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		d.schemas(pointer, want, have)
	case "required", "enum":
		if !equalSets(want, have) {
			d.report(pointer, want, have)
		}
	default:
		if !equalJSON(want, have) {
			d.report(pointer, want, have)
		}
	}
}

func (d *differ) schemas(pointer string, want, have any) {
	w, _ := want.([]any)
	h, _ := have.([]any)
	if len(w) != len(h) {
		d.report(pointer, want, have)
		return
	}
	for i := range w {
		d.schema(pointer+"/"+strconv.Itoa(i), w[i], h[i])
	}
}

// unlessAnything returns nil for a schema that allows everything.
func unlessAnything(schema any) any {
	switch s := schema.(type) {
	case bool:
		if s {
			return nil
		}
	case map[string]any:
		if len(s) == 0 {
			return nil
		}
	}
	return schema
}

func keysOf(a, b map[string]any) []string {
	keys := slices.AppendSeq(make([]string, 0, len(a)+len(b)), maps.Keys(a))
	keys = slices.AppendSeq(keys, maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

func equalSets(want, have any) bool {
	w, _ := want.([]any)
	h, _ := have.([]any)
	in := func(set []any) func(any) bool {
		return func(v any) bool {
			return !slices.ContainsFunc(set, func(o any) bool { return equalJSON(v, o) })
		}
	}
	return !slices.ContainsFunc(w, in(h)) && !slices.ContainsFunc(h, in(w))
}

// equalJSON compares decoded values; numbers by value.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, equalJSON)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equalJSON)
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || equalNumbers(a, b))
	}
	return a == b
}

func equalNumbers(a, b json.Number) bool {
	var c checker
	c.checkNumber([]byte(a), "")
	c.checkNumber([]byte(b), "")
	if len(c.problems) > 0 {
		return false // too long or too large to compute with
	}
	x, okX := new(big.Rat).SetString(a.String())
	y, okY := new(big.Rat).SetString(b.String())
	return okX && okY && x.Cmp(y) == 0
}
