package compile

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

func checkSignature(t *testing.T, text string) diag.List {
	t.Helper()
	signature, problems := types.ParseTypeSignature(text)
	if (signature == nil) != problems.HasErrors() {
		t.Errorf("%s: signature %v with %v", text, signature, summary(problems))
	}
	return problems
}

func TestRulesOfSignatures(t *testing.T) {
	checkRules(t, []rule{
		{"empty", "", []string{"error empty-signature "}},
		{"only a comment", "// nothing", []string{"error empty-signature // nothing"}},
		{"two patterns", "(::Text) (::Text)", []string{"error trailing-input (::Text)"}},
		{"a header", "{a:1} (::Text)", []string{"error trailing-input {a:1}"}},
		{"a bracket", "[x | (::Text)]", []string{"error syntax [x | (::Text)]"}},
		{"not gram", "(a::Text)=>(::Text)", []string{"error syntax =>"}},
		{"result without a node", "(name: Text) --> IO Text", []string{"error syntax IO"}},
		{"annotated", "@k(1) (::Text)", []string{}},

		{"unit alone", "()", []string{"error missing-return-type ()"}},
		{"a parameter alone", "(a::Text)", []string{"error missing-return-type (a::Text)"}},
		{"a name alone", "(a)", []string{"error missing-return-type (a)"}},
		{"unit as result", "(a::Text)==>()", []string{"error missing-return-type ()"}},
		{"name as result", "(a::Text)==>(b)", []string{"error missing-return-type (b)"}},
		{"type without colons as result", "(a::Text)==>(String)", []string{"error missing-return-type String"}},
		{"unit twice", "()==>()==>(::Text)", []string{"error invalid-chain ()", "error invalid-chain ()"}},
		{"unit behind", "(a::Text)==>()==>(::Text)", []string{"error invalid-chain ()"}},
		{"unit before", "({})==>(a::Text)==>(::Text)", []string{"error invalid-chain ({})"}},
		{"left between others", "(a::Text)==>(b::Text)<==(::Text)", []string{"error invalid-chain <=="}},
		{"left before undirected", "(::Text)<==(b::Text)==(c::Text)", []string{"error invalid-chain <=="}},

		{"no type", "(name)==>(::Text)", []string{"error missing-type name"}},
		{"no type but a record", "({optional:true})==>(::Text)", []string{"error missing-type ({optional:true})", "warning missing-parameter-name ({optional:true})"}},
		{"type without colons", "(Text)==>(::Text)", []string{"error missing-type Text"}},
		{"two types", "(a::Text:Int)==>(::Text::String)", []string{"error multiple-types :Int", "error multiple-types ::String"}},
		{"one type twice", "(a::Text:Text)==>(::Text)", []string{"warning duplicate-label :Text"}},
		{"two names", "(a::Text)==>(a::Text)==>(::Text)", []string{"error duplicate-parameter a"}},
		{"two of ten names", "(a::Int)==>(b::Int)==>(c::Int)==>(d::Int)==>(e::Int)==>(f::Int)==>(g::Int)==>(h::Int)==>(i::Int)==>(i::Int)==>(h::Int)==>(::Text)", []string{"error duplicate-parameter i", "error duplicate-parameter h"}},
		{"two names by property", "(a::Text)==>(b::Text {paramName:'a'})==>(::Text)", []string{"error duplicate-parameter 'a'", "hint conflicting-name 'a'"}},
		{"name of a position taken", "(::Text)==>(arg1::Text)==>(::Text)", []string{"warning missing-parameter-name (::Text)", "error duplicate-parameter arg1"}},
		{"no name", "(a::Text)==>(::Int)==>(::Text)", []string{"warning missing-parameter-name (::Int)"}},
		{"empty paramName", "(::Int {paramName:''})==>(::Text)", []string{"error invalid-constraint ''"}},
		{"paramName not text", "(::Int {paramName:5})==>(::Text)", []string{"error invalid-constraint 5"}},
		{"equal paramName", "(a::Int {paramName:'a'})==>(::Text)", []string{}},
		{"optional not a boolean", "(a::Int {optional:'true'})==>(::Text)", []string{"error invalid-constraint 'true'"}},
		{"optional:false with a default", "(a::Int {optional:false, default:1})==>(::Text)", []string{"warning invalid-constraint false"}},
		{"description not text", "(a::Int {description:5})==>(::Text {description:6})", []string{"error invalid-description 5", "error invalid-description 6"}},
		{"unknown property", "(a::Int {defualt:5})==>(::Text {default:6})", []string{"warning unknown-property defualt", "warning unknown-property default"}},
		{"key twice", "(a::Int {default:1, default:2})==>(::Text)", []string{"error duplicate-key default"}},

		{"fields not a list", "(a::Object {fields:'x'})==>(::Text)", []string{"error malformed-fields 'x'"}},
		{"fields of a text", "(a::Text {fields:[]})==>(::Text)", []string{"error malformed-fields fields", "information not-portable []"}},
		{"fields of an array", "(a::Array {fields:[]})==>(::Text)", []string{"error malformed-fields fields", "information not-portable []"}},
		{"fields twice", "(a::`{b: Text}` {fields:[]})==>(::Text)", []string{"error malformed-fields fields", "information not-portable []"}},
		{"field not a map", "(a::Object {fields:[x]})==>(::Text)", []string{"error malformed-fields x"}},
		{"field without name", "(a::Object {fields:[{type:Int}]})==>(::Text)", []string{"information not-portable {type:Int}", "error malformed-fields }"}},
		{"field without type", "(a::Object {fields:[{name:b}]})==>(::Text)", []string{"information not-portable {name:b}", "error malformed-fields }"}},
		{"empty field", "(a::Object {fields:[{}]})==>(::Text)", []string{"information not-portable {}", "error malformed-fields }", "error malformed-fields }"}},
		{"field with empty name", "(a::Object {fields:[{name:'', type:Int}]})==>(::Text)", []string{"information not-portable {name:'', type:Int}", "error malformed-fields ''"}},
		{"field name not text", "(a::Object {fields:[{name:1, type:2}]})==>(::Text)", []string{"information not-portable {name:1, type:2}", "error malformed-fields 1", "error malformed-fields 2"}},
		{"field twice, deep", "(a::Object {fields:[{name:b, type:Object, fields:[{name:c,type:Int},{name:c,type:Int}]}]})==>(::Text)",
			[]string{"information not-portable {name:b, type:Object, fields:[{name:c,type:Int},{name:c,type:Int}]}", "error duplicate-field c"}},
		{"types in fields", "(a::Object {fields:[{name:b, type:'[Txt]', x:1}]})==>(::Text)",
			[]string{"information not-portable {name:b, type:'[Txt]', x:1}", "error unknown-type Txt", "warning unknown-property x"}},

		{"fields of an unknown type", "(a::Foo {fields:[{name:b, type:Bar}]})==>(::Text)",
			[]string{"error unknown-type Foo", "information not-portable {name:b, type:Bar}", "error unknown-type Bar"}},
		{"element type not text", "(a::Array {elementType:5})==>(::Text)", []string{"error invalid-constraint 5"}},
		{"element type of a text", "(a::Text {of:Int})==>(::Text)", []string{"error invalid-constraint of"}},
		{"element type twice", "(a::Array {of:Int, elementType:Int})==>(::Text)", []string{"error invalid-constraint of"}},
		{"element type known", "(a::`[Int]` {of:Int})==>(::Text)", []string{"error invalid-constraint of"}},
		{"element type unknown", "(a::Array {of:Foo})==>(::Text)", []string{"error unknown-type Foo"}},
		{"element type Maybe", "(a::Array {of:'Maybe Int'})==>(::Text)", []string{"error invalid-type 'Maybe Int'"}},
		{"result Maybe", "(::`Maybe Int`)", []string{"warning invalid-type `Maybe Int`"}},
	}, checkSignature)
}

