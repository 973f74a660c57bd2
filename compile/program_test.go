package compile

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/models"
)

const twoAgents = `
[greeter:Agent {description: "Says <hello>", instruction: "Greet & smile.", model: "openai/gpt-5.4-mini"} |
  [greet:Tool {description: "Greets"} | (personName::Text {default:"world"})==>(::String)],
  shared
]
[other:Agent {instruction: "i", model: "Anthropic/claude-3"} | shared]
[shared:ToolSpecification {description: "Shared"} |
  // of two lines
  (user::Object {fields:[{name:"age", type:"Int"}]})==>
  (::Array {of:Int})]
`

const twoAgentsJSON = `{
  "version": 1,
  "agents": [
    {
      "name": "greeter",
      "description": "Says <hello>",
      "model": {
        "provider": "OpenAI",
        "id": "gpt-5.4-mini"
      },
      "instruction": "Greet & smile.",
      "tools": [
        {
          "name": "greet",
          "description": "Greets",
          "typeSignature": "(personName::Text {default:\"world\"})==>(::String)",
          "schema": {
            "type": "object",
            "properties": {
              "personName": {
                "type": "string",
                "default": "world"
              }
            },
            "required": []
          },
          "outputSchema": {
            "type": "string"
          },
          "span": {
            "file": "test.gram",
            "start": 111,
            "end": 199,
            "line": 3,
            "column": 3
          }
        },
        {
          "name": "shared",
          "description": "Shared",
`

func twoAgentsProgram(t *testing.T) *Program {
	t.Helper()
	program, problems := file(t, twoAgents, nil)
	if program == nil {
		t.Fatal(problems.Err())
	}
	return program
}

func TestIRFilesAreTheseBytes(t *testing.T) {
	program := twoAgentsProgram(t)
	got := string(program.JSON())
	if diff := cmp.Diff(twoAgentsJSON, got[:min(len(got), len(twoAgentsJSON))]); diff != "" {
		t.Error(diff)
	}
	if got != string(program.JSON()) {
		t.Error("other bytes the second time")
	}
	if _, err := json.Marshal(program); err != nil {
		t.Error(err)
	}
}

func TestSignaturesOfSeveralLinesArePrintedOnOne(t *testing.T) {
	tool := twoAgentsProgram(t).Agents[1].Tools[0]
	if strings.ContainsAny(tool.TypeSignature, "\n") || strings.Contains(tool.TypeSignature, "//") {
		t.Errorf("signature text %q", tool.TypeSignature)
	}
	again, problems := types.ParseTypeSignature(tool.TypeSignature)
	if again == nil || !sameSignature(again, tool.Signature) {
		t.Errorf("%s means something else: %v", tool.TypeSignature, problems)
	}
}

