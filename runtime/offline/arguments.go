package offline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gram-lang/gramc/runtime"
)

// Schemas may be recursive: these limits end every search.
const (
	maxDepth  = 32     // levels of the arguments
	curiosity = 6      // levels at which optional values are still looked for
	maxSteps  = 10_000 // schemas looked at
	maxItems  = 1_000  // elements of one array
)

// arguments makes arguments for schema from what the user said. They satisfy
// the schema, or there is an error.
func arguments(schema json.RawMessage, messages []runtime.Message) (json.RawMessage, error) {
	if len(bytes.TrimSpace(schema)) == 0 {
		return json.RawMessage(`{}`), nil
	}
	compiled, err := runtime.CompileSchema(schema)
	if err != nil {
		return nil, fmt.Errorf("its schema is broken: %w", err)
	}
	args, ok := build(schema, messages, (*builder).arguments, compiled.ValidateArgs)
	if !ok {
		return nil, errors.New("the offline rules find no arguments for its schema")
	}
	return args, nil
}

// answer makes an answer for schema: the last result of a tool that fits it, or
// else a value from what the user said.
func answer(schema json.RawMessage, messages, results []runtime.Message) (json.RawMessage, error) {
	compiled, err := runtime.CompileSchema(schema)
	if err != nil {
		return nil, fmt.Errorf("the schema of the answer is broken: %w", err)
	}
	for _, result := range slices.Backward(results) {
		if value := json.RawMessage(result.Content); compiled.Validate(value) == nil {
			return value, nil
		}
	}
	whole := func(b *builder) (value, bool) { return b.value("", b.root, 0) }
	value, ok := build(schema, messages, whole, compiled.Validate)
	if !ok {
		return nil, errors.New("the offline rules find no answer for its schema")
	}
	return value, nil
}

// build tries to make a value that passes a check.
func build(schema json.RawMessage, messages []runtime.Message, try func(*builder) (value, bool), check func(json.RawMessage) error) (json.RawMessage, bool) {
	w := wordsOf(messages)
	// From the most to the least that the words can give; all asks for the
	// optional properties too.
	for _, b := range []builder{{words: w.clone()}, {words: w, all: true}, {}, {all: true}} {
		b.root, b.compiled = schema, map[string]*runtime.Schema{}
		v, ok := try(&b)
		if ok && check(v.json) == nil {
			return v.json, true
		}
	}
	return nil, false
}

// A builder makes one value for one schema.
type builder struct {
	root     json.RawMessage
	words    *words // nil: invent everything
	all      bool   // fill optional properties too
	nth      int    // which of several invented values
	steps    int
	compiled map[string]*runtime.Schema
}

// A quality says where a value comes from.
type quality int

const (
	invented quality = iota
	message          // the whole of it
	spoken           // the user's words gave this very value
)

type value struct {
	json    json.RawMessage
	quality quality
}

func (b *builder) arguments() (value, bool) {
	n, ok := b.flatten(b.root, 0)
	if !ok {
		return value{}, false
	}
	if n["type"] == nil {
		n = n.without()
		if n == nil {
			n = node{}
		}
		n["type"] = json.RawMessage(`"object"`)
	}
	return b.node("", n, 0)
}

// value makes a value for the schema raw of the property name.
func (b *builder) value(name string, raw json.RawMessage, depth int) (value, bool) {
	n, ok := b.flatten(raw, depth)
	if !ok {
		return value{}, false
	}
	return b.node(name, n, depth)
}

func (b *builder) node(name string, n node, depth int) (value, bool) {
	v, ok := b.make(name, n, depth)
	if d := n["default"]; d != nil && b.words != nil && (!ok || v.quality < spoken) {
		return value{d, invented}, true
	}
	return v, ok
}

func (b *builder) make(name string, n node, depth int) (value, bool) {
	switch {
	case n["const"] != nil:
		return value{n["const"], invented}, true
	case len(n.list("enum")) > 0:
		return b.enum(n.list("enum")), true
	case len(n.list("anyOf")) > 0:
		return b.either(name, n, "anyOf", depth)
	case len(n.list("oneOf")) > 0:
		return b.either(name, n, "oneOf", depth)
	}
	return b.best(n.types(), func(kind string) (value, bool) {
		switch kind {
		case "object":
			return b.object(n, depth)
		case "array":
			return b.array(name, n, depth)
		case "integer", "number":
			return b.number(kind, n)
		case "boolean":
			return b.boolean(name), true
		case "null":
			return value{json.RawMessage("null"), invented}, true
		}
		return b.string(name, n)
	})
}