func TestTypeExpressionsSayWhereTheyAreWrong(t *testing.T) {
	checkRules(t, []rule{
		{"empty", "(a::``)==>(::Text)", []string{"error syntax "}},
		{"unknown", "(a::text)==>(::Text)", []string{"error unknown-type text"}},
		{"far from all", "(a::Quaternion)==>(::Text)", []string{"error unknown-type Quaternion"}},
		{"of other languages", "(a::`[float]`)==>(b::str)==>(c::int64)==>(d::Dict)==>(::Text)",
			[]string{"error unknown-type float", "error unknown-type str", "error unknown-type int64", "error unknown-type Dict"}},
		{"deep inside", "(a::`{b: [Txt]}`)==>(::Text)", []string{"error unknown-type Txt"}},
		{"behind an escape", "(a::`{b\\n:\\t[Txt]}`)==>(::Text)", []string{"error unknown-type Txt"}},
		{"in a tagged text", "(a::Array {of: type`[Txt]`})==>(::Text)", []string{"error unknown-type Txt"}},
		{"in a fence", "(a::Array {of:```\n  [Txt]\n```})==>(::Text)", []string{"error unknown-type Txt"}},
		{"IO", "(a::`IO Text`)==>(::Text)", []string{"error haskell-type IO Text"}},
		{"IO of nothing", "(a::Text)==>(::IO)", []string{"error haskell-type IO"}},
		{"applied", "(a::`List Text`)==>(b::`Array<Text>`)==>(c::`Foo [Int]`)==>(::Text)",
			[]string{"error haskell-type List Text", "error haskell-type Array<Text>", "error haskell-type Foo [Int]"}},
		{"Maybe of nothing", "(a::Maybe)==>(::Text)", []string{"error syntax Maybe"}},
		{"Maybe inside an array", "(a::`[Maybe Int]`)==>(::Text)", []string{"error invalid-type Maybe Int"}},
		{"not closed", "(a::`[Text`)==>(b::`{b: Text`)==>(c::`(Text`)==>(::Text)",
			[]string{"error syntax ", "error syntax ", "error syntax "}},
		{"closed wrongly", "(a::`[Text}`)==>(::Text)", []string{"error syntax }"}},
		{"something behind", "(a::`Text, Int`)==>(b::`Text?!`)==>(c::`Int |`)==>(d::`Text[`)==>(::Text)",
			[]string{"error syntax ,", "error syntax !", "error syntax ", "error haskell-type Text["}},
		{"comma too many", "(a::`{b: Text,}`)==>(::Text)", []string{"error syntax }"}},
		{"comma forgotten", "(a::`{b: Text c: Int}`)==>(::Text)", []string{"error syntax c"}},
		{"field without type", "(a::`{b}`)==>(::Text)", []string{"error syntax }"}},
		{"field twice", "(a::`{b: Text, b: Int}`)==>(::Text)", []string{"error duplicate-field b"}},
		{"letter outside ASCII", "(a::`Größe`)==>(::Text)", []string{"error unknown-type Größe"}},
		{"too deep", "(a::`" + strings.Repeat("[", 5000) + "`)==>(::Text)", []string{"error too-deep "}},
		{"deep Maybe", "(a::`" + strings.Repeat("Maybe ", 5000) + "Int`)==>(::Text)", []string{"error too-deep "}},
	}, checkSignature)
}