func TestReadingAnIRFileGivesTheProgram(t *testing.T) {
	program := twoAgentsProgram(t)
	read, err := ReadProgram("ir.json", program.JSON(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if string(read.JSON()) != string(program.JSON()) {
		t.Error(cmp.Diff(string(program.JSON()), string(read.JSON())))
	}
	if read.Agents[0].Tools[1] != read.Agents[1].Tools[0] {
		t.Error("the shared tool is read twice")
	}
	if !sameSignature(read.Agents[0].Tools[1].Signature, program.Agents[0].Tools[1].Signature) {
		t.Error("another signature")
	}
}

func TestSchemasOfIRFilesAreNotTrusted(t *testing.T) {
	good := string(twoAgentsProgram(t).JSON())
	bad := strings.ReplaceAll(strings.ReplaceAll(good, `"type": "integer"`, `"type": "string"`), `"outputSchema"`, `"ignored"`)
	read, err := ReadProgram("ir.json", []byte(bad), nil)
	if err != nil || string(read.JSON()) != good {
		t.Errorf("%v, %s", err, cmp.Diff(good, string(read.JSON())))
	}
}

func TestReadProgramNamesThePlaceOfAMistake(t *testing.T) {
	const agent = `"name":"a","model":{"provider":"OpenAI","id":"m"},"instruction":"i"`
	one := func(members string) string { return `{"version":1,"agents":[{` + members + `}]}` }
	tool := func(members string) string { return one(agent + `,"tools":[{` + members + `}]`) }
	const sig = `"typeSignature":"(::Text)"`
	for _, tt := range []struct{ data, want string }{
		{``, `ir.json: not JSON: unexpected end of JSON input (at byte 0)`},
		{`{"version":1`, `ir.json: not JSON: unexpected end of JSON input (at byte 12)`},
		{`[]`, `ir.json: a JSON array; it must be an object`},
		{`{}`, `ir.json: no version: this is not a program of gramc`},
		{`{"version":2,"agents":5}`, `ir.json: agents is a JSON number; it must be an array`},
		{`{"version":"1"}`, `ir.json: version is a JSON string; it must be an integer`},
		{`{"version":2}`, `ir.json: version: version 2 is not known here; only version 1 is`},
		{`{"version":1}`, `ir.json: agents: there is no agent`},
		{one(``), "ir.json: agents[0].instruction: the instruction of the agent is empty\nir.json: agents[0].model: unknown model provider \"\"; known are " + strings.Join(models.Builtin().Names(), ", ") + ", and those of a file for --providers\n" +
			"ir.json: agents[0].name: the agent has no name; write [name:Agent …]"},
		{one(`"name":5`), `ir.json: agents[0]: name is a JSON number; it must be a string`},
		{one(agent + `,"maxTokens":1.5`), `ir.json: agents[0]: maxTokens is a JSON number 1.5; it must be an integer`},
		{one(agent + `,"temperature":{}`), `ir.json: agents[0]: temperature is a JSON object; it must be a number`},
		{one(strings.Replace(agent, "OpenAI", "Opnai", 1)), `ir.json: agents[0].model: unknown model provider "Opnai"; did you mean OpenAI?`},
		{one(strings.Replace(agent, `"m"`, `""`, 1)), `ir.json: agents[0].model: the model "OpenAI/" has no id; write ` + modelExample},
		{`{"version":1,"agents":[{` + agent + `},{` + agent + `}]}`, `ir.json: agents[1].name: there are two agents "a"`},
		{tool(`"name":"t","description":"d",` + sig), ``},
		{tool(``), `ir.json: agents[0].tools[0].typeSignature: 1:1: the signature is empty; write (name::Text)==>(::String)`},
		{tool(sig), `ir.json: agents[0].tools[0].description: the description of the tool is empty; models choose tools by it`},
		{tool(`"name":"t\tt","description":"d",` + sig), `ir.json: agents[0].tools[0].name: the tool name "t\tt" holds '\t', which is invisible`},
		{tool(`"name":"t","description":"d","typeSignature":"(a::Foo)==>(::Text)"`), `ir.json: agents[0].tools[0].typeSignature: 1:5: unknown type "Foo"; the types are Text, Int, Double, Bool, Object, Array, Map, Any and the types that the file defines with [Name:Type …]`},
		{tool(`"name":"t","description":"d",` + sig + `},{"name":"t","description":"d",` + sig), `ir.json: agents[0].tools[1].name: the agent "a" has the tool "t" twice`},
		{`{"version":1,"agents":[{` + agent + `,"tools":[{"name":"t","description":"d",` + sig + `}]},{` + strings.Replace(agent, `"a"`, `"b"`, 1) +
			`,"tools":[{"name":"t","description":"e",` + sig + `}]}]}`, `ir.json: agents[1].tools[0].name: the tool "t" is defined differently elsewhere`},
		{one(agent + `,"tools":[5]`), `ir.json: agents[0].tools[0]: a JSON number; it must be an object`},
		{tool(`"name":"t","description":"d","typeSignature":"(::Text)==>(x)"`), `ir.json: agents[0].tools[0].typeSignature: 1:12: the last node is the result and has no type; write (::String)`},
		{one(agent + `,"tools":[null]`), `ir.json: agents[0].tools[0].typeSignature: 1:1: the signature is empty; write (name::Text)==>(::String)`},
		{strings.Repeat("[", 100_000), `ir.json: not JSON: invalid character '[' exceeded max depth (at byte 10001)`},
	} {
		program, err := ReadProgram("ir.json", []byte(tt.data), nil)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if strings.Contains(tt.want, "\n") || tt.want == "" {
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%.200s: %s", tt.data, diff)
			}
		} else if first, _, _ := strings.Cut(got, "\n"); first != tt.want {
			t.Errorf("%.200s\n got %s\nwant %s", tt.data, first, tt.want)
		}
		if (program == nil) != (err != nil) {
			t.Errorf("%.200s: %v with %v", tt.data, program, err)
		}
	}
}

func TestDecompilingAndLoweringIsIdentity(t *testing.T) {
	program := twoAgentsProgram(t)
	wantIdentity(t, program)
	printed := ast.Print(Decompile(program))
	if want := 1; strings.Count(printed, "[shared:Tool") != want {
		t.Errorf("the shared tool stands not once in\n%s", printed)
	}
	reparsed, problems := grammar.Parse("again", printed)
	if problems != nil {
		t.Fatal(problems.Err())
	}
	again, problems := File(reparsed, nil)
	if again == nil {
		t.Fatal(problems.Err())
	}
	wantEqual(t, program, again)
}

// wantIdentity checks that decompiling and lowering gives the same program.
func wantIdentity(t interface {
	Helper()
	Fatal(...any)
	Error(...any)
}, p *Program) {
	t.Helper()
	again, problems := File(Decompile(p), nil)
	if again == nil {
		t.Fatal(problems.Err())
	}
	wantEqual(t, p, again)
}

func TestTheRepeatOfAToolIsInTheProgram(t *testing.T) {
	f, _ := grammar.Parse("a.gram", `[a:Agent {instruction: "i", model: "OpenAI/m"} | [t:Tool {description: "d", repeat: keyed} | (::Text)]]`)
	p, problems := File(f, nil)
	if p == nil || !strings.Contains(string(p.JSON()), `"repeat": "keyed"`) {
		t.Fatal(problems)
	}
	wantIdentity(t, p)
	read, err := ReadProgram("a.json", p.JSON(), nil)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, p, read)
	wrong := strings.Replace(string(p.JSON()), `"keyed"`, `"often"`, 1)
	if _, err := ReadProgram("a.json", []byte(wrong), nil); err == nil || !strings.Contains(err.Error(), "tools[0].repeat: repeat of") {
		t.Error(err)
	}
}

