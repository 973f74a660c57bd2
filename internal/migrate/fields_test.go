package migrate_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/migrate"
)

// portable rewrites a text, and says what was left.
func portable(t *testing.T, in string) (text string, left []string) {
	t.Helper()
	file, problems := grammar.Parse("input", in)
	if problems.HasErrors() {
		t.Fatalf("%q: %v", in, problems.Err())
	}
	text, reasons := migrate.Fields(file)
	for _, l := range reasons {
		if l.Span.Text() != "fields" {
			t.Errorf("%q: left at %q", in, l.Span.Text())
		}
		left = append(left, l.Reason)
	}
	again, problems := grammar.Parse("rewritten", text)
	if problems.HasErrors() {
		t.Fatalf("%q becomes %q: %v", in, text, problems.Err())
	}
	if twice, _ := migrate.Fields(again); twice != text {
		t.Errorf("%q becomes %q, and that %q", in, text, twice)
	}
	return text, left
}

func TestFieldsBecomePortable(t *testing.T) {
	for in, want := range map[string]string{
		// Fields without more become declaring properties.
		`(u::Object {fields:[{name:"a", type:"Text"}]})`:                                                                                               "(u::Object {a::Text})",
		`(u::Object {description:"d", fields:[{name:a, type:Text}, {type:"Int",name:"b"}], default:{}})`:                                               `(u::Object {description:"d", a::Text, b::Int, default:{}})`,
		`(u::Object {fields:[{name:"two words", type:"Text"}]})`:                                                                                       `(u::Object {"two words"::Text})`,
		`(u::Object {fields:[{name:"a", type:"[Text]"}]})`:                                                                                             "(u::Object {a:: type`[Text]`})",
		`(u::Object {fields:[{name:"a", type:"Maybe Int"}]})`:                                                                                          "(u::Object {a:: type`Maybe Int`})",
		`(u::Object {fields:[{name:"a", type:"Array", elementType:"Text"}]})`:                                                                          "(u::Object {a:: type`[Text]`})",
		`(u::Object {fields:[{name:"a", type:"Array"}, {name:"b", type:"Object"}]})`:                                                                   "(u::Object {a::Array, b::Object})",
		`[P:Type {fields:[{name:"a", type:"Text"}]}]`:                                                                                                  "[P:Type {a::Text}]",
		"(u::Object { // of u\n fields:[ // the list\n {name:\"a\", type:\"Text\"}, // of a\n // before b\n {name:\"b\", type:\"Int\"}\n // end\n ]})": "(u::Object { // of u\n  // the list\n a::Text, // of a\n // before b\n b::Int\n // end\n })",
		// What else is said of a field stays, in a map.
		`(u::Object {fields:[{name:"a", type:"Text", default:'x', description:"d", min:0x1F}]})`: `(u::Object {a::{type: Text, default: 'x', description: "d", min: 0x1F}})`,
		`(u::Object {fields:[{name:"a", type:"[Int]", optional:true}]})`:                         "(u::Object {a::{type: type`[Int]`, optional: true}})",
		`(u::Object {fields:[{name:"a", type:"Int", optional:false}]})`:                          "(u::Object {a::Int})",
		// Fields of fields become a type expression.
		`(u::Object {fields:[{name:"o", type:"Object", fields:[{name:"x", type:"Text"}, {name:"y z", type:"Int", default:0x10}]}]})`:                         "(u::Object {o:: type`{x: Text, \"y z\": Int = 16}`})",
		`(u::Object {fields:[{name:"o", type:"Object", description:"d", fields:[{name:"x", type:"[Text]", description:"X"}]}]})`:                             "(u::Object {o::{type: type`{x: [Text](description=\"X\")}`, description: \"d\"}})",
		`(u::Object {fields:[{name:"o", type:"Array", of:"Object", fields:[{name:"x", type:"Maybe Text"}, {name:"y", type:"Int", optional:true}]}]})`:        "(u::Object {o:: type`[{x?: Text, y?: Int}]`})",
		`(u::Object {fields:[{name:"o", type:"Object", fields:[{name:"p", type:"Object", closed:true, fields:[{name:"x", type:"Int|Text", title:"t"}]}]}]})`: "(u::Object {o:: type`{p: {x: (Int|Text)(title=\"t\")}(closed=true)}`})",
		// So does an array of objects, and an object that cannot declare its fields.
		`(r::Array {elementType:"Object", fields:[{name:"sku", type:"Text"}, {name:"qty", type:"Int", default:1}]})`: "(r::`[{sku: Text, qty: Int = 1}]`)",
		"(r::`[Object]` {description:\"d\", fields:[{name:\"a\", type:\"Text\"}]})":                                  "(r::`[{a: Text}]` {description:\"d\"})",
		`(x::Object {fields:[{name:"description", type:"Text"}], description:"d"})`:                                  "(x::`{description: Text}` {description:\"d\"})",
		"(x::Object {\n  optional:true, fields:[{name:\"min\", type:\"Int\"}]})":                                     "(x::`{min: Int}` {\noptional:true})",
		`(x::Object {fields:[]})`: "(x::`{}`)",
		`(x::Object {fields:[{name:"of", type:"Text", description:'say "hi" \\ and ` + "\\`" + `', default:no}]})`: "(x::`{of: Text(description=\"say \\\\\"hi\\\\\" \\\\\\\\ and \\`\") = \"no\"}`)",
		// Several in one file; what is no list of fields stays.
		`(a::Object {fields:[{name:"x", type:"Int"}]})==>(b::Text)==>(::Array {elementType:"Object", fields:[{name:"y", type:"Int"}]})`: "(a::Object {x::Int})==>(b::Text)==>(::`[{y: Int}]`)",
		`(f:Form {fields:[{name:"x", type:"Int"}]})`: `(f:Form {fields:[{name:"x", type:"Int"}]})`,
		`(a::Array {elementType:"Text"})  (b)`:       `(a::Array {elementType:"Text"})  (b)`,
	} {
		got, left := portable(t, in)
		if diff := cmp.Diff(want, got); diff != "" || left != nil {
			t.Errorf("%s: %q\n%s", in, left, diff)
		}
	}
}