// schemas are signatures with the schemas of their arguments and results.
var schemas = []struct{ name, signature, input, output string }{
	{"no parameters", "()==>(::Text)", `{"type":"object","properties":{},"required":[]}`, `{"type":"string"}`},
	{"result alone", "(::`[Int]`)", `{"type":"object","properties":{},"required":[]}`, `{"type":"array","items":{"type":"integer"}}`},
	{"order and required", "(b::Int)==>(a::Double {optional:true})==>(c::Bool)==>(::Object)",
		`{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"number"},"c":{"type":"boolean"}},"required":["b","c"]}`, `{"type":"object"}`},
	{"left arrows", "(r::Text)<--(b::Int)<~~(a::Int)", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}`, `{"type":"string"}`},
	{"descriptions", "(a::Text {description:'<a> & \"b\"'})==>(::Array {description:'all'})",
		`{"type":"object","properties":{"a":{"type":"string","description":"<a> & \"b\""}},"required":["a"]}`, `{"type":"array","description":"all","items":{}}`},
	{"names of JSON", "(`__proto__`::Text)==>(type::Text)==>(`a \"b\"`::Text)==>(1::Text)==>(::Text)",
		`{"type":"object","properties":{"__proto__":{"type":"string"},"type":{"type":"string"},"a \"b\"":{"type":"string"},"1":{"type":"string"}},"required":["__proto__","type","a \"b\"","1"]}`, `{"type":"string"}`},
	{"Maybe", "(a::`Maybe Int`)==>(b::`Maybe (Maybe [Text])`)==>(::Text)",
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"array","items":{"type":"string"}}},"required":[]}`, `{"type":"string"}`},
	{"records", "(a::` { x : Text , y :: Maybe {} , z : [ { } ] } `)==>(::Text)",
		`{"type":"object","properties":{"a":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"object","properties":{},"required":[]},"z":{"type":"array","items":{"type":"object","properties":{},"required":[]}}},"required":["x","z"]}},"required":["a"]}`, `{"type":"string"}`},
	{"fields", "(a::Object {fields:[{name:x, type:'Maybe Int', description:'d'}, {name:y, type:Array, of:Object, fields:[]}, {name:z, type:Object, default:{}}]})==>(::Text)",
		`{"type":"object","properties":{"a":{"type":"object","properties":{"x":{"type":"integer","description":"d"},"y":{"type":"array","items":{"type":"object","properties":{},"required":[]}},"z":{"type":"object","default":{}}},"required":["y"]}},"required":["a"]}`, `{"type":"string"}`},
	{"result with fields", "(r::Object {fields:[{name:x, type:Int}]})<==()",
		`{"type":"object","properties":{},"required":[]}`, `{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}`},
}

func TestSchemasAreTheseBytes(t *testing.T) {
	for _, tt := range schemas {
		signature, problems := types.ParseTypeSignature(tt.signature)
		if signature == nil {
			t.Errorf("%s: %v", tt.name, problems.Err())
			continue
		}
		if diff := cmp.Diff(tt.input, string(signature.InputSchema())); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.output, string(signature.OutputSchema())); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		compiled(t, signature.InputSchema())
		compiled(t, signature.OutputSchema())
		inCode := &types.Signature{Params: signature.Params, Return: signature.Return}
		if string(inCode.InputSchema()) != tt.input || string(inCode.OutputSchema()) != tt.output {
			t.Errorf("%s: a signature made in code has other schemas", tt.name)
		}
	}
}

func TestTheModelMarshalsToTheSameSchema(t *testing.T) {
	for _, tt := range schemas {
		model, err := types.TypeSignatureToJSONSchema(tt.signature)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(model)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(exact(t, json.RawMessage(tt.input)), exact(t, got)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	if _, err := types.TypeSignatureToJSONSchema("(a::Foo)==>(::Text)"); err == nil {
		t.Error("a schema of an unknown type")
	}
}

// exact decodes JSON with its numbers as they are written.
func exact(t interface{ Fatal(...any) }, data json.RawMessage) any {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDefaultsAreExactJSON(t *testing.T) {
	for _, tt := range []struct{ typ, value, want string }{
		{"Text", `""`, `""`},
		{"Text", `'a "b" <c>'`, `"a \"b\" <c>"`},
		{"Text", "md`x`", `"x"`},
		{"Text", "```\na\n b\n```", `"a\n b"`},
		{"Int", "0", "0"},
		{"Int", "-5", "-5"},
		{"Int", "123456789012345678901234567890", "123456789012345678901234567890"},
		{"Int", "5.0", "5.0"},
		{"Int", "0xFF", "255"},
		{"Int", "010", "8"},
		{"Double", "1.50", "1.50"},
		{"Double", "3", "3"},
		{"Bool", "false", "false"},
		{"Array", "[1, 'a', true, [2], {b:3}]", `[1,"a",true,[2],{"b":3}]`},
		{"Array", "[]", "[]"},
		{"`[Int]`", "[1, 2.0]", "[1,2.0]"},
		{"Object", "{a:1, `b c`:{d:'e'}}", `{"a":1,"b c":{"d":"e"}}`},
		{"`{a: Int, b: Maybe Text}`", "{a:1, c:2}", `{"a":1,"c":2}`},
	} {
		signature, problems := types.ParseTypeSignature("(x::" + tt.typ + " {default:" + tt.value + "})==>(::Text)")
		if signature == nil {
			t.Errorf("%s %s: %v", tt.typ, tt.value, problems.Err())
			continue
		}
		if got := string(signature.Params[0].Default); got != tt.want || !signature.Params[0].Optional {
			t.Errorf("%s %s: default %s", tt.typ, tt.value, got)
		}
		if !json.Valid(signature.InputSchema()) {
			t.Errorf("%s", signature.InputSchema())
		}
	}
}

func TestDefaultsFitTheirTypes(t *testing.T) {
	for _, tt := range []struct{ typ, value, at string }{
		{"Text", "5", "5"}, {"Text", "true", "true"}, {"Text", "['a']", "['a']"}, {"Text", "{}", "{}"}, {"Text", "1..2", "1..2"},
		{"Int", "'5'", "'5'"}, {"Int", "1.5", "1.5"}, {"Int", "five", "five"}, {"Int", "true", "true"}, {"Int", "5kg", "5kg"}, {"Int", "1...", "1..."}, {"Int", "n`1`", "n`1`"},
		{"Double", "'1'", "'1'"}, {"Double", "x", "x"}, {"Bool", "1", "1"}, {"Bool", "yes", "yes"}, {"Bool", "'true'", "'true'"},
		{"Object", "1", "1"}, {"Object", "[]", "[]"}, {"Object", "{a:5kg}", "5kg"}, {"Object", "{a:[1..2]}", "1..2"},
		{"Array", "{}", "{}"}, {"Array", "'a'", "'a'"}, {"`[Int]`", "[1, 'a', 'b']", "'a'"}, {"`[[Int]]`", "[[1], 2]", "2"},
		{"`{a: Int}`", "{}", "}"}, {"`{a: Int}`", "{a:'x'}", "'x'"}, {"`{a: {b: Int}}`", "{a:{c:1}}", "}"},
	} {
		_, problems := types.ParseTypeSignature("(x::" + tt.typ + " {default:" + tt.value + "})==>(::Text)")
		var errs diag.List
		for _, d := range problems {
			if d.Severity == diag.Error {
				errs = append(errs, d)
			}
		}
		if diff := cmp.Diff([]string{"error default-type-mismatch " + tt.at}, summary(errs)); diff != "" {
			t.Errorf("%s %s: %s", tt.typ, tt.value, diff)
			continue
		}
		if !strings.Contains(errs[0].Message, `"x"`) {
			t.Errorf("%s does not name the parameter", errs[0])
		}
	}
}

func TestAWordIsTakenAsTextWithAHint(t *testing.T) {
	for value, mention := range map[string]string{"world": "world", "null": "no null"} {
		severity := diag.Hint
		if value == "null" {
			severity = diag.Warning // nobody means the text
		}
		signature, problems := types.ParseTypeSignature("(x::Text {default:" + value + "})==>(::Text)")
		if signature == nil || string(signature.Params[0].Default) != `"`+value+`"` {
			t.Fatal(problems.Err())
		}
		if len(problems) != 1 || problems[0].Severity != severity || !strings.Contains(problems[0].Message, mention) {
			t.Errorf("%s: %v", value, problems)
		}
	}
}

func TestNothingIsLoweredFromABadTree(t *testing.T) {
	for _, p := range []*ast.Pattern{
		{Subject: &ast.Subject{}},
		{Form: ast.FormPath, Subject: &ast.Subject{}, Elements: []*ast.Pattern{{Subject: &ast.Subject{}}, {Subject: &ast.Subject{}}}, Arrows: []*ast.Arrow{{}}},
	} {
		if signature, problems := types.LowerSignature(p); signature != nil || len(problems) != 0 {
			t.Errorf("%v, %v", signature, summary(problems))
		}
	}
	f, _ := grammar.Parse("", "(a::Int {default:})==>(::Text)")
	if signature, problems := types.LowerSignature(f.Patterns[0]); signature != nil || len(problems) != 0 {
		t.Errorf("%v, %v", signature, summary(problems))
	}
	if _, problems := types.LowerSignature(&ast.Pattern{Form: ast.FormRef, Subject: &ast.Subject{Identity: ast.NewName("x")}}); !problems.HasErrors() {
		t.Error("a reference is a signature")
	}
}
