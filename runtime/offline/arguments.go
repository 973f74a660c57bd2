package offline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/runtime"
)

// Schemas may be recursive: these limits end every search.
const (
	maxDepth = 12    // levels of objects, arrays and alternatives
	optional = 5     // levels at which optional properties are still filled
	maxSteps = 2_000 // schemas looked at in one attempt
	maxItems = 1_000 // elements of one array, properties of one object
)

// arguments makes arguments for schema from what the user said. They satisfy
// the schema, or there is an error.
func arguments(schema json.RawMessage, said messageWords) (json.RawMessage, error) {
	if len(bytes.TrimSpace(schema)) == 0 {
		return json.RawMessage(`{}`), nil
	}
	compiled, err := runtime.CompileSchema(schema)
	if err != nil {
		return nil, fmt.Errorf("its schema is broken: %w", err)
	}
	return buildValue(schema, said, compiled.ValidateArgs)
}

// buildOutput makes the output of an agent: the last result of a tool that fits
// schema, or else a value from what the user said.
func buildOutput(schema json.RawMessage, said messageWords, results []runtime.Message) (json.RawMessage, error) {
	compiled, err := runtime.CompileSchema(schema)
	if err != nil {
		return nil, fmt.Errorf("the output schema is broken: %w", err)
	}
	for _, result := range slices.Backward(results) {
		if value := json.RawMessage(result.Content); compiled.Validate(value) == nil {
			return value, nil
		}
	}
	return buildValue(schema, said, compiled.Validate)
}

// buildValue makes a value that passes valid, from the words of the user or without
// them, with each of the first alternatives in turn.
func buildValue(schema json.RawMessage, said messageWords, valid func(json.RawMessage) error) (json.RawMessage, error) {
	root, err := jsonschema.Read(schema, &jsonschema.ReadOptions{Accept: jsonschema.AcceptAll})
	if err != nil {
		return nil, err
	}
	checks := map[string]func(*jsonschema.Node) bool{}
	for _, said := range []messageWords{said, {}} {
		for alternative := range 3 {
			b := argumentBuilder{resolver: jsonschema.NewResolver(root), words: said, alternative: alternative, checks: checks}
			v, ok := b.value("", root, 0)
			if raw := json.RawMessage(v.json.Raw()); ok && valid(raw) == nil {
				return raw, nil
			}
		}
	}
	return nil, errors.New("the offline rules find no value for the schema")
}

// An argumentBuilder makes one value for one schema.
type argumentBuilder struct {
	resolver    *jsonschema.Resolver
	words       messageWords // what is left of them
	alternative int          // index of the alternative to try first
	nth         int          // index in the innermost array, for values that differ
	steps       int
	checks      map[string]func(*jsonschema.Node) bool // by schema, for fits
}

// A value is JSON, and whether the user's words gave it.
type value struct {
	json   *jsonschema.Node
	spoken bool
}

// value makes a value for the property name with this schema, nil for any. A
// default replaces all that the words did not give.
func (b *argumentBuilder) value(name string, schema *jsonschema.Node, depth int) (value, bool) {
	s, ok := b.flatten(schema)
	if !ok || depth > maxDepth {
		return value{}, false
	}
	v, ok := b.make(name, s, depth)
	if d := s.Get("default"); d != nil && b.words.message != "" && !(ok && v.spoken) {
		return value{d, false}, true
	}
	return v, ok
}