func TestWhatIsNotRewrittenHasItsReason(t *testing.T) {
	const mistakes = "the list has mistakes, which gramc check reports"
	for in, reason := range map[string]string{
		`(u::Object {fields:"a"})`:                                                                         mistakes,
		`(u::Object {fields:["a"]})`:                                                                       mistakes,
		`(u::Object {fields:[{type:"Text"}]})`:                                                             mistakes,
		`(u::Object {fields:[{name:"a"}]})`:                                                                mistakes,
		`(u::Object {fields:[{name:"a", type:"Int", type:"Text"}]})`:                                       mistakes,
		`(u::Object {fields:[{name:"a", type:"Int"}, {name:"a", type:"Int"}]})`:                            mistakes,
		`(u::Object {fields:[{name:"a", type:"Int", optional:1}]})`:                                        mistakes,
		`(u::Object {fields:[{name:"a", type:"Array", of:5}]})`:                                            mistakes,
		`(u::Object {fields:[{name:"a", type:"Array", of:"Int", elementType:"Int"}]})`:                     mistakes,
		`(u::Object {fields:[{name:"a", type:"Int", of:"Int"}]})`:                                          mistakes,
		`(u::Object {fields:[{name:"a", type:"Int", fields:[]}]})`:                                         mistakes,
		`(u::Object {fields:[{name:"a", type:"Array", default:[1]}]})`:                                     "the value [1] has no place in a map",
		`(u::Object {fields:[{name:"o", type:"Object", fields:[{name:"a", type:"Text", default:null}]}]})`: "a type expression cannot have the value null",
		`(u::Object {b::Int, fields:[{name:"a", type:"Int"}]})`:                                            "the record declares fields as properties too",
		`(u::Array {fields:[{name:"a", type:"Int"}]})`:                                                     "the element type is not Object",
		`[P:Type {fields:[{name:"min", type:"Int"}]}]`:                                                     "a type cannot declare a field that is called like an attribute, or none at all",
		"(u::Object {fields:[{name:\"a\", // c\n type:\"Int\"}]})":                                         "a comment inside of a field would be lost",
		"(u::Object {fields: // c\n [{name:\"a\", type:\"Int\"}]})":                                        "a comment before the fields would be lost",
		"(u::Object {fields:[{name:\"min\", type:\"Int\"} // c\n]})":                                       "a comment inside of the record would be lost",
	} {
		got, left := portable(t, in)
		if diff := cmp.Diff([]string{reason}, left); diff != "" || got != in {
			t.Errorf("%s becomes %s\n%s", in, got, diff)
		}
		if _, problems := types.ParseTypeSignature(in + "==>(::Text)"); reason == mistakes && !problems.HasErrors() {
			t.Errorf("%s has no mistakes", in)
		}
	}
}

// TestPortableSignaturesHaveTheSameSchema compares the schemas where the new
// text compiles already.
func TestPortableSignaturesHaveTheSameSchema(t *testing.T) {
	for _, in := range []string{
		`(u::Object {description:"d", fields:[{name:"a", type:"Text"}, {name:"b", type:"[Int]"}, {name:"c", type:"Maybe Bool"}]})==>(::Text)`,
		`(u::Object {fields:[{name:"o", type:"Object", fields:[{name:"x", type:"Text"}]}, {name:"two words", type:"Int"}]})==>(::Text)`,
		`(r::Array {elementType:"Object", description:"d", fields:[{name:"x", type:"[[Text]]"}]})==>(::Object {fields:[{name:"of", type:"Int"}]})`,
	} {
		text, _ := portable(t, in)
		before, problems := types.ParseTypeSignature(in)
		if problems.HasErrors() {
			t.Fatal(problems.Err())
		}
		after, problems := types.ParseTypeSignature(text)
		if problems.HasErrors() {
			t.Fatalf("%s becomes %s: %v", in, text, problems.Err())
		}
		if !bytes.Equal(before.InputSchema(), after.InputSchema()) || !bytes.Equal(before.OutputSchema(), after.OutputSchema()) {
			t.Errorf("%s becomes %s with other schemas", in, text)
		}
	}
}
