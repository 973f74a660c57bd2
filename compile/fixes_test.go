package compile

import (
	"testing"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

// TestTheFirstFixIsWhatWasMeant has files with one mistake, and what the first fix of
// it makes of them.
func TestTheFirstFixIsWhatWasMeant(t *testing.T) {
	param := func(p string) string { return `[t:Tool {description: "d"} | ` + p + `==>(::Text)]` }
	const agent = `[a:Agent {instruction: "i", model: "OpenAI/m"} | `
	for text, want := range map[string]string{
		`[l:Library | (t:Command {run: ["true"]})]`:                          `[l:Library | [t:Command {run:["true"]}]]`,
		param(`(x::Int {default: "3"})`):                                     param(`(x::Int {default: 3})`),
		param(`(x::Number {default: "-0.5"})`):                               param(`(x::Number {default: -0.5})`),
		param(`(x::Text {default: None})`):                                   param(`(x::Text {optional: true})`),
		param(`(x::Text {default: null})`):                                   param(`(x::Text {optional: true})`),
		param(`(x::Text {default: 3})`):                                      param(`(x::Text {default: "3"})`),
		param(`(x::Text {default: true})`):                                   param(`(x::Text {default: "true"})`),
		param(`(x::Bool {default: "false"})`):                                param(`(x::Bool {default: false})`),
		param(`(x::Bool {default: yes})`):                                    param(`(x::Bool {default: true})`),
		param(`(x::Array {of:: Text, default: "a"})`):                        param(`(x::Array {of:: Text, default: ["a"]})`),
		param(`(x::Array {of:: Int, default: [1, "2"]})`):                    param(`(x::Array {of:: Int, default: [1, 2]})`),
		param(`(x::Text {enum: ["red", "blue"], default: "bleu"})`):          param(`(x::Text {enum: ["red", "blue"], default: "blue"})`),
		param("(x::`{a: Int = \"1\"}`)"):                                     param("(x::`{a: Int = 1}`)"),
		param(`(x::Int {default: "three"})`):                                 "",
		param(`(x::Text {enum: ["a", "b", "a"]})`):                           param(`(x::Text {enum: ["a", "b"]})`),
		param(`(x::Text {description: "d", description: "d"})`):              param(`(x::Text {description: "d"})`),
		param("(x::Text {description: \"d\", // why\n description: \"d\"})"): "",
		param(`(x::Text)==>(y::Int)==>(x::Text)`):                            param(`(x::Text)==>(y::Int)`),
		agent + `t, t] ` + param(`(x::Text)`):                                agent + `t] ` + param(`(x::Text)`),
		"[T:Type {a::Int}]\n[T:Type {a::Int}]\n":                             "[T:Type {a::Int}]\n",
		"[T:Type {a::Int}]\n[T:Type {a::Text}]\n":                            "",
		agent + "t]\n" + agent + "t]\n" + param(`(x::Text)`):                 agent + "t]\n" + param(`(x::Text)`),
		agent + `t] [t:Tool {description: "d", deprecated: "use u"} | (::Text)] [u:Tool {description: "d"} | (::Text)]`:                                                                                                                agent + `u] [t:Tool {description: "d", deprecated: "use u"} | (::Text)] [u:Tool {description: "d"} | (::Text)]`,
		agent + "t] [t:Tool {description: \"d\", deprecated: \"Old. Use `u` instead.\"} | (::Text)] [u:Tool {description: \"d\"} | (::Text)]":                                                                                          agent + "u] [t:Tool {description: \"d\", deprecated: \"Old. Use `u` instead.\"} | (::Text)] [u:Tool {description: \"d\"} | (::Text)]",
		agent + `t] [t:Tool {description: "d", deprecated: "use another"} | (::Text)]`:                                                                                                                                                 "",
		param("(x::`[T]`)") + ` [T:Type {a::Int, deprecated: "use U"}] [U:Type {b::Int}]`:                                                                                                                                              param("(x::`[U]`)") + ` [T:Type {a::Int, deprecated: "use U"}] [U:Type {b::Int}]`,
		`[t:Tool {description: "d", parameters: {type: "object", properties: {id: {type: "string", description: "i"}, n: {type: "integer", minimum: 1, default: 3}, l: {type: "array", items: {type: "number"}}}, required: ["id"]}}]`: `[t:Tool {description: "d"} | (id::Text {description: "i"})==>(n::Int {min: 1, default: 3})==>(l::Array {optional: true, of:: Number})==>(::Any)]`,
		"[t:Tool {input_schema: json`{\"type\": \"object\"}`, description: \"d\"}]":                                                                                                                                                    `[t:Tool {description: "d"} | ()==>(::Any)]`,
		`[t:Tool {description: "d", parameters: {id: "string", n: number}}]`:                                                                                                                                                           `[t:Tool {description: "d"} | (id::Text)==>(n::Number)==>(::Any)]`,
		`[t:Tool {description: "d", args: [{name: "id", type: "str"}, {name: n, type: int, required: false}]}]`:                                                                                                                        `[t:Tool {description: "d"} | (id::Text)==>(n::Int {optional: true})==>(::Any)]`,
		`[t:Tool {description: "d", parameters: {type: "object", properties: {a: {oneOf: [{type: "string"}]}}}}]`:                                                                                                                      "",
	} {
		f, problems := grammar.Parse("input", text)
		problems = append(problems, Check(f, nil)...)
		var first *diag.Diagnostic
		for _, d := range problems {
			if first == nil && d.Code != diag.CodeUnusedTool && d.Code != diag.CodeUnusedType && d.Code != diag.CodeNotPortable {
				first = d
			}
		}
		if first == nil {
			t.Errorf("%s: nothing is reported", text)
			continue
		}
		got := ""
		if len(first.Fixes) > 0 {
			got, _ = diag.Apply(text, first.Fixes[:1])
		}
		if got != want {
			t.Errorf("%s\n%s: the fix makes %q of it, want %q", text, first.Message, got, want)
		}
	}
}
