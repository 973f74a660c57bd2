package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

// summary shows a list: severity, code and the text of the span, one line each.
func summary(l diag.List) []string {
	lines := []string{}
	for _, d := range l {
		lines = append(lines, fmt.Sprintf("%s %s %s", d.Severity, d.Code, d.Span.Text()))
	}
	return lines
}

// file parses text, which must be gram, and lowers it.
func file(t *testing.T, text string, o *Options) (*Program, diag.List) {
	t.Helper()
	f, problems := grammar.Parse("test.gram", text)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return File(f, o)
}

// A rule is a text and what is reported of it.
type rule struct {
	name, text string
	want       []string
}

func checkRules(t *testing.T, rules []rule, check func(t *testing.T, text string) diag.List) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			problems := check(t, r.text)
			if diff := cmp.Diff(r.want, summary(problems)); diff != "" {
				t.Error(diff)
			}
			for _, d := range problems {
				checkWords(t, d)
				for _, fix := range d.Fixes {
					fixed := check(t, apply(r.text, fix))
					if slices.ContainsFunc(fixed, func(m *diag.Diagnostic) bool { return m.Message == d.Message }) {
						t.Errorf("the fix %q of %s does not help: %s", fix.Title, d, apply(r.text, fix))
					}
				}
			}
		})
	}
}

// checkWords checks what holds for every message.
func checkWords(t *testing.T, d *diag.Diagnostic) {
	t.Helper()
	if d.Message == "" || strings.ContainsAny(d.Message, "\n") || strings.HasSuffix(d.Message, ".") || strings.Contains(d.Message, "%!") {
		t.Errorf("message %q", d.Message)
	}
	if len(d.Message) > 400 {
		t.Errorf("message of %d bytes: %s", len(d.Message), d.Message)
	}
}

// apply makes the edits of a fix.
func apply(text string, fix diag.Fix) string {
	for _, e := range slices.Backward(fix.Edits) {
		text = text[:e.Span.Start] + e.NewText + text[e.Span.End:]
	}
	return text
}

func checkFile(t *testing.T, text string) diag.List {
	t.Helper()
	_, problems := file(t, text, nil)
	return problems
}