func wantEqual(t interface {
	Helper()
	Error(...any)
}, p, q *Program) {
	t.Helper()
	// Places differ: what is made in code has none.
	bare := cmp.FilterPath(func(path cmp.Path) bool { return path.Last().String() == ".Place" }, cmp.Ignore())
	unexported := cmp.FilterPath(func(path cmp.Path) bool {
		return slices.Contains([]string{".span", ".named", ".described", ".spans", ".used", ".takenBy"}, path.Last().String()) || path.Last().Type() == reflect.TypeFor[*ast.Pattern]()
	}, cmp.Ignore())
	if diff := cmp.Diff(p, q, bare, unexported, anywhere); diff != "" {
		t.Error(diff)
	}
}

// anywhere compares types wherever they stand.
var anywhere = cmp.Options{cmp.Comparer(sameSignature), cmp.Comparer(sameType), cmp.Comparer(sameNamedType)}

// sameSignature reports whether two signatures are the same, wherever they stand.
func sameSignature(s, t *types.Signature) bool {
	if s == nil || t == nil {
		return s == t
	}
	sameParam := func(p, q *types.Param) bool {
		return p.Name == q.Name && p.Optional == q.Optional && p.Description == q.Description &&
			bytes.Equal(p.Default, q.Default) && sameType(p.Type, q.Type)
	}
	return slices.EqualFunc(s.Params, t.Params, sameParam) && bytes.Equal(s.InputSchema(), t.InputSchema()) &&
		s.Return.Name == t.Return.Name && s.Return.Description == t.Return.Description && sameType(s.Return.Type, t.Return.Type)
}

// sameType reports whether two types have the same schema, wherever they stand.
func sameType(t, u *types.Type) bool {
	if t == nil || u == nil {
		return t == u
	}
	return bytes.Equal(t.Schema(""), u.Schema(""))
}

// sameNamedType reports whether two named types are the same, wherever they stand.
func sameNamedType(d, e *types.TypeDef) bool {
	return d.Name == e.Name && ast.Print(d.Pattern) == ast.Print(e.Pattern)
}

func TestToolSpecsAreChecked(t *testing.T) {
	_, err := NewToolSpec("", " ", "(a::Foo)==>(b)")
	list, ok := diag.ListFromError(err)
	if !ok {
		t.Fatal(err)
	}
	want := []string{"error missing-tool-name ", "error empty-tool-description ", "error unknown-type Foo", "error missing-return-type (b)"}
	if diff := cmp.Diff(want, summary(list)); diff != "" {
		t.Error(diff)
	}
	if _, err := NewToolSpec("a\nb", "d", "(::Text)"); err == nil || !strings.Contains(err.Error(), "invalid-tool-name") {
		t.Error(err)
	}
}