func (b *argumentBuilder) make(name string, s *jsonschema.Node, depth int) (value, bool) {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if alternatives := arrayKeyword(s, keyword); len(alternatives) > 0 {
			return b.either(name, withoutKeywords(s, keyword, "default"), alternatives, depth)
		}
	}
	if all := arrayKeyword(s, "enum"); len(all) > 0 {
		return b.enum(all), true
	}
	if constant := s.Get("const"); constant != nil {
		return value{constant, false}, true
	}
	if kinds := arrayKeyword(s, "type"); len(kinds) > 0 {
		for i, kind := range kinds {
			kinds[i] = jsonschema.Object(jsonschema.Member{Key: "type", Value: kind})
		}
		return b.either(name, withoutKeywords(s, "type", "default"), kinds, depth)
	}
	kind := s.Get("type").Text()
	if kind == "" && (depth == 0 || s.Get("properties") != nil) {
		kind = "object"
	}
	switch kind {
	case "object":
		return b.object(s, depth)
	case "array":
		return b.array(name, s, depth)
	case "integer", "number":
		return b.number(s)
	case "boolean":
		return b.boolean(name), true
	case "null":
		return value{jsonschema.Null(), false}, true
	}
	return b.string(name, s)
}

// either makes a value for one of the alternatives that stand in the schema s:
// the first that the words give, or else the first that works.
func (b *argumentBuilder) either(name string, s *jsonschema.Node, alternatives []*jsonschema.Node, depth int) (value, bool) {
	var found value
	ok, before, after := false, b.words, b.words
	for i := range alternatives {
		b.words = before
		both := jsonschema.Array(s, alternatives[(i+b.alternative)%len(alternatives)])
		v, made := b.value(name, jsonschema.Object(jsonschema.Member{Key: "allOf", Value: both}), depth+1)
		if made && (!ok || v.spoken) {
			found, ok, after = v, true, b.words
		}
		if ok && (found.spoken || before.message == "") {
			break
		}
	}
	b.words = after
	return found, ok
}

// object makes the required properties first, so that they choose among the
// words, then the optional ones that the words give, then as many as are needed.
func (b *argumentBuilder) object(s *jsonschema.Node, depth int) (value, bool) {
	required, _ := s.Get("required").Texts()
	least := min(intKeyword(s, "minProperties", 0), maxItems)
	properties := withoutKeywords(s.Get("properties")).Edit()
	for _, key := range required {
		if properties.Find(key) < 0 {
			properties.Set(key, s.Get("additionalProperties"))
		}
	}
	for i := 1; len(properties.Members) < least; i++ {
		properties.Set("key"+strconv.Itoa(i), s.Get("additionalProperties"))
	}
	made, spoken := map[string]*jsonschema.Node{}, false
	for pass := range 3 {
		for _, p := range properties.Members {
			must := slices.Contains(required, p.Key)
			if must != (pass == 0) || pass == 1 && depth >= optional || pass == 2 && (len(made) >= least || made[p.Key] != nil) {
				continue
			}
			before := b.words
			v, ok := b.value(p.Key, p.Value, depth+1)
			switch {
			case must && !ok:
				return value{}, false
			case !ok, pass == 1 && !v.spoken:
				b.words = before
			default:
				made[p.Key], spoken = v.json, spoken || v.spoken
			}
		}
	}
	var members []jsonschema.Member
	for _, p := range properties.Members {
		if v := made[p.Key]; v != nil {
			members = append(members, jsonschema.Member{Key: p.Key, Value: v})
		}
	}
	return value{jsonschema.Object(members...), spoken}, true
}

// array makes as many elements as the words give, and at least those that the
// schema requires.
func (b *argumentBuilder) array(name string, s *jsonschema.Node, depth int) (value, bool) {
	prefix := arrayKeyword(s, "prefixItems")
	least, most := intKeyword(s, "minItems", 0), min(intKeyword(s, "maxItems", maxItems), maxItems)
	outer := b.nth
	defer func() { b.nth = outer }()
	var all []*jsonschema.Node
	spoken := false
	for b.nth = 0; b.nth < most; b.nth++ {
		schema := s.Get("items")
		if b.nth < len(prefix) {
			schema = prefix[b.nth]
		}
		before := b.words
		v, ok := b.value(strings.TrimSuffix(name, "s"), schema, depth+1)
		if !ok || !v.spoken && b.nth >= max(least, len(prefix)) {
			b.words = before
			break
		}
		all, spoken = append(all, v.json), spoken || v.spoken
	}
	return value{jsonschema.Array(all...), spoken}, len(all) >= least
}