func TestRulesOfAgents(t *testing.T) {
	checkRules(t, []rule{
		{"fine", `[a:Agent {instruction:"i", model:"OpenAI/m"}]`, []string{}},
		{"description may be there", `[a:Agent {instruction:"i", model:"OpenAI/m", description:""}]`, []string{}},
		{"tagged and fenced texts", "[a:Agent {instruction:```md\nhi\n```, model:'Google/x/y'}]", []string{}},
		{"no name", `[:Agent {instruction:"i", model:"OpenAI/m"}]`, []string{"error missing-agent-name :Agent"}},
		{"empty name", "[``:Agent {instruction:'i', model:'OpenAI/m'}]", []string{"error missing-agent-name ``"}},
		{"name as a property only", `[:Agent {name:"a", instruction:"i", model:"OpenAI/m"}]`, []string{"warning missing-agent-name name"}},
		{"empty name as a property only", `[:Agent {name:"", instruction:"i", model:"OpenAI/m"}]`, []string{`error missing-agent-name ""`}},
		{"name twice, equal", `[a:Agent {name:"a", instruction:"i", model:"OpenAI/m"}]`, []string{}},
		{"name twice, not equal", `[a:Agent {name:"b", instruction:"i", model:"OpenAI/m"}]`, []string{`error conflicting-name "b"`}},
		{"name not text", `[a:Agent {name:5, instruction:"i", model:"OpenAI/m"}]`, []string{"error conflicting-name 5"}},
		{"no instruction", `[a:Agent {model:"OpenAI/m"}]`, []string{"error missing-instruction }"}},
		{"no instruction, empty record", `[a:Agent {}]`, []string{"error missing-instruction }", "error missing-model }"}},
		{"no record", `[a:Agent]`, []string{"error missing-instruction ", "error missing-model "}},
		{"blank instruction", `[a:Agent {instruction:" \t", model:"OpenAI/m"}]`, []string{`error empty-instruction " \t"`}},
		{"instruction not text", `[a:Agent {instruction:hello, model:"OpenAI/m"}]`, []string{"error invalid-instruction hello"}},
		{"misspelt instruction", `[a:Agent {instructions:"i", model:"OpenAI/m"}]`, []string{"error missing-instruction instructions"}},
		{"model of nobody", `[a:Agent {instruction:"i", model:"m"}]`, []string{`warning no-provider "m"`}},
		{"misspelt model", `[a:Agent {instruction:"i", Model:"m"}]`, []string{"error missing-model Model"}},
		{"no model", `[a:Agent {instruction:"i"}]`, []string{"error missing-model }"}},
		{"model not text", `[a:Agent {instruction:"i", model:gpt-4o}]`, []string{"error invalid-model gpt-4o"}},
		{"empty model", `[a:Agent {instruction:"i", model:""}]`, []string{`error invalid-model ""`}},
		{"unknown provider", `[a:Agent {instruction:"i", model:"Antropic/x"}]`, []string{"error invalid-model Antropic"}},
		{"no provider", `[a:Agent {instruction:"i", model:"/x"}]`, []string{"error invalid-model "}},
		{"no id", `[a:Agent {instruction:"i", model:"openai/"}]`, []string{`error invalid-model "openai/"`}},
		{"blank in the id", `[a:Agent {instruction:"i", model:"m "}]`, []string{`error invalid-model "m "`}},
		{"description not text", `[a:Agent {instruction:"i", model:"OpenAI/m", description:1}]`, []string{"error invalid-description 1"}},
		{"unknown property", `[a:Agent {instruction:"i", model:"OpenAI/m", temprature:0.5}]`, []string{"warning unknown-property temprature"}},
		{"misspelt property", `[a:Agent {instruction:"i", model:"OpenAI/m", descripton:"d"}]`, []string{"warning unknown-property descripton"}},
		{"key twice", `[a:Agent {instruction:"i", "instruction":"j", model:"OpenAI/m"}]`, []string{`error duplicate-key "instruction"`}},
		{"two agents of a name", `[a:Agent {instruction:"i", model:"OpenAI/m"}] [a:Agent {instruction:"j", model:"OpenAI/m"}]`, []string{"error duplicate-agent a"}},
		{"not labelled", `[a:Robot {instruction:"i", model:"OpenAI/m"}]`, []string{"error missing-agent-label a"}},
		{"no label", `[a {model:"OpenAI/m"}]`, []string{"error missing-agent-label a"}},
		{"no label and no name", `[{model:"OpenAI/m"}]`, []string{`error missing-agent-label [{model:"OpenAI/m"}]`}},
		{"misspelt label", `[a:agent {model:"OpenAI/m", instruction:"i"}]`, []string{"error missing-agent-label agent"}},
		{"in parentheses", `(a:Agent {instruction:"i", model:"OpenAI/m"})`, []string{`error no-agent (a:Agent {instruction:"i", model:"OpenAI/m"})`}},
		{"no agent", `(a)-->(b)`, []string{"error no-agent "}},
		{"nothing", ``, []string{"error no-agent "}},
	}, checkFile)
}

