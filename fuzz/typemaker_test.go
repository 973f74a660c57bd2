package fuzz

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A typeMaker makes types, and their values and gram text, as its bytes decide.
// Once these are used up it decides for what is simplest.
type typeMaker struct {
	data  []byte
	at    int
	names []*namedModel // a type may need a value only of those behind it
	root  *typeModel    // all arguments of the tool

	defaults []*fieldModel // get one once all types are made
}

// A typeModel is a type as the fuzz target understands it.
type typeModel struct {
	kind     string // text, int, number, bool, null, any, object, array, map, union or name
	nullable bool
	attrs    []attr   // what is said of it besides
	enum     []string // as JSON; of any kind
	min, max int      // of a number, a text or an array; max < 0 is none
	format   bool     // of a text: it is a date
	pattern  bool     // of a text: small letters
	elem     *typeModel
	fields   []*fieldModel
	closed   bool
	tags     bool // of a union: its alternatives are objects with different kinds
	either   []*typeModel
	name     *namedModel
}

type attr struct{ key, value string }

type fieldModel struct {
	name     string
	typ      *typeModel
	optional bool
	fallback string // as JSON; "" without a default
}

type namedModel struct {
	name   string
	typ    *typeModel
	shared bool
}

func newTypeMaker(data []byte) *typeMaker {
	m := &typeMaker{data: data}
	for i := range m.below(6) {
		m.names = append(m.names, &namedModel{name: fmt.Sprintf("T%d", i)})
	}
	for i := len(m.names) - 1; i >= 0; i-- {
		m.names[i].shared = m.below(4) == 3
		m.names[i].typ = m.typ(3, i+1)
	}
	m.root = &typeModel{kind: "object", max: -1}
	for i := range 1 + m.below(3) {
		m.root.fields = append(m.root.fields, m.field(fmt.Sprintf("p%d", i), 3, 0))
	}
	for _, f := range m.defaults {
		f.fallback = m.value(f.typ, 2)
		bare := strings.Contains(strings.ReplaceAll(f.fallback, `"null"`, ""), "null")
		if bare && (f.fallback != "null" || f.typ.isAny()) {
			f.fallback = "" // in gram, unlike JSON, the word null is text where anything goes
		}
	}
	return m
}

// below returns a number below n.
func (m *typeMaker) below(n int) int {
	if m.at >= len(m.data) {
		return 0
	}
	m.at++
	return int(m.data[m.at-1]) % n
}

var fieldNames = []string{"a", "b", "description", "type", "of", "größe", "a b", "x-y", "min", "const", "A"}

func (m *typeMaker) field(name string, depth, from int) *fieldModel {
	f := &fieldModel{name: name, optional: m.below(3) == 2}
	if f.optional && m.below(2) == 1 {
		from = -1 // a type that holds itself may end here
	}
	f.typ = m.typ(depth, from)
	if f.optional && m.below(2) == 1 {
		m.defaults = append(m.defaults, f)
	}
	return f
}

// typ returns a type of which a value needs values only of the named types from
// an index on; with a negative one, of any.
func (m *typeMaker) typ(depth, from int) *typeModel {
	kinds := []string{"text", "int", "bool", "number", "name", "null", "any", "object", "array", "map", "union"}
	if depth <= 0 {
		kinds = kinds[:5]
	}
	t := &typeModel{kind: kinds[m.below(len(kinds))], max: -1}
	if t.kind == "name" && max(from, 0) >= len(m.names) {
		t.kind = "text"
	}
	switch t.kind {
	case "text":
		m.textModel(t)
	case "int", "number":
		m.numberModel(t)
	case "name":
		first := max(from, 0)
		t.name = m.names[first+m.below(len(m.names)-first)]
	case "object":
		for _, name := range fieldNames {
			if m.below(4) == 3 {
				t.fields = append(t.fields, m.field(name, depth-1, from))
			}
		}
		t.closed = m.below(3) == 2
	case "array":
		if m.below(3) == 2 {
			t.min, t.max = m.below(2), 3
			t.say("minItems", strconv.Itoa(t.min))
			t.say("maxItems", "3")
		}
		if m.below(2) == 1 && t.min == 0 {
			from = -1
		}
		t.elem = m.typ(depth-1, from)
	case "map":
		t.elem = m.typ(depth-1, -1)
	case "union":
		m.unionModel(t, depth, from)
	}
	t.nullable = t.kind != "null" && t.kind != "any" && m.below(4) == 3
	if m.below(5) == 4 && t.kind != "null" {
		t.say("description", `"the `+t.kind+`"`)
	}
	return t
}

