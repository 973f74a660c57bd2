package compile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

// messages returns what is reported of a file, hints aside, each with the text
// under it: "code `text`: message".
func messages(t *testing.T, text string) []string {
	t.Helper()
	f, problems := grammar.Parse("types", text)
	problems = append(problems, Check(f, nil)...)
	var list []string
	for _, d := range problems {
		if d.Severity <= diag.Warning {
			list = append(list, fmt.Sprintf("%s `%s`: %s", d.Code, d.Span.Text(), d.Message))
		}
	}
	return list
}

// TestMistakesInTypesAreToldOnce has files with one mistake each, and what is
// reported of it.
func TestMistakesInTypesAreToldOnce(t *testing.T) {
	const tool = `[t:Tool {description: "d"} | (x::T)==>(::Text)] `
	param := func(p string) string { return `[t:Tool {description: "d"} | ` + p + `==>(::Text)]` }
	for text, want := range map[string]string{
		// types that stand for themselves, or have no finite value
		tool + "[T:Type | (::T)]":                                                 "infinite-type `T`: the type \"T\" stands for itself; it can hold itself only in a field or an array",
		tool + "[T:Type | (::`T?`)]":                                              "infinite-type `T`: the type \"T\" stands for itself; it can hold itself only in a field or an array",
		tool + "[T:Union | (::T), (::Text)]":                                      "infinite-type `T`: the type \"T\" stands for itself; it can hold itself only in a field or an array",
		tool + "[T:Type | (::U)] [U:Union | (::Text), (::`V?`)] [V:Type | (::T)]": "infinite-type `V`: the type \"V\" stands for itself; it can hold itself only in a field or an array",
		tool + "[T:Type | (a::T)]":                                                "infinite-type `T`: a value of the type \"T\" needs a value of the same type inside of it, without end; make a field optional, nullable or an array",
		tool + "[T:Type | (a::`[T](minItems=1)`)]":                                "infinite-type `T`: a value of the type \"T\" needs a value of the same type inside of it, without end; make a field optional, nullable or an array",
		tool + "[T:Type | (a::L)] [L:Type | (next::L)]":                           "infinite-type `L`: a value of the type \"L\" needs a value of the same type inside of it, without end; make a field optional, nullable or an array",
		tool + "[T:Type | (a::`{b: T} | T`)]":                                     "infinite-type `T`: a value of the type \"T\" needs a value of the same type inside of it, without end; make a field optional, nullable or an array",
		// names
		tool + "[T:Type {a::Int}] [`A B`:Type {a::Int}]": "invalid-type-name ``A B``: no type can refer to \"A B\"; the name of a type is one word of letters, digits and _, such as PostalAddress",
		tool + "[T:Type {a::Int}] [Maybe:Type {a::Int}]": "invalid-type-name `Maybe`: no type can refer to \"Maybe\"; the name of a type is one word of letters, digits and _, such as PostalAddress",
		tool + "[T:Type {a::Int}] [1:Type {a::Int}]":     "invalid-type-name `1`: no type can refer to \"1\"; the name of a type is one word of letters, digits and _, such as PostalAddress",
		// attributes on named types
		tool + "[T:Type {minLength: 3} | (::Text {minLength: 2})]": "invalid-constraint `minLength`: the type \"T\" has its minLength already",
		tool + "[T:Type {a::Int} | (b::Text)]":                     "malformed-fields `a`: the type \"T\" has its fields already",
		tool + "[T:Type | (::Object {a::Int}), (b::Text)]":         "missing-parameter-name `(::Object {a::Int})`: field 1 has no name; write (name::Type)",
		tool + "[T:Type | (a::U)] [U:Type | (b::Foo)]":             "unknown-type `Foo`: unknown type \"Foo\"; the types are Text, Int, Double, Bool, Object, Array, Map, Any and the types that the file defines with [Name:Type …]",
		tool + "[T:Type {shared: 1, a::Int}]":                      "invalid-constraint `1`: shared of the type \"T\" is an integer; it must be true or false",
		tool + "[T:Enum {values: []}]":                             "invalid-constraint `[]`: the enum of the type \"T\" is empty; it must list at least one value",
		// values
		param("(x::`Int|Text` {enum: [1, \"a\"], default: 2})"):                                        "default-type-mismatch `2`: the default of the parameter \"x\" is 2; it must be one of 1, \"a\"",
		param("(x::Text {enum: json`[]`})"):                                                            "invalid-constraint `json`[]``: the enum of the parameter \"x\" is empty; it must list at least one value",
		param("(x::Int {enum: [1, 50], max: 10})"):                                                     "default-type-mismatch `50`: the enum value of the parameter \"x\" is above its max 10",
		param("(x::Any {default: json`{\"a\": 1, \"a\": 2}`})"):                                        "duplicate-key `\"a\"`: the key \"a\" occurs twice",
		param("(x::Any {default: json`[1,]`})"):                                                        "default-type-mismatch `json`[1,]``: the default of the parameter \"x\" is tagged json, but its text is not JSON",
		param("(x::Any {default: json`1e9999`})"):                                                      "syntax `1e9999`: the exponent of \"1e9999\" has more than 3 digits",
		param("(x::`Int(min=1e9999)`)"):                                                                "syntax `1e9999`: the exponent of \"1e9999\" has more than 3 digits",
		param("(x::Array {unique: true, default: [1, 1.0]})"):                                          "default-type-mismatch `[1, 1.0]`: the default of the parameter \"x\" has an element twice; its type wants each one once",
		param("(x::Any {default: json`" + strings.Repeat("[", 101) + strings.Repeat("]", 101) + "`})"): "too-deep ``: a value nested deeper than 100",
		// words of JSON Schema, and fields with one colon
		param("(x::Int {minimum: 1})"):                             "unknown-property `minimum`: the property \"minimum\" has no meaning on a parameter and is ignored; did you mean min?",
		param("(x::Object {a::Int, additionalProperties: false})"): "unknown-property `additionalProperties`: the property \"additionalProperties\" has no meaning on a parameter and is ignored; did you mean closed?",
		param("(x::Object {a: Int})"):                              "malformed-fields `a`: the property \"a\" of a parameter declares no field; a field has two colons: a::Int",
		param("(x::Text {type: Text})"):                            "unknown-property `type`: the property \"type\" has no meaning on a parameter and is ignored",
		// words of other languages that would silently mean something else
		param("(x::Text {required: false})"):             "unknown-property `required`: the property required has no meaning on a parameter; what is not optional is required: write optional: true",
		param("(x::Object {required: [\"a\"], a::Int})"): "unknown-property `required`: the property required has no meaning on a parameter; every field is required but those with optional: true",
		tool + "[T:Type {a: Int}]":                       "malformed-fields `a`: the property \"a\" of a type declares no field; a field has two colons: a::Int",
		tool + "[T:Type {a: type`[Int]`}]":               "malformed-fields `a`: the property \"a\" of a type declares no field; a field has two colons: a::type`[Int]`",
		"[T:Type {a: int}]":                              "malformed-fields `a`: the property \"a\" of a type declares no field; a field has two colons: a::Int",
		"[T:Type {a: string}]":                           "malformed-fields `a`: the property \"a\" of a type declares no field; a field has two colons: a::Text",
		tool + "[T:Type {a: \"str\"}]":                   "malformed-fields `a`: the property \"a\" of a type declares no field; a field has two colons: a::Text",
		"[T:Type {a: dict}]":                             "malformed-fields `a`: the property \"a\" of a type declares no field; a field has two colons: a::Object",
		"[T:Type {a::Int, b: boolean}]":                  "malformed-fields `b`: the property \"b\" of a type declares no field; a field has two colons: b::Bool",
		tool + "[T:Type {a: datetime}]":                  "malformed-fields `a`: the property \"a\" of a type declares no field; a field has two colons: a::{type: Text, format: date-time}",
		param("(x::Object {a: string})"):                 "malformed-fields `a`: the property \"a\" of a parameter declares no field; a field has two colons: a::Text",
		"[T:Type {a: Int}]":                              "malformed-fields `a`: the property \"a\" of a type declares no field; a field has two colons: a::Int",
		// labels
		tool + "[T:Tpe | (a::Int)]":                          "unknown-type `Tpe`: \"T\" is not labelled Type; did you mean Type?",
		"[T:type {a::Int}]":                                  "unknown-type `type`: \"T\" is not labelled Type; did you mean Type?",
		"[T:Enm {values: [\"a\"]}]":                          "unknown-type `Enm`: \"T\" is not labelled Enum; did you mean Enum?",
		`[t:Toool {description: "d"} | (x::Int)==>(::Text)]`: "missing-tool-label `Toool`: \"t\" is not labelled Tool; did you mean Tool?",
		`[a:Agent {instruction: "i", model: "OpenAI/m"} | t, t2] [t:Toool {description: "d"} | (::Text)] [t2:Tool {description: "d"} | (::Text)]`: "missing-tool-label `Toool`: \"t\" is not labelled Tool; did you mean Tool?",
		// sizes
		`[t:Tool {description: "d"} | (x::T0)==>(::Text)] ` + doubling(60):              "too-large ``: the schema of the arguments has more than 4000 parts, with those of its types; providers take no more",
		`[a:Agent {instruction: "i", model: "OpenAI/m", returns:: T0}] ` + doubling(60): "too-large `T0`: the schema of the answers has more than 4000 parts, with those of its types; providers take no more",
	} {
		if got := messages(t, text); !slices.Equal(got, []string{want}) {
			t.Errorf("%.300s\n got %q\nwant %q", text, got, want)
		}
	}
}

