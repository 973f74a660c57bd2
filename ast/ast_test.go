package ast_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/grammar"
)

const helloText = "[hello:Agent {note:0x1F, instruction:`Greet.`, model:\"OpenAI/m\", description:'d'} | [t:Tool:Extra {description:\"T\"} | (a::Text)==>(::Int)], other]"

func hello(t *testing.T) ast.Agent {
	t.Helper()
	file, problems := grammar.Parse("hello.gram", helloText)
	if problems.HasErrors() {
		t.Fatal(problems.Err())
	}
	agent, ok := ast.AsAgent(file.Patterns[0])
	if !ok {
		t.Fatal("not an agent")
	}
	return agent
}

func TestViewsReadAgentsAndTools(t *testing.T) {
	agent := hello(t)
	description, has := agent.Description()
	got := []string{agent.Name(), description, agent.Instruction(), agent.Model()}
	if diff := cmp.Diff([]string{"hello", "d", "Greet.", "OpenAI/m"}, got); diff != "" || !has {
		t.Error(diff)
	}
	var elements []string
	for p := range agent.Tools() {
		elements = append(elements, p.Identity())
		tool, ok := ast.AsTool(p)
		if !ok {
			continue
		}
		got := []string{tool.Name(), tool.Description(), ast.Print(tool.Signature())}
		if diff := cmp.Diff([]string{"t", "T", "(a::Text)==>(::Int)"}, got); diff != "" {
			t.Error(diff)
		}
	}
	if diff := cmp.Diff([]string{"t", "other"}, elements); diff != "" {
		t.Error(diff)
	}
}

func TestViewsAreRefusedToOtherPatterns(t *testing.T) {
	for _, text := range []string{"[x:Robot]", "(x:Agent)", "[x]", "(a:Agent)-->(b:Tool)"} {
		file, _ := grammar.Parse("f", text)
		if _, ok := ast.AsAgent(file.Patterns[0]); ok {
			t.Errorf("%s is an agent", text)
		}
		if _, ok := ast.AsTool(file.Patterns[0]); ok {
			t.Errorf("%s is a tool", text)
		}
	}
	file, _ := grammar.Parse("f", "[x:ToolSpecification] [y:Agent]")
	if tool, ok := ast.AsTool(file.Patterns[0]); !ok || tool.Signature() != nil || tool.Description() != "" {
		t.Error("an empty tool is no tool, or has a signature")
	}
	if agent, ok := ast.AsAgent(file.Patterns[1]); !ok || agent.Model() != "" {
		t.Error("an empty agent is no agent, or has a model")
	}
}