// flatten parses a schema and replaces $ref and allOf by what they stand for.
// It is a guess where keywords meet, and the result is checked against the
// whole schema in the end.
func (b *builder) flatten(raw json.RawMessage, depth int) (node, bool) {
	n, ok := parseNode(raw)
	if b.steps++; !ok || depth > maxDepth || b.steps > maxSteps {
		return nil, false
	}
	if n["$ref"] != nil {
		target, found := resolve(b.root, n.text("$ref"))
		if !found {
			return nil, false
		}
		t, ok := b.flatten(target, depth+1)
		if !ok {
			return nil, false
		}
		t = overlay(t, n)
		n = t.without("$ref")
	}
	for _, part := range n.list("allOf") {
		p, ok := b.flatten(part, depth+1)
		if !ok {
			return nil, false
		}
		n = overlay(n, p)
	}
	return n.without("allOf"), true
}

// overlay returns a with the keywords of b on top; properties and required
// add up.
func overlay(a, b node) node {
	out := node{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	if a["properties"] != nil && b["properties"] != nil {
		all := members(a["properties"])
		for _, m := range members(b["properties"]) {
			if i := slices.IndexFunc(all, func(k member) bool { return k.key == m.key }); i >= 0 {
				all[i].value = fmt.Appendf(nil, `{"allOf":[%s,%s]}`, all[i].value, m.value)
			} else {
				all = append(all, m)
			}
		}
		out["properties"] = object(all)
	}
	if a["required"] != nil && b["required"] != nil {
		out["required"], _ = json.Marshal(append(a.list("required"), b.list("required")...))
	}
	return out
}

// best returns the value of the highest quality, the first of equals, and
// takes from the words only what that one took.
func (b *builder) best(kinds []string, try func(string) (value, bool)) (value, bool) {
	var found value
	var after *words
	ok := false
	before := b.words
	for _, kind := range kinds {
		if before != nil && len(kinds) > 1 {
			b.words = before.clone()
		}
		if v, good := try(kind); good && (!ok || v.quality > found.quality) {
			found, after, ok = v, b.words, true
		}
	}
	if b.words = before; ok {
		b.words = after
	}
	return found, ok
}

// either makes a value for one of the alternatives under keyword.
func (b *builder) either(name string, n node, keyword string, depth int) (value, bool) {
	whole := n.without()
	var root node
	json.Unmarshal(b.root, &root)
	for _, k := range []string{"$defs", "definitions"} {
		if root[k] != nil {
			whole[k] = root[k]
		}
	}
	rest := n.without(keyword, "default")
	var alternatives []string
	for _, raw := range n.list(keyword) {
		alternatives = append(alternatives, string(raw))
	}
	if depth >= curiosity { // now what ends soonest
		slices.SortStableFunc(alternatives, func(x, y string) int { return weight(x) - weight(y) })
	}
	found := false
	return b.best(alternatives, func(raw string) (value, bool) {
		if found && depth >= curiosity {
			return value{}, false
		}
		alternative, ok := b.flatten(json.RawMessage(raw), depth+1)
		if !ok {
			return value{}, false
		}
		v, ok := b.node(name, overlay(rest, alternative), depth+1)
		ok = ok && b.fits(whole.json(), v.json)
		found = found || ok
		return v, ok
	})
}

// weight guesses how much a value for a schema holds: null, something simple,
// an array, or what may contain itself.
func weight(schema string) int {
	n, _ := parseNode(json.RawMessage(schema))
	switch kinds := n.types(); {
	case n["$ref"] != nil || n["anyOf"] != nil || n["oneOf"] != nil || n["allOf"] != nil || slices.Contains(kinds, "object"):
		return 3
	case slices.Contains(kinds, "array"):
		return 2
	case slices.Contains(kinds, "null"):
		return 0
	}
	return 1
}

// fits reports whether a value satisfies a schema. One that cannot be looked
// at alone fits: the whole is checked in the end.
func (b *builder) fits(schema, v json.RawMessage) bool {
	s, known := b.compiled[string(schema)]
	if !known {
		s, _ = runtime.CompileSchema(schema)
		b.compiled[string(schema)] = s
	}
	return s == nil || s.Validate(v) == nil
}