// doubling returns types of which each holds the next one twice.
func doubling(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[T%d:Type {a::T%d, b::T%[2]d}]\n", i, i+1)
	}
	fmt.Fprintf(&b, "[T%d:Type {a::Int}]", n)
	return b.String()
}

func TestValuesThatFit(t *testing.T) {
	const types = `[U:Union {nullable: true} | (::Int), (::Text)] [N:Type | (::U)]
		[S:Enum {values: ["a", "b"]}] [M:Type {nullable: true} | (::S)] [L:Type | (::M)]
		[T:Type | (v::Int {max: 9}), (next::` + "`T?`" + ` {default: null}), (kids::` + "`[T]`" + ` {default: json` + "`[{\"v\": 1}]`" + `})]`
	for _, param := range []string{
		"(x::N {default: null})", "(x::L {default: null})", "(x::L {default: b})",
		"(x::Text {nullable: true, const: \"a\", default: null})", "(x::Text {enum: [\"a\"], nullable: true, default: null})",
		"(x::T {default: json`{\"v\": 1, \"next\": {\"v\": 2}}`})", "(x::Any {enum: json`[null, {\"a\": [1]}, 1e2]`, default: 100})",
		"(x::Object {description::Text, default:: type`Int`, title::{type: Text}, type::Text})", "(x::Int {default: 1.0})",
	} {
		if got := messages(t, `[t:Tool {description: "d"} | `+param+"==>(::Text)] "+types); len(got) > 0 {
			t.Errorf("%s: %q", param, got)
		}
	}
}