func TestRulesOfElements(t *testing.T) {
	const begin, end = `[a:Agent {instruction:"i", model:"OpenAI/m"} | `, `]`
	const tool = `[greet:Tool {description:"d"} | (::Text)]`
	checkRules(t, []rule{
		{"defined before", tool + begin + `greet` + end, []string{}},
		{"defined behind", begin + `greet` + end + tool, []string{}},
		{"defined in another agent", begin + `greet` + end + `[b:Agent {instruction:"i", model:"OpenAI/m"} | ` + tool + `]`, []string{}},
		{"defined in a group", begin + `greet` + end + `[tools | ` + tool + `]`, []string{}},
		{"older label", begin + `[t:ToolSpecification {description:"d"} | (::Text)]` + end, []string{}},
		{"both labels", begin + `[t:Tool:ToolSpecification {description:"d"} | (::Text)]` + end, []string{}},
		{"not defined", begin + `gret, ghost` + end + tool, []string{"error undefined-reference gret", "error undefined-reference ghost"}},
		{"an agent", begin + `[b:Agent {instruction:"i", model:"OpenAI/m"}], b` + end, []string{"error missing-tool-label b", "error missing-tool-label b"}},
		{"another thing", begin + `[t:Gadget {description:"d"}], [u], [:tool], [v:tool {description:"d"} | (::Text)]` + end,
			[]string{"error missing-tool-label t", "error missing-tool-label u", "error missing-tool-label tool", "error missing-tool-label tool"}},
		{"a reference to another thing", begin + `x` + end + `(x:Y)`, []string{"error missing-tool-label x"}},
		{"a path", begin + `(a::Text)==>(::Text)` + end, []string{"error missing-tool-label (a::Text)==>(::Text)"}},
		{"a node", begin + `(greet)` + end + tool, []string{"error missing-tool-label (greet)"}},
		{"twice by name", begin + `greet, greet` + end + tool, []string{"error duplicate-tool greet"}},
		{"twice by definition", begin + tool + `, ` + tool + end, []string{"error duplicate-tool greet"}},
		{"twice, differently", begin + tool + `, [greet:Tool {description:"e"} | (::Int)]` + end, []string{"error duplicate-tool greet"}},
		{"differently elsewhere", tool + begin + `[greet:Tool {description:"e"} | (::Text)]` + end, []string{"error duplicate-tool greet"}},
		{"equally elsewhere", tool + begin + `[greet : Tool {description: "d"} | (::Text)]` + end, []string{"hint duplicate-tool greet"}},
	}, checkFile)
}

func TestRulesOfTools(t *testing.T) {
	check := func(t *testing.T, text string) diag.List {
		f, problems := grammar.Parse("test.gram", text)
		if problems != nil {
			t.Fatal(problems.Err())
		}
		return Check(f, nil)
	}
	long := strings.Repeat("x", 257)
	checkRules(t, []rule{
		{"fine", `[t:Tool {description:"d"} | ()==>(::String)]`, []string{}},
		{"in another pattern", `[x | [y | [t:Tool | (::Text)]]]`, []string{"error missing-tool-description "}},
		{"no name", `[:Tool {description:"d"} | (::Text)]`, []string{"error missing-tool-name :Tool"}},
		{"name as a property", `[:Tool {name:"t", description:"d"} | (::Text)]`, []string{"error missing-tool-name :Tool", "warning unknown-property name"}},
		{"blank in the name", "[`my tool`:Tool {description:'d'} | (::Text)]", []string{}},
		{"dot in the name", `[a.b@c:Tool {description:"d"} | (::Text)]`, []string{}},
		{"names that providers cannot distinguish", "[a:Agent {instruction:'i', model:'OpenAI/m'} | [a.b:Tool {description:'d'} | (::Text)], [`a b`:Tool {description:'d'} | (::Text)]]",
			[]string{"error tool-name-collision `a b`"}},
		{"invisible character in the name", "[`a\u200bb`:Tool {description:'d'} | (::Text)]", []string{"error invalid-tool-name \u200b", "warning invisible-character \u200b"}},
		{"letter outside ASCII", "[`größe`:Tool {description:'d'} | (::Text)]", []string{}},
		{"escape before the character", "[`a\\n`:Tool {description:'d'} | (::Text)]", []string{`error invalid-tool-name \n`}},
		{"long name", `[` + long + `:Tool {description:"d"} | (::Text)]`, []string{"error invalid-tool-name " + long}},
		{"no description", `[t:Tool {} | (::Text)]`, []string{"error missing-tool-description }"}},
		{"misspelt description", `[t:Tool {desc:"d", descrption:"d"} | (::Text)]`, []string{"error missing-tool-description desc", "warning unknown-property descrption"}},
		{"empty description", `[t:Tool {description:""} | (::Text)]`, []string{`error empty-tool-description ""`}},
		{"description not text", `[t:Tool {description:5} | (::Text)]`, []string{"error missing-tool-description 5"}},
		{"no signature", `[t:Tool {description:"d"}]`, []string{"error missing-signature ]"}},
		{"signature as a property", `[t:Tool {description:"d", typeSignature:"(n: Text) --> IO Text"}]`, []string{"warning unknown-property typeSignature", "error missing-signature ]"}},
		{"a name as signature", `[t:Tool {description:"d"} | sig]`, []string{"error missing-signature sig"}},
		{"a bracket as signature", `[t:Tool {description:"d"} | [x]]`, []string{"error missing-signature [x]"}},
		{"two signatures", `[t:Tool {description:"d"} | (::Text), (a::Int)==>(::Text)]`, []string{"error multiple-signatures (a::Int)==>(::Text)"}},
		{"everything wrong", `[:Tool {}]`, []string{"error missing-tool-name :Tool", "error missing-tool-description }", "error missing-signature ]"}},
		{"one name, two types", inAgent(`(a::Int)`, `(a::Text)`), []string{"warning vocabulary a"}},
		{"one name, two types, no agent with both", `[t:Tool {description:"d"} | (a::Int)==>(::Text)] [u:Tool {description:"d"} | (a::Text)==>(::Text)]`, []string{}},
		{"one name, one type, other remarks", inAgent("(a::Text {examples:[\"x\"]})", "(a::Text {maxLength: 3})"), []string{}},
		{"one name, two defaults", inAgent(`(a::Int {default:1})`, `(a::Int {default:2})`), []string{}},
		{"one name, one default", inAgent(`(a::Int)`, `(a::Int {default:1})`), []string{}},
		{"one name, one type", inAgent(`(a::Int)`, "(a::`Integer?`)"), []string{}},
		{"one name, numbers", inAgent(`(a::Int)`, `(a::Number)`), []string{}},
	}, check)
}