func (t *typeModel) say(key, value string) { t.attrs = append(t.attrs, attr{key, value}) }

func (m *typeMaker) textModel(t *typeModel) {
	switch m.below(6) {
	case 1:
		t.enum = []string{`"a"`, `"b c"`, `"null"`}
		t.say("enum", `["a", "b c", "null"]`)
	case 2:
		t.min, t.max = 1+m.below(2), 4
		t.say("minLength", strconv.Itoa(t.min))
		t.say("maxLength", "4")
	case 3:
		t.pattern = true
		t.say("pattern", `"^[a-z]+$"`)
	case 4:
		t.format = true
		t.say("format", "date")
	case 5:
		t.enum = []string{`"only"`}
		t.say("const", `"only"`)
	}
}

func (m *typeMaker) numberModel(t *typeModel) {
	switch m.below(4) {
	case 1:
		t.min, t.max = -2, 10
		t.say("min", "-2")
		t.say("max", "10")
	case 2:
		t.min, t.max = 1, 9
		t.say("exclusiveMin", "0")
		t.say("exclusiveMax", "10")
	case 3:
		t.enum = []string{"1", "2", "30"}
		t.say("enum", "[1, 2, 30]")
	}
}

// unionModel makes alternatives that no value fits two of: of different kinds,
// or objects with a tag.
func (m *typeMaker) unionModel(t *typeModel, depth, from int) {
	if t.tags = m.below(2) == 1; t.tags {
		for i := range 2 + m.below(2) {
			tag := fmt.Sprintf(`"tag%d"`, i)
			kind := &typeModel{kind: "text", max: -1, enum: []string{tag}}
			kind.say("const", tag)
			o := &typeModel{kind: "object", max: -1, closed: m.below(3) == 2}
			o.fields = []*fieldModel{{name: "kind", typ: kind}, m.field("a", depth-1, from)}
			t.either = append(t.either, o)
		}
		return
	}
	seen := []string{"null"} // which would make the union nullable
	for range 4 {
		alternative := m.typ(depth-1, from)
		kinds := alternative.kinds()
		if !slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(seen, k) }) {
			t.either = append(t.either, alternative)
			seen = append(seen, kinds...)
		}
	}
	if len(t.either) < 2 {
		t.either = []*typeModel{{kind: "text", max: -1}, {kind: "bool", max: -1}}
	}
}

// kinds returns the kinds of JSON that the values of t have.
func (t *typeModel) kinds() []string {
	var kinds []string
	switch t.kind {
	case "text", "bool", "null", "array":
		kinds = []string{t.kind}
	case "int", "number":
		kinds = []string{"number"}
	case "object", "map":
		kinds = []string{"object"}
	case "any":
		kinds = []string{"text", "bool", "null", "array", "number", "object"}
	case "name":
		if t.name.typ == nil { // it is being made, and holds itself
			kinds = []string{"text", "bool", "null", "array", "number", "object"}
		} else {
			kinds = t.name.typ.kinds()
		}
	case "union":
		for _, u := range t.either {
			kinds = append(kinds, u.kinds()...)
		}
	}
	if t.nullable {
		kinds = append(kinds, "null")
	}
	return kinds
}

func quoted(key string) string { return strconv.Quote(key) }

func object(members []string) string { return "{" + strings.Join(members, ",") + "}" }