func TestToolSpecsGoThroughJSON(t *testing.T) {
	spec, err := NewToolSpec("sayHello", "Greets", "// on its own line\n(::Text {paramName:\"name\"})==>(::String)")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"sayHello","description":"Greets","typeSignature":"(::Text {paramName:\"name\"})==\u003e(::String)",` +
		`"schema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}`
	for _, v := range []any{spec, *spec} {
		got, err := json.Marshal(v)
		if err != nil || string(got) != want {
			t.Errorf("%v: %s", err, cmp.Diff(want, string(got)))
		}
	}
	var read ToolSpec
	if err := json.Unmarshal([]byte(strings.Replace(want, `"type":"string"`, `"type":"null"`, 1)), &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*spec, read, anywhere); diff != "" {
		t.Error(diff)
	}
	if err := json.Unmarshal([]byte(`{"name":"x"}`), &read); err == nil {
		t.Error("a tool without signature is read")
	}
	if err := json.Unmarshal([]byte(`{"name":5}`), &read); err == nil {
		t.Error("a number is read as a name")
	}
}

func TestWithToolKeepsNamesUnique(t *testing.T) {
	program := twoAgentsProgram(t)
	a, b := program.Agents[0], program.Agents[1]
	more, err := b.WithTool(a.Tools[0])
	if err != nil || len(more.Tools) != 2 || len(b.Tools) != 1 {
		t.Errorf("%v, %d tools, before %d", err, len(more.Tools), len(b.Tools))
	}
	if _, err := more.WithTool(a.Tools[0]); err == nil || !strings.Contains(err.Error(), `"greet" already`) {
		t.Error(err)
	}
	if _, err := b.WithTool(&Tool{}); err == nil {
		t.Error("a tool without name is added")
	}
	if reflect.DeepEqual(b, more) {
		t.Error("nothing was added")
	}
}

func TestModelsAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"gpt-4o": "OpenAI/gpt-4o", "OPENAI/a/b": "OpenAI/a/b", "anthropic/x": "Anthropic/x", "Google/g": "Google/g",
		"claude-x": "Anthropic/claude-x", "gemini-9": "Google/gemini-9", "grok-9": "xAI/grok-9", "ft:gpt-4o:a::b": "OpenAI/ft:gpt-4o:a::b", "m": "OpenAI/m",
		"anthropic:claude-x": "Anthropic/claude-x", "openai:gpt-4o": "OpenAI/gpt-4o", "ollama:llama3.2:3b": "Ollama/llama3.2:3b", "openai:org/m": "OpenAI/org/m",
		"Ollama/llama3.2:3b": "Ollama/llama3.2:3b", "lm studio/a/b": "LMStudio/a/b", "openrouter/anthropic/claude-x": "OpenRouter/anthropic/claude-x",
		"mistral:7b": "OpenAI/mistral:7b", "mistral:latest": "OpenAI/mistral:latest", "x:y": "OpenAI/x:y",
		"": "", "/x": "", "x/y": "", "OpenAI/": "", "OpenAI/a b": "", "OpenAI/a\n": "", "anthropic": "", "LM Studio": "", "openai:": "",
	} {
		m, err := ParseModel(text, nil)
		if got := m.String(); (err == nil) != (want != "") || err == nil && got != want {
			t.Errorf("ParseModel(%q) = %v, %v", text, m, err)
		}
	}
}

func TestProgramsAreReadFromJSONOnlyAsReadProgramDoes(t *testing.T) {
	var p Program
	for text, want := range map[string]string{
		`{"version":99,"agents":[{}]}`: "version 99 is not known here",
		`{"version":1,"agents":[{"name":"a","instruction":"i","model":{"provider":"OpenAI","id":"m"},"tools":[{"name":"t","typeSignature":"(::Text)"}]}]}`: "description",
	} {
		if err := json.Unmarshal([]byte(text), &p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	const good = `{"version":1,"agents":[{"name":"a","instruction":"i","model":{"provider":"OpenAI","id":"m"},"tools":[{"name":"t","description":"d","typeSignature":"()==>(::String)","span":{"line":7}}]}]}`
	if err := json.Unmarshal([]byte(good), &p); err != nil || p.Agents[0].Tools[0].Place.Line != 7 {
		t.Errorf("%v: %+v", err, p)
	}
}

// TestGoldenProgramsSurviveEveryForm sends each golden program through its IR
// file and through gram text.
func TestGoldenProgramsSurviveEveryForm(t *testing.T) {
	for _, input := range golden.Inputs(t) {
		f, problems := grammar.Parse(input, golden.Read(t, input))
		program, more := File(f, nil)
		if program == nil || problems.HasErrors() || more.HasErrors() {
			continue
		}
		wantIdentity(t, program)
		read, err := ReadProgram(input, program.JSON(), nil)
		if err != nil {
			t.Errorf("%s: %v", input, err)
			continue
		}
		if diff := cmp.Diff(string(program.JSON()), string(read.JSON())); diff != "" {
			t.Errorf("%s: %s", input, diff)
		}
	}
}