func TestWhatDidNotParseIsToldOnce(t *testing.T) {
	for _, text := range []string{
		`[a:Agent {instruction:, model:"OpenAI/m"}]`,
		`[a:Agent {instruction:"i", model:}]`,
		`[a:Agent {instruction:"i", model:"OpenAI/m", description:}]`,
		`[a:Agent {instruction:"i", model:"OpenAI/m"} | [t:Tool {description:} | (::Text)]]`,
		`[a:Agent {instruction:"i", model:"OpenAI/m"} | [t:Tool {description:"d"} | "x"]]`,
		`[t:Tool {description:"d"} | (a::Object {default:{b:}})==>(::Text)]`,
		`[t:Tool {description:"d"} | (a::Text)=>(::Text)]`,
		`[t:Tool {description:"d"} | (a::Text {default:})==>(::Text)]`,
		`[t:Tool {description:"d"} | (a::Object {fields:[{name:, type:"Text"}]})==>(::Text)]`,
		`agent`,
	} {
		f, problems := grammar.Parse("test.gram", text)
		if len(problems) != 1 {
			t.Errorf("%s: the parser reports %d problems", text, len(problems))
		}
		program, more := File(f, nil)
		more = slices.DeleteFunc(more, func(d *diag.Diagnostic) bool {
			return d.Code == diag.CodeNotPortable || d.Code == diag.CodeNoAgent && !strings.Contains(text, "Agent")
		})
		if program != nil || len(more) != 0 {
			t.Errorf("%s: program %v, also reported: %v", text, program, summary(more))
		}
	}
}