// TestAttributesOfNamedTypesAreReadBeforeTheirValues has a default that is
// compared with a type whose attributes stand further down.
func TestAttributesOfNamedTypesAreReadBeforeTheirValues(t *testing.T) {
	got := messages(t, `[t:Tool {description: "d"} | (x::T)==>(::Text)] [T:Type | (n::U {default: 7})] [U:Type | (::Int {max: 3})]`)
	if want := []string{"default-type-mismatch `7`: the default of the field \"n\" is above its max 3"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	schema := schemaOf(t, "[N:Type | (x::`Text(minLength=3) | null`)] [t:Tool {description: \"d\"} | (x::N)==>(::Text)]")
	if want := `"anyOf":[{"type":"string","minLength":3},{"type":"null"}]`; !strings.Contains(schema, want) {
		t.Errorf("%s is not in %s", want, schema)
	}
}

func schemaOf(t *testing.T, text string) string {
	t.Helper()
	f, _ := grammar.Parse("types", text)
	tools, problems := Tools(f, nil)
	if len(tools) != 1 {
		t.Fatal(problems)
	}
	return string(tools[0].Schema())
}

func TestOneDefaultAndDescriptionPerSchema(t *testing.T) {
	got := schemaOf(t, `[T:Type {default: 1, description: "type"} | (::Int)] [t:Tool {description: "d"} | (x::T {default: 2, description: "use"})==>(::T)]`)
	if want := `{"type":"object","properties":{"x":{"type":"integer","description":"use","default":2}},"required":[]}`; got != want {
		t.Error(got)
	}
	var schema map[string]any
	if err := json.Unmarshal([]byte(got), &schema); err != nil {
		t.Error(err)
	}
}