// TestSettersChangeOneThing prints a copy and the original: they differ only in
// what was set, and the original stays.
func TestSettersChangeOneThing(t *testing.T) {
	agent := hello(t)
	for name, tt := range map[string]struct {
		changed  ast.Agent
		old, new string
	}{
		"name":        {agent.WithName("other name"), "[hello:", "[`other name`:"},
		"instruction": {agent.WithInstruction("Say \"hi\"\n"), "`Greet.`", `"Say \"hi\"\n"`},
		"model":       {agent.WithModel("Google/g"), `"OpenAI/m"`, `"Google/g"`},
		"description": {agent.WithDescription("new"), "'d'", `"new"`},
		"tools":       {agent.WithTools(), " | [t:Tool:Extra {description:\"T\"} | (a::Text)==>(::Int)], other]", "]"},
	} {
		want := strings.Replace(helloText, tt.old, tt.new, 1)
		if diff := cmp.Diff(want, ast.Print(tt.changed.Pattern)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	tool, _ := ast.AsTool(agent.Elements[0])
	for want, changed := range map[string]ast.Tool{
		`[u:Tool:Extra {description:"T"} | (a::Text)==>(::Int)]`: tool.WithName("u"),
		`[t:Tool:Extra {description:"U"} | (a::Text)==>(::Int)]`: tool.WithDescription("U"),
		`[t:Tool:Extra {description:"T"} | other]`:               tool.WithSignature(agent.Elements[1]),
	} {
		if diff := cmp.Diff(want, ast.Print(changed.Pattern)); diff != "" {
			t.Error(diff)
		}
	}
	if diff := cmp.Diff(helloText, ast.Print(agent.Pattern)); diff != "" {
		t.Errorf("the original changed:\n%s", diff)
	}
}

func TestTreesMadeInCodePrintAndParse(t *testing.T) {
	file, _ := grammar.Parse("f", "()==>(::String)")
	tool := ast.NewTool("say hello", "Says \\ `hello` and \"goodbye\"\t\r\b\f", file.Patterns[0])
	agent := ast.NewAgent("héllo", "", "Line one\nline two", "OpenAI/m", tool.Pattern)
	text := ast.Print(agent.Pattern)
	again, problems := grammar.Parse("again", text)
	if problems.HasErrors() {
		t.Fatalf("%s\n%v", text, problems.Err())
	}
	parsed, _ := ast.AsAgent(again.Patterns[0])
	parsedTool, _ := ast.AsTool(parsed.Elements[0])
	got := []string{parsed.Name(), parsed.Instruction(), parsed.Model(), parsedTool.Name(), parsedTool.Description(), ast.Print(parsedTool.Signature())}
	want := []string{"héllo", "Line one\nline two", "OpenAI/m", "say hello", tool.Description(), "()==>(::String)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%s", text, diff)
	}
	if _, has := parsed.Description(); has {
		t.Error("an empty description was written")
	}
}

func TestPreorderFollowsTheTextAndStopsEarly(t *testing.T) {
	file, _ := grammar.Parse("f", "{h: [1]} @k(2) [a:L {x: 3..4} | (b)-[r]->(c), d]")
	var spans []int
	for n := range ast.Preorder(file) {
		spans = append(spans, n.Span().Start)
	}
	for i := 1; i < len(spans); i++ {
		if spans[i] < spans[i-1] {
			t.Errorf("node %d starts at %d, after one at %d", i, spans[i], spans[i-1])
		}
	}
	seen := 0
	for range ast.Preorder(file) {
		if seen++; seen == 3 {
			break
		}
	}
	if len(spans) < 20 || seen != 3 {
		t.Errorf("%d nodes, stopped after %d", len(spans), seen)
	}
}

func TestPathToTakesTheNodeBeforeTheOffset(t *testing.T) {
	const text = "[ab:Tool | (c)==>(d)]"
	file, _ := grammar.Parse("f", text)
	for offset, want := range map[int]string{
		0: text, 1: "ab", 2: "ab", 3: "ab", 4: "Tool", 8: "Tool", 9: text, 12: "c", 13: "c", len(text): text,
	} {
		path := ast.PathTo(file, offset)
		if innermost := path[len(path)-1].Span().Text(); innermost != want {
			t.Errorf("at %d stands %q, want %q", offset, innermost, want)
		}
	}
}

func TestNumbersKeepTheirSpelling(t *testing.T) {
	for raw, want := range map[string]struct {
		kind   ast.NumberKind
		digits string
		unit   string
	}{
		"0xfF": {ast.Hexadecimal, "255", ""}, "0755": {ast.Octal, "493", ""}, "-3.50kg": {ast.Measurement, "-3.50", "kg"},
		"1.50": {ast.Decimal, "1.50", ""}, "9007199254740993": {ast.Integer, "9007199254740993", ""},
	} {
		file, _ := grammar.Parse("f", "({v: "+raw+"})")
		n := file.Patterns[0].Property("v").Value.(*ast.Number)
		if n.Kind != want.kind || n.Digits() != want.digits || n.Unit() != want.unit || n.Raw != raw {
			t.Errorf("%s: kind %d, digits %s, unit %q", raw, n.Kind, n.Digits(), n.Unit())
		}
	}
}

func TestTextOfTakesTextOnly(t *testing.T) {
	file, _ := grammar.Parse("f", "({a: \"x\", b: md`x`, c: x, d: 1, e: [\"x\"]})")
	got := map[string]bool{}
	for _, p := range file.Patterns[0].Subject.Record.Properties {
		_, got[p.Key.Text] = ast.TextOf(p.Value)
	}
	want := map[string]bool{"a": true, "b": true, "c": false, "d": false, "e": false}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if _, ok := ast.TextOf(nil); ok {
		t.Error("no value has a text")
	}
}
