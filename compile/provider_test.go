package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/provider"
)

const sentTypes = `
[Person:Type {name::Text, bag::Map, nick:: type` + "`Text(minLength=3)`" + `}]
[Tree:Type | (value::Any), (kids::` + "`[Tree]`" + `), (note::Text {examples:["n"]})]
[Code:Type {minLength: 2} | (::Text)]
[Alias:Type {title: "T"} | (::Code)]
[Shape:Union | (::Person), (::` + "`{odd: Any}`" + `)]
[Shared:Type {shared: true, open::Object}]`

// TestProblemsOfTargetsStandWhereTheyAreWritten lists, for each parameter, the
// text under what OpenAI strict refuses (!) or does not get (-).
func TestProblemsOfTargetsStandWhereTheyAreWritten(t *testing.T) {
	for param, want := range map[string]string{
		"(p::Map {of::Int})":                     "!p",
		"(p::Object)":                            "!p",
		"(p::Any)":                               "!p",
		"(p::Array)":                             "!p",
		"(p::Text {minLength: 1, maxLength: 2})": "-minLength -maxLength",
		"(p::Text {title: \"T\", examples: [\"e\"]})":     "-title -examples",
		"(p::Array {of::Text, unique: true})":             "-unique",
		"(p::Object {q::{type: Map}})":                    "!q",
		"(p::`{q: {r: Map<Int>, s: Text(minLength=2)}}`)": "!r -minLength",
		"(p::`[Map<Int>]`)":                               "!Map<Int>",
		"(p::`[[{q: Any}]]`)":                             "!q",
		"(p::`Int | {q: Any} | [Map<Text>]`)":             "!q !Map<Text>",
		"(p::`(Map<Int> | Int)?`)":                        "!Map<Int>",
		"(p::Person)":                                     "!bag -minLength",
		"(p::`[Person]`)":                                 "!bag -minLength",
		"(p::`Person?`)":                                  "!bag -minLength",
		"(p::Tree)":                                       "!value -examples",
		"(p::`[Tree?]`)":                                  "!value -examples",
		"(p::Alias {maxLength: 5})":                       "-maxLength -minLength -title",
		"(p::Shape)":                                      "!bag -minLength !odd",
		"(p::Shared)==>(q::Shared)":                       "!open",
	} {
		t.Run(param, func(t *testing.T) {
			text := `[t:Tool {description: "d"} | ` + param + "==>(::Text)]" + sentTypes
			f, problems := grammar.Parse("t", text)
			tools, more := Tools(f, nil)
			if problems = append(problems, more...); problems.HasErrors() {
				t.Fatal(problems.Err())
			}
			lowered, list := tools[0].ProviderInput(provider.OpenAIStrict)
			var got []string
			for _, d := range list {
				sign := map[bool]string{true: "!", false: "-"}[strings.HasPrefix(string(d.Code), "target-refuses")]
				got = append(got, sign+d.Span.Text())
			}
			if (lowered == nil) != list.HasErrors() {
				t.Errorf("lowered: %v, %v", lowered != nil, list)
			}
			if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestImportedTypesAreToldOfWhereTheyAreUsed has a type that cannot be sent in
// another file: Check must report, and can report only of its own file.
func TestImportedTypesAreToldOfWhereTheyAreUsed(t *testing.T) {
	types, _ := grammar.Parse("types.gram", sentTypes)
	for _, param := range []string{"(p::Person)", "(p::Tree)", "(p::`{q: [Shared]}`)"} {
		text := `{import: ["./types.gram"]} [a:Agent {instruction: "i", model: "OpenAI/m"} | [t:Tool {description: "d", strict: true} | ` + param + "==>(::Text)]]"
		f, _ := grammar.Parse("main.gram", text)
		reported := fmt.Sprint(Check(f, &Options{Imported: []*ast.File{types}}))
		if !strings.Contains(reported, "main.gram") || !strings.Contains(reported, "cannot be sent") {
			t.Errorf("%s: %s", param, reported)
		}
	}
}

func TestStrictToolsOfAnthropic(t *testing.T) {
	agent := func(model, tools string) string {
		return `[a:Agent {instruction: "i", model: "` + model + `"} | ` + tools + `]`
	}
	many := ""
	for i := range 21 {
		many += fmt.Sprintf(`[t%d:Tool {description: "d", strict: true} | (p::Text)==>(::Text)],`, i)
	}
	const aMap = `[t:Tool {description: "d", strict: true} | (p::Map {of::Int})==>(::Text)]`
	for _, tt := range []struct{ model, tools, want string }{
		{"Anthropic/claude-opus-5", aMap, "cannot be sent to Anthropic strict: "},
		{"Anthropic/claude-opus-5", strings.ReplaceAll(aMap, ", strict: true", ""), ""},
		{"Anthropic/claude-opus-5", strings.TrimSuffix(many, ","), `the strict tools of the agent "a" cannot be sent to Anthropic strict: Anthropic strict takes at most 20 strict tools in a request, and here are 21; make fewer tools strict`},
		{"OpenAI/gpt-5.4", strings.TrimSuffix(many, ","), ""},
	} {
		f, _ := grammar.Parse("main.gram", agent(tt.model, tt.tools))
		problems := providerErrors(Check(f, nil))
		if tt.want == "" && len(problems) > 0 || tt.want != "" && (len(problems) != 1 || !strings.Contains(problems[0].Message, tt.want)) {
			t.Errorf("%s with %.80s: %v", tt.model, tt.tools, problems)
		}
	}
	f, _ := grammar.Parse("main.gram", agent("Anthropic/claude-opus-5", `[t:Tool {description: "d", strict: true} | (p::Text)==>(::Text)]`))
	p, problems := File(f, nil)
	if p == nil {
		t.Fatal(problems)
	}
	request, _ := p.Agents[0].ProviderRequest(provider.Anthropic)
	if body := string(request.Body(provider.Anthropic)); !strings.Contains(body, `"additionalProperties":false},"strict":true}`) {
		t.Error(body)
	}
}
