package compile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

// TestFixesOfWhatIsUnusedOrMissing tests the first fix of what nothing uses, of what
// stands there twice, and of a tool that an agent lacks: the text that it makes, in which the problem is gone.
func TestFixesOfWhatIsUnusedOrMissing(t *testing.T) {
	const agent = "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"} | used]\n[b:Agent {instruction: \"i\", model: \"OpenAI/m\"} | used]\n[used:Tool {description: \"d\"} | (::Text)]\n"
	const mentions = "[a:Agent {instruction: \"Use `used`.\", model: \"OpenAI/m\"}"
	const tool = "[used:Tool {description: \"d\"} | (::Text)]\n"
	for _, tt := range []struct {
		name string
		code diag.Code
		text string
		want string
		safe bool
	}{
		{"a tool of the only agent", diag.CodeUnusedTool, mentions + "]\n" + strings.Replace(tool, "used", "new", 1), mentions + " | new]\n" + strings.Replace(tool, "used", "new", 1), false},
		{"a tool", diag.CodeUnusedTool, agent + "\n// Old.\n[old:Tool {description: \"d\"} | (::Text)] // and so on\n", agent, false},
		{"a tool before others", diag.CodeUnusedTool, "[old:Tool {description: \"d\"} | (::Text)]\n\n" + agent, agent, false},
		{"a tool on a line with others", diag.CodeUnusedTool, "[old:Tool {description: \"d\"} | (::Text)] " + agent, " " + agent, false},
		{"CRLF", diag.CodeUnusedTool, tool + "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"} | used]\r\n[b:Agent {instruction: \"i\", model: \"OpenAI/m\"} | used]\r\n[old:Tool {description: \"d\"} | (::Text)]\r\n", tool + "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"} | used]\r\n[b:Agent {instruction: \"i\", model: \"OpenAI/m\"} | used]\r\n", false},
		{"a type", diag.CodeUnusedType, agent + "[Old:Type {x::Int}]\n", agent, false},
		{"the only import", diag.CodeUnusedImport, "{import: [\"./t.gram\"]}\n\n" + agent, agent, false},
		{"the only import, as text", diag.CodeUnusedImport, "{import: \"./t.gram\"}\n" + agent, agent, false},
		{"one of two imports", diag.CodeUnusedImport, "{import: [\"./t.gram\", \"./u.gram\"]}\n" + agent, "{import: [\"./u.gram\"]}\n" + agent, false},
		{"the last of two imports", diag.CodeUnusedImport, "{import: [\"./u.gram\", \"./t.gram\"]}\n" + agent, "{import: [\"./u.gram\"]}\n" + agent, false},
		{"one of two properties", diag.CodeUnusedImport, "{import: [\"./t.gram\"], by: \"me\"}\n" + agent, "{by: \"me\"}\n" + agent, false},
		{"an import twice", diag.CodeInvalidImport, "{import: [\"./u.gram\", \"./u.gram\"]}\n" + agent, "{import: [\"./u.gram\"]}\n" + agent, true},
		{"the first tool of an agent", diag.CodeMissingTool, mentions + "]\n" + tool, mentions + " | used]\n" + tool, false},
		{"a reference twice", diag.CodeDuplicateTool, "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"} | used, used]\n" + tool, "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"} | used]\n" + tool, true},
		{"a definition twice in an agent", diag.CodeDuplicateTool, "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"} | " + tool[:len(tool)-1] + ", " + tool[:len(tool)-1] + "]\n", "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"} | " + tool[:len(tool)-1] + "]\n", true},
		{"a definition in two agents", diag.CodeDuplicateTool, "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"} | " + tool[:len(tool)-1] + "]\n[b:Agent {instruction: \"i\", model: \"OpenAI/m\"} | " + tool[:len(tool)-1] + "]\n", "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"} | " + tool[:len(tool)-1] + "]\n[b:Agent {instruction: \"i\", model: \"OpenAI/m\"} | used]\n", true},
		{"a tool with a misspelt name", diag.CodeMissingTool, mentions + " | usde]\n" + strings.Replace(tool, "used", "usde", 1), strings.Replace(mentions, "`used`", "`usde`", 1) + " | usde]\n" + strings.Replace(tool, "used", "usde", 1), false},
		{"a type with a misspelt name", diag.CodeUnknownType, "[Piont:Type {x::Int}]\n[t:Tool {description: \"d\"} | (a::Point)==>(::Point)]\n", "[Point:Type {x::Int}]\n[t:Tool {description: \"d\"} | (a::Point)==>(::Point)]\n", false},
		{"a misspelt use of a type", diag.CodeUnknownType, "[Point:Type {x::Int}]\n[t:Tool {description: \"d\"} | (a::Piont)==>(::Point)]\n", "[Point:Type {x::Int}]\n[t:Tool {description: \"d\"} | (a::Point)==>(::Point)]\n", false},
		{"commas between parameters", diag.CodeMultipleSignatures, "[t:Tool {description: \"d\"} | (a::Int),\n  (b::Int), (::Int)]\n", "[t:Tool {description: \"d\"} | (a::Int)==>\n  (b::Int)==>(::Int)]\n", false},
		{"a comma in the signature of an entry", diag.CodeMultipleSignatures, "[l:Library | [t:Command {run: [\"t\"]} | (a::Int), (::Int)]]\n", "[l:Library | [t:Command {run: [\"t\"]} | (a::Int)==>(::Int)]]\n", false},
		{"a name that has its label", diag.CodeUnknownEntry, "[l:Library | [calculator:Builtin], [stockHttp {url: \"https://example.org/\"}]]\n", "[l:Library | [calculator:Builtin], [stock:Http {url: \"https://example.org/\"}]]\n", false},
		{"a misspelt discriminator", diag.CodeInvalidConstraint, "[U:Union {discriminator: kid} | (::A)]\n[A:Type {kind:: type`\"a\"`}]\n", "[U:Union {discriminator: kind} | (::A)]\n[A:Type {kind:: type`\"a\"`}]\n", false},
		{"a misspelt false", diag.CodeInvalidConstraint, "[t:Tool {description: \"d\", retryable: fales} | (::Int)]\n", "[t:Tool {description: \"d\", retryable: false} | (::Int)]\n", false},
		{"a misspelt repeat", diag.CodeInvalidConstraint, "[t:Tool {description: \"d\", repeat: save} | (::Int)]\n", "[t:Tool {description: \"d\", repeat: safe} | (::Int)]\n", false},
		{"a repeat of another kind", diag.CodeInvalidConstraint, "[l:Library | [t:Command {run: [\"t\"], repeat: false}]]\n", "[l:Library | [t:Command {run: [\"t\"], repeat: once}]]\n", false},
		{"a range in quotes", diag.CodeInvalidConstraint, "[t:Tool {description: \"d\"} | (a::Int {range: \"1..10\"})==>(::Int)]\n", "[t:Tool {description: \"d\"} | (a::Int {range: 1..10})==>(::Int)]\n", true},
		{"a number in quotes", diag.CodeInvalidConstraint, "[t:Tool {description: \"d\"} | (a::Int {min: \"1\"})==>(::Int)]\n", "[t:Tool {description: \"d\"} | (a::Int {min: 1})==>(::Int)]\n", true},
		{"True", diag.CodeInvalidConstraint, "[t:Tool {description: \"d\", retryable: True} | (a::Int)==>(::Int)]\n", "[t:Tool {description: \"d\", retryable: true} | (a::Int)==>(::Int)]\n", true},
		{"a property of other tools", diag.CodeUnknownProperty, "[t:Tool {description: \"d\"} | (a::Text {choices: [\"b\"]})==>(::Int)]\n", "[t:Tool {description: \"d\"} | (a::Text {enum: [\"b\"]})==>(::Int)]\n", false},
		{"names as elements of an enum", diag.CodeInvalidType, "[E:Enum | a, b]\n", "[E:Enum {values: [\"a\", \"b\"]}]\n", false},
		{"tools as a property", diag.CodeUnknownProperty, "[a:Agent {instruction: \"i\", model: \"OpenAI/m\", tools: [used]}]\n" + tool, "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"} | used]\n" + tool, false},
		{"an agent in parentheses", diag.CodeNoAgent, "(a:Agent {instruction: \"i\", model: \"OpenAI/m\"})\n" + agent, "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"}]\n" + agent, false},
		{"another tool of an agent", diag.CodeMissingTool, mentions + " | b]\n[b:Tool {description: \"d\"} | (::Text)]\n" + tool, mentions + " | b, used]\n[b:Tool {description: \"d\"} | (::Text)]\n" + tool, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check := func(text string) (*diag.Diagnostic, diag.List) {
				file, problems := grammar.Parse("a.gram", text)
				other, _ := grammar.Parse("t.gram", "[other:Tool {description: \"d\"} | (::Text)]")
				problems = append(problems, compile.Check(file, &compile.Options{
					Imported: []*ast.File{other}, ReachableFrom: map[string][]*ast.File{"./t.gram": {other}},
				})...)
				i := slices.IndexFunc(problems, func(d *diag.Diagnostic) bool { return d.Code == tt.code })
				if i < 0 {
					return nil, problems
				}
				return problems[i], problems
			}
			d, problems := check(tt.text)
			if d == nil || len(d.Fixes) == 0 {
				t.Fatalf("there is no fix: %v", problems)
			}
			if d.Fixes[0].Safe != tt.safe {
				t.Errorf("safe is %v", d.Fixes[0].Safe)
			}
			got, _ := diag.Apply(tt.text, d.Fixes[:1])
			if got != tt.want {
				t.Errorf("it makes\n%s", got)
			}
			if d, _ := check(got); d != nil {
				t.Errorf("there is still %v", d)
			}
		})
	}
}