func TestOptionsDecideWhatIsAnError(t *testing.T) {
	const text = `[a:Agent {instruction:"i", model:"OpenAI/m"} | [t:Tool {description:"d"} | (::Array {default:[]})==>(::Text)]]`
	for _, tt := range []struct {
		name string
		o    *Options
		want []string
	}{
		{"none", nil, []string{"warning missing-parameter-name (::Array {default:[]})", "information not-portable []"}},
		{"strict", &Options{Strict: true}, []string{"error missing-parameter-name (::Array {default:[]})", "information not-portable []"}},
		{"strict gram", &Options{StrictGram: true}, []string{"warning missing-parameter-name (::Array {default:[]})", "error not-portable []"}},
	} {
		_, problems := file(t, text, tt.o)
		if diff := cmp.Diff(tt.want, summary(problems)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestCheckAsksForNoAgent(t *testing.T) {
	f, _ := grammar.Parse("test.gram", `{a:1} (a)-->(b)`)
	if problems := Check(f, nil); len(problems) != 0 {
		t.Error(summary(problems))
	}
}

func TestLowerAgentTellsOfOneAgentAndItsTools(t *testing.T) {
	f, problems := grammar.Parse("test.gram", `
		[a:Agent {instruction:"i", model:"OpenAI/m", x:[[1]]} | t, t]
		[b:Agent {instruction:""} | u]
		[t:Tool {description:"d", x:[[2]]} | (x::Foo)==>(::Text)]
		[t:Tool {description:"other"} | (::Text)]
		[u:Tool]`)
	if problems != nil {
		t.Fatal(problems.Err())
	}
	agent, problems := LowerAgent(f, ResolveNames(f).Agents()[0], nil)
	usable := agent != nil
	if usable {
		t.Error("an agent with mistakes can run")
	}
	got := summary(problems)
	want := []string{
		"warning unknown-property x", "information not-portable [1]", "error duplicate-tool t",
		"warning unknown-property x", "information not-portable [2]", "error unknown-type Foo", "error duplicate-tool t",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	program, _ := File(f, nil)
	if program != nil {
		t.Error("a program with errors")
	}
}

func TestSharedToolsAreOneTool(t *testing.T) {
	program, problems := file(t, `[t:Tool {description:"d"} | (::Text)]
		[a:Agent {instruction:"i", model:"OpenAI/m"} | t] [b:Agent {instruction:"i", model:"OpenAI/m"} | t]`, nil)
	if program == nil {
		t.Fatal(problems.Err())
	}
	if len(program.Agents) != 2 || program.Agents[0].Tools[0] != program.Agents[1].Tools[0] {
		t.Error("two tools")
	}
}

func TestPlacesAreThoseOfThePatterns(t *testing.T) {
	program, problems := file(t, "// ü\n[s:Tool {description:'é'} | (::Text)] [a:Agent {instruction:'i', model:'m'} |\n t, s]\n\n  [t:Tool {description:'d'} | (::Text)]", nil)
	if program == nil {
		t.Fatal(problems.Err())
	}
	a := program.Agents[0]
	got := []string{}
	for _, p := range []source.Place{a.Place, a.Tools[0].Place, a.Tools[1].Place} {
		got = append(got, fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column))
	}
	if diff := cmp.Diff([]string{"test.gram:2:39", "test.gram:5:3", "test.gram:2:1"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestTreesMadeInCodeAreChecked(t *testing.T) {
	signature, _ := grammar.Parse("", "(a::Foo)==>(::Text)")
	agent := ast.NewAgent("a", "", "", "x/y", ast.NewTool("my\ttool", "", signature.Patterns[0]).Pattern, &ast.Pattern{Subject: &ast.Subject{}})
	f := &ast.File{Patterns: []*ast.Pattern{agent.Pattern}}
	want := map[diag.Code]bool{
		diag.CodeEmptyInstruction: true, diag.CodeInvalidModel: true, diag.CodeInvalidToolName: true,
		diag.CodeEmptyToolDescription: true, diag.CodeUnknownType: true,
	}
	got := map[diag.Code]bool{}
	for _, d := range Check(f, nil) {
		got[d.Code] = true
		for _, fix := range d.Fixes {
			for _, e := range fix.Edits {
				if e.Span == (source.Span{}) {
					t.Errorf("%s: a fix of nowhere", d)
				}
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// inAgent returns an agent with two tools that have these parameters.
func inAgent(a, b string) string {
	return `[a:Agent {instruction:"i", model:"OpenAI/m"} | [t:Tool {description:"d"} | ` + a + `==>(::Text)], [u:Tool {description:"d"} | ` + b + `==>(::Text)]]`
}
