package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/template"
)

// librariesOf lowers the libraries of a text without problems.
func librariesOf(t *testing.T, text string) []*library.Library {
	t.Helper()
	f, problems := grammar.Parse("lib.gram", text)
	libraries, more := Libraries(f, nil)
	if problems = append(problems, more...); len(problems) > 0 {
		t.Fatal(problems)
	}
	return libraries
}

// toolOf lowers the only tool of a text.
func toolOf(t *testing.T, text string) *Tool {
	t.Helper()
	f, _ := grammar.Parse("agent.gram", text)
	tools, problems := Tools(f, nil)
	if len(tools) != 1 {
		t.Fatal(problems)
	}
	return tools[0]
}

func TestLibrariesArePlainData(t *testing.T) {
	got := librariesOf(t, `
[local:Library {timeout: 5s, approve: ask} |
  [greet:Command {run: ["./greet", "Hi {name}", "$${A}{{", "${B}"], env: {C: "c"}, output: json, retryable: false, repeat: keyed, secret: false, traits: none}],
  [weather:Http {url: "https://x.test/{city}"} | (city::Text)==>(::Text), (:Deny {city: "*secret*"})],
  [files:Mcp {command: ["server"], allow: ["read"], prefix: "f_", replaces: true}],
  [notes:Builtin {builtin: read_file, root: "${HOME}/notes", approve: allow, description: "d", timeout: 90s}]]`)
	no := false
	text := func(s string) library.Text { return library.PlainText(s) }
	want := []*library.Library{{Name: "local", TimeoutMS: 5000, Approve: library.ApproveAsk, Entries: []*library.Entry{
		{Name: "greet", Kind: library.EntryCommand, Retryable: &no, Repeat: "keyed", Secret: &no, Traits: []library.Trait{}, Command: &library.Command{
			Run: []library.Text{
				text("./greet"),
				{Written: "Hi {name}", Template: template.Template{{Kind: template.Literal, Text: "Hi "}, {Kind: template.Argument, Text: "name"}}},
				{Written: "$${A}{{", Template: template.Template{{Kind: template.Literal, Text: "${A}{"}}},
				{Written: "${B}", Template: template.Template{{Kind: template.Environment, Text: "B"}}},
			},
			Env: []library.Variable{{Name: "C", Value: text("c")}}, Output: "json",
		}},
		{
			Name: "weather", Kind: library.EntryHTTP, TypeSignature: "(city::Text)==>(::Text)",
			Rules: []library.Rule{{Approve: library.ApproveDeny, Arguments: []library.Match{{Argument: "city", Pattern: "*secret*"}}}},
			HTTP: &library.HTTP{
				Method: "GET",
				URL:    library.Text{Written: "https://x.test/{city}", Template: template.Template{{Kind: template.Literal, Text: "https://x.test/"}, {Kind: template.Argument, Text: "city"}}},
			},
		},
		{Name: "files", Kind: library.EntryMCP, Replaces: true, MCP: &library.MCP{Command: []library.Text{text("server")}, Allow: []string{"read"}, Prefix: "f_"}},
		{Name: "notes", Kind: library.EntryBuiltin, Approve: library.ApproveAllow, Description: "d", TimeoutMS: 90_000, Builtin: &library.Builtin{
			Builtin: "read_file", Root: library.Text{Written: "${HOME}/notes", Template: template.Template{{Kind: template.Environment, Text: "HOME"}, {Kind: template.Literal, Text: "/notes"}}},
		}},
	}}}
	ignored := []cmp.Option{
		cmpopts.IgnoreFields(library.Entry{}, "Place", "Signature", "Pattern"), cmpopts.IgnoreFields(library.Library{}, "Place", "Pattern"),
		cmpopts.IgnoreUnexported(library.Entry{}, library.Library{}, library.Text{}),
	}
	if diff := cmp.Diff(want, got, ignored...); diff != "" {
		t.Error(diff)
	}
	weather := got[0].Entries[1]
	if schema := string(weather.Schema()); schema != `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}` {
		t.Error(schema)
	}
	if p := weather.Place; p.Line != 4 || p.Column != 3 || p.File != "lib.gram" || got[0].Place.Line != 2 {
		t.Errorf("%+v", p)
	}
	if s := weather.Span("url"); s.Text() != `"https://x.test/{city}"` || weather.Span("dir").Text() != "weather" || got[0].Span().Text() != "local" {
		t.Error(s.Text())
	}
}

func TestTextsAreExpandedOnce(t *testing.T) {
	e := librariesOf(t, `[:Library | [x:Command {run: ["x", "<${A}{city}$${A}>"], secret: true}]]`)[0].Entries[0]
	got := e.Command.Run[1].Template.Expand(func(name string) string { return "${" + name + "}{" })
	if want := "<${A}{${A}>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFilesWithoutLibraryAreTold(t *testing.T) {
	for text, want := range map[string]string{
		``:                               "there is no library",
		`(a:Library)`:                    "there is no library",
		`[x:Command {run: ["x"]}]`:       "outside of a library",
		`[l:Libary | [x:Command]]`:       "did you mean Library?",
		`[l:Library | [b:Book]]`:         "does not say what does the work",
		`[a:Agent {instruction: "i"}]`:   "there is no library",
		`{import: ["./lib.gram"]}`:       "there is no library",
		`[l:Library | [x:Command {run]]`: "",
	} {
		f, _ := grammar.Parse("lib.gram", text)
		libraries, problems := Libraries(f, nil)
		if libraries != nil || want == "" {
			if libraries != nil {
				t.Errorf("%s: there are libraries", text)
			}
			continue
		}
		if len(problems) != 1 || problems[0].Severity != diag.Error || !strings.Contains(problems[0].Message, want) {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

// TestWhatIsNoEntryIsReportedWithoutEntries has libraries with nothing right in them.
func TestWhatIsNoEntryIsReportedWithoutEntries(t *testing.T) {
	for text, want := range map[string]string{
		`[l:Library | [t:Tool {description: "D"} | (x::Text)==>(::Text)]]`: "is what a model sees",
		`[l:Library {run: ["echo"]}]`:                                      `the property "run" has no meaning on a library`,
		`[l:Library {command: ["echo"]} | [b:Book]]`:                       `the property "command" has no meaning on a library`,
	} {
		f, _ := grammar.Parse("lib.gram", text)
		problems := Check(f, nil)
		if !slices.ContainsFunc(problems, func(d *diag.Diagnostic) bool {
			return d.Severity == diag.Error && strings.Contains(d.Message, want)
		}) {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

// TestOtherLibrariesAreLeftAlone has graphs in which the words mean something
// else.
func TestOtherLibrariesAreLeftAlone(t *testing.T) {
	for _, text := range []string{
		`[city:Library {name: "City Library"} | (dune:Book {pages: 412}), emma] (emma:Book)`,
		`[city:Library | [dune:Book {pages: 412}], [emma:Book {url: "https://example.test"}]]`,
		`(city:Library)-[:Lends]->(dune:Book) [c:Command {name: "halt"}] [s:Server {url: "https://example.test"}]`,
		`[c:Builtin] [h:Http {port: 80}]`,
	} {
		f, problems := grammar.Parse("graph.gram", text)
		if problems = append(problems, Check(f, nil)...); len(problems) > 0 {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

func TestALibraryWithoutAnyEntryIsNoted(t *testing.T) {
	f, _ := grammar.Parse("library.gram", `[local:Library | [b:Book]]`)
	if problems := Check(f, nil); len(problems) != 1 || problems[0].Severity != diag.Hint || problems[0].Code != diag.CodeUnknownEntry {
		t.Error(problems)
	}
}

func TestTypesOfLibrariesAreUsed(t *testing.T) {
	f, _ := grammar.Parse("all.gram", `
[W:Type | (t::Number)]
[l:Library | [w:Http {url: "https://x.test"} | (c::Text)==>(::W)]]
[a:Agent {instruction: "i", model: "OpenAI/m"}]`)
	if problems := Check(f, nil); len(problems) > 0 {
		t.Error(problems)
	}
	program, _ := File(f, nil)
	if len(program.Types) != 1 || len(program.Libraries) != 1 || len(program.Agents) != 1 {
		t.Errorf("%s", program.JSON())
	}
}

func TestLaterLibrariesComeFirst(t *testing.T) {
	libraries := librariesOf(t, `
[one:Library | [a:Command {run: ["1"]}], [b:Command {run: ["1"]}], [s:Mcp {command: ["s"], allow: ["a", "c"]}]]
[two:Library | [b:Command {run: ["2"]}], [t:Mcp {command: ["t"], allow: ["d"], prefix: "t_"}]]`)
	for name, want := range map[string]string{"a": "a", "b": "b", "c": "s", "t_d": "t", "d": "", "s": ""} {
		e, open := newToolEntries(libraries).lookup(name)
		if open || (e == nil) != (want == "") || e != nil && e.Name != want {
			t.Errorf("%s: %v, %v", name, e, open)
		}
	}
	if e, _ := newToolEntries(libraries).lookup("b"); e.Command.Run[0].Written != "2" {
		t.Errorf("the earlier library has b")
	}
	open := librariesOf(t, `[three:Library | [u:Mcp {url: "https://x.test"}]]`)
	if e, any := newToolEntries(slices.Concat(libraries, open)).lookup("b"); e == nil || !any {
		t.Errorf("%v, %v", e, any)
	}
	if e, any := newToolEntries(slices.Concat(open, libraries)).lookup("b"); e == nil || any {
		t.Errorf("%v, %v", e, any)
	}
}

func TestShadowedToolsAreTold(t *testing.T) {
	libraries := librariesOf(t, `
[one:Library | [a:Command {run: ["1"]}], [b:Command {run: ["1"]}], [c:Command {run: ["1"]}]]
[two:Library | [a:Command {run: ["2"]}], [b:Command {run: ["2"], replaces: true}], [s:Mcp {command: ["s"], allow: ["x", "c"]}]]`)
	want := []string{`warning shadowed-tool a`, `warning shadowed-tool "c"`}
	if diff := cmp.Diff(want, summary(ShadowedToolEntries(libraries))); diff != "" {
		t.Error(diff)
	}
}

func TestEntriesFitTools(t *testing.T) {
	for _, tt := range []struct {
		entry, tool string
		want        []string
	}{
		{`[t:Command {run: ["x", "{a}"]} | (:Ask {b: "*"})]`, `(a::Text)==>(b::Int)==>(::Text)`, nil},
		{`[t:Command {run: ["x", "{c}"]} | (:Ask {d: "*"})]`, `(a::Text)==>(::Text)`, []string{"error unknown-variable {c}", "error unknown-variable d"}},
		{`[t:Command {shell: "echo {a} ${a}"}]`, `(a::Text)==>(::Text)`, []string{"error invalid-template {a}"}},
		{`[t:Command {run: ["x"], description: "d"}]`, `()==>(::Text)`, nil},
		{`[t:Command {run: ["x"], description: "e"}]`, `()==>(::Text)`, []string{`error contract-mismatch "e"`}},
		{`[t:Command {run: ["x"]} | (a::Text {description: "e"})==>(::Int)]`, `(a::String)==>(::Text)`, nil},
		{`[t:Command {run: ["x"]} | (b::Int)==>(a::Text)==>(::Int)]`, `(a::Text)==>(b::Int)==>(::Int)`, nil},
		{`[t:Command {run: ["x"]} | (a::Int)==>(::Text)]`, `(a::Text)==>(::Int)`, []string{"error contract-mismatch a", "error contract-mismatch ::Text"}},
		{`[t:Command {run: ["x"]} | (days::Int)==>(::Text)]`, `(day::Int)==>(::Text)`, []string{"error contract-mismatch days"}},
		{`[t:Command {run: ["x"]} | (a::Int)==>(::Text)]`, `(b::Int)==>(::Text)`, []string{"error contract-mismatch (a::Int)==>(::Text)", "error contract-mismatch a"}},
		{`[t:Command {run: ["x"]} | (a::Int {default: 1})==>(::Text)]`, `(a::Int {default: 2})==>(::Text)`, nil},
		{`[t:Command {run: ["x"]} | (a::Int)==>(::Text)]`, `(a::Int {optional: true})==>(::Text)`, []string{"error contract-mismatch a"}},
		{`[t:Command {run: ["x"]} | ({closed: true})==>(a::Int)==>(::Text)]`, `(a::Int)==>(::Text)`, nil},
		{`[t:Command {run: ["x"]} | (a::Text)==>(b::Int {optional: true})==>(::Text)]`, `(a::Text {pattern: "^a"})==>(::Text)`, nil},
		{`[t:Command {run: ["x"]} | (a::Text {pattern: "^b"})==>(::Text)]`, `(a::Text {pattern: "^a"})==>(::Text)`, nil}, // not proven
		{`[t:Http {url: "https://x.test/{a}/{b}?c={c}&d={d}"}]`, `(a::Text)==>(b::Int {optional: true})==>(c::Object)==>(d::` + "`[Text]`" + `)==>(::Text)`, []string{"error invalid-template {b}", "error invalid-template {c}"}},
		{`[t:Http {url: "https://x.test/{b}"}]`, `(b::Int {default: 1})==>(::Text)`, nil},
		{`[t:Mcp {command: ["x"]}]`, `(a::Int)==>(::Text)`, nil},
		{`[t:Builtin {builtin: list_directory, root: "."}]`, `(path::Text)==>(::Any)`, nil},
		{`[t:Builtin {builtin: list_directory, root: "."}]`, `(Path::Text)==>(::Any)`, []string{"error contract-mismatch list_directory"}},
		{`[t:Builtin {builtin: read_file, root: "."}]`, `(file::Text)==>(::Any)`, []string{"error contract-mismatch read_file", "error contract-mismatch read_file"}},
		{`[t:Builtin {builtin: calculator}]`, `(expression::Text)==>(::Int)`, []string{"error contract-mismatch calculator"}},
		{`[t:Builtin {builtin: calculator}]`, `(expression::Text)==>(::Object {result::Int})`, []string{"error contract-mismatch calculator"}},
		{`[t:Builtin {builtin: calculator}]`, `(expression::Text)==>(::Object {answer::Number})`, []string{"error contract-mismatch calculator"}},
		{`[t:Builtin {builtin: calculator}]`, `(expression::Text)==>(::Object {result::Number})`, nil},
		{`[t:Builtin {builtin: calculator}]`, `(expression::Text)==>(::Text)`, nil},
		{`[t:Builtin {builtin: get_file_info, root: "."}]`, "(path::Text)==>(::`{size: Int(max=10)}`)", []string{"warning contract-mismatch get_file_info"}},
		{`[t:Builtin {builtin: sayHello}]`, `(age::Int)==>(::Text)`, []string{"error contract-mismatch sayHello"}},
		{`[t:Builtin {builtin: sayHello}]`, `(who::Text)==>(greeting::Text)==>(::Text)`, []string{"error contract-mismatch sayHello"}},
		{`[t:Builtin {builtin: sayHello}]`, `(who::Text)==>(::Int)`, []string{"error contract-mismatch sayHello"}},
		{`[t:Builtin {builtin: sayHello}]`, `(who::Text)==>(times::Int)==>(::Text)`, nil},
		{`[t:Builtin {builtin: sayHello}]`, `()==>(::Text)`, nil},
	} {
		e := librariesOf(t, `[l:Library | `+tt.entry+`]`)[0].Entries[0]
		tool := toolOf(t, `[t:Tool {description: "d"} | `+tt.tool+`]`)
		if diff := cmp.Diff(tt.want, summary(fit(e, tool)), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s with %s:\n%s", tt.entry, tt.tool, diff)
		}
	}
}

func TestAnAgentThatAllowsMoreRepeatsThanTheLibraryIsWarned(t *testing.T) {
	for _, tt := range []struct {
		entry, tool string
		warned      bool
	}{
		{"once", "safe", true}, {"once", "keyed", true}, {"keyed", "safe", true},
		{"safe", "once", false}, {"keyed", "keyed", false}, {"", "safe", false}, {"once", "", false},
	} {
		say := func(word string) string {
			if word == "" {
				return ""
			}
			return ", repeat: " + word
		}
		e := librariesOf(t, `[l:Library | [s:Mcp {command: ["x"], allow: ["t"]`+say(tt.entry)+`}]]`)[0].Entries[0]
		problems := fit(e, toolOf(t, `[t:Tool {description: "d"`+say(tt.tool)+`} | (::Text)]`))
		want := []string{"warning contract-mismatch " + tt.entry}
		if !tt.warned {
			want = nil
		}
		if diff := cmp.Diff(want, summary(problems), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%+v\n%s", tt, diff)
		}
	}
}

// fit compares an entry with a tool.
func fit(e *library.Entry, t *Tool) diag.List {
	c := prepare(&ast.File{}, nil)
	c.fitEntry(e, t)
	c.Diags.Sort()
	return c.Diags
}

func TestMismatchesOfParameters(t *testing.T) {
	for _, tt := range []struct{ library, agent, want string }{
		{`{min: 1}`, `{min: 0}`, "only values with minimum 1 are allowed"},
		{`{min: 1, max: 9, multipleOf: 2, description: "x"}`, ``, "only values with maximum 9 are allowed"},
		{`{min: 1}`, `{min: 1.0}`, ""},
	} {
		e := librariesOf(t, `[l:Library | [t:Command {run: ["x"]} | (a::Number `+tt.library+`)==>(::Text)]]`)[0].Entries[0]
		problems := fit(e, toolOf(t, `[t:Tool {description: "d"} | (a::Number `+tt.agent+`)==>(::Text)]`))
		switch {
		case tt.want == "" && len(problems) == 0:
		case len(problems) != 1 || !strings.HasSuffix(problems[0].Message, "does not take: "+tt.want):
			t.Errorf("%s, %s: %v", tt.library, tt.agent, problems)
		case len(problems[0].Related) != 1 || problems[0].Related[0].Span.File.Name() != "agent.gram":
			t.Errorf("%+v", problems[0].Related)
		}
	}
}

func TestDataLeaksAreTold(t *testing.T) {
	const agent = `[a:Agent {instruction: "i", model: "OpenAI/m"} |
  [notes:Tool {description: "d"} | (path::Text)==>(::Text)],
  [ask:Tool {description: "d"} | (q::Text)==>(::Text)]]`
	const notes = `[notes:Builtin {builtin: read_file, root: "."}]`
	for library, want := range map[string]bool{
		notes + `, [ask:Http {url: "https://x.test/{q}"}]`:                                           true,
		notes + `, [ask:Http {url: "https://x.test/{q}", traits: none}]`:                             false,
		notes + `, [ask:Http {url: "https://x.test/{q}", traits: [outbound]}]`:                       false,
		notes + `, [ask:Http {url: "https://x.test/{q}", approve: ask}]`:                             false,
		notes + `, [ask:Http {url: "https://x.test/{q}", approve: ask} | (:Allow {q: "a*"})]`:        true,
		notes + `, [ask:Command {run: ["ask"]}]`:                                                     false,
		notes + `, [ask:Command {run: ["ask"], traits: [untrusted, outbound]}]`:                      true,
		notes + `, [ask:Builtin {builtin: web_scraper}]`:                                             true,
		`[notes:Command {run: ["x"], traits: [private]}], [ask:Builtin {builtin: web_scraper}]`:      true,
		notes + `, [ask:Builtin {builtin: calculator}]`:                                              false,
		notes + `, [s:Mcp {command: ["s"], allow: ["ask"]}]`:                                         false,
		notes + `, [s:Mcp {url: "https://x.test/mcp", allow: ["ask"]}]`:                              true,
		notes + `, [s:Mcp {command: ["s"], allow: ["ask"], traits: [private, outbound, untrusted]}]`: true,
	} {
		f, _ := grammar.Parse("agent.gram", agent)
		problems := Check(f, &Options{Libraries: librariesOf(t, `[l:Library | `+library+`]`)})
		problems = slices.DeleteFunc(problems, func(d *diag.Diagnostic) bool { return d.Code == diag.CodeContractMismatch }) // no built-in takes q
		got := slices.ContainsFunc(problems, func(d *diag.Diagnostic) bool { return d.Code == diag.CodeDataLeak })
		if got != want || len(problems) > 1 {
			t.Errorf("%s: %v", library, problems)
		}
	}
	f, _ := grammar.Parse("agent.gram", agent)
	if problems := Check(f, nil); len(problems) > 0 {
		t.Errorf("without a library: %v", problems)
	}
}

func TestAgentsAreCheckedWithLibraries(t *testing.T) {
	f, _ := grammar.Parse("agent.gram", `[a:Agent {instruction: "i", model: "OpenAI/m"} |
  [one:Tool {description: "d"} | (a::Text)==>(::Text)],
  [two:Tool {description: "d"} | (b::Text)==>(::Text)]]
[b:Agent {instruction: "i", model: "OpenAI/m"} | one]`)
	libraries := librariesOf(t, `[l:Library | [one:Command {run: ["x", "{b}"]}], [Two:Command {run: ["x"]}]]`)
	want := []string{"error missing-implementation two", "error unknown-variable {b}"}
	if diff := cmp.Diff(want, summary(Check(f, &Options{Libraries: libraries}))); diff != "" {
		t.Error(diff)
	}
	libraries = append(libraries, librariesOf(t, `[m:Library | [s:Mcp {command: ["s"]}]]`)...)
	if problems := Check(f, &Options{Libraries: libraries}); len(problems) > 0 {
		t.Errorf("a server may have any tool: %v", problems)
	}
}

func TestTamperedLibrariesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"version":1,"agents":[],"libraries":[{"definition":"[a:Agent]"}]}`:                                "it is not one library",
		`{"version":1,"agents":[],"libraries":[{"definition":"[l:Library | [x:Command]]"}]}`:                "does not say what it runs",
		`{"version":1,"agents":[],"libraries":[{"definition":"[l:Library"}]}`:                               "libraries[0].definition",
		`{"version":1,"agents":[],"libraries":[{}]}`:                                                        "it is not one library",
		`{"version":1,"agents":[],"libraries":[{"definition":"[l:Library]"},{"definition":"[l:Library]"}]}`: "two libraries",
		`{"version":1,"agents":[],"libraries":[]}`:                                                          "there is no agent",
	} {
		if _, err := ReadProgram("x.json", []byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAModelWritesNoCode(t *testing.T) {
	const code, program = "run what the model writes here as code", "choose what is run"
	for run, want := range map[string]string{
		`"sh", "-c", "echo {x}"`:                           code,
		`"/bin/bash", "-euxc", "echo {x}"`:                 code,
		`"bash", "-c", "echo \"$1\"", "x", "{x}"`:          "",
		`"bash", "run.sh", "{x}"`:                          "",
		`"env", "LANG=C", "bash", "-lc", "{x}"`:            code,
		`"sudo", "-n", "timeout", "5s", "sh", "-c", "{x}"`: code,
		`"timeout", "5", "./program", "{x}"`:               "",
		`"env", "{x}"`:                                     program,
		`"env", "A=1", "{x}"`:                              program,
		`"xargs", "-0", "{x}"`:                             program,
		`"npx", "-y", "{x}"`:                               program,
		`"npx", "-y", "prettier", "{x}"`:                   "",
		`"{x}"`:                                            program,
		`"python3.12", "-Ic", "print({x})"`:                code,
		`"python3", "script.py", "-c", "{x}"`:              "",
		`"bash", "--rcfile", "./rc", "-c", "{x}"`:          code,
		`"python3", "-W", "ignore", "-c", "{x}"`:           code,
		`"node", "--eval={x}"`:                             code,
		`"perl", "-lane", "{x}"`:                           code,
		`"php", "-r", "{x}"`:                               code,
		`"deno", "eval", "{x}"`:                            code,
		`"C:\\Windows\\cmd.exe", "/C", "dir {x}"`:          code,
		`"pwsh", "-NoProfile", "-Command", "{x}"`:          code,
		`"powershell", "-enc", "{x}"`:                      code,
		`"awk", "-F,", "{{print {x}}}", "data.csv"`:        code,
		`"sed", "s/{x}/y/", "file"`:                        code,
		`"sed", "-n", "1p", "{x}"`:                         "",
		`"ssh", "host", "ls", "{x}"`:                       code,
		`"su", "user", "-c", "{x}"`:                        code,
		`"grep", "-e", "{x}", "awk", "sed"`:                "",
		`"./sh-like", "-c", "{x}"`:                         "",
		`"curl", "-sS", "-c", "jar", "https://x.test/{x}"`: "",
	} {
		f, _ := grammar.Parse("library.gram", `[l:Library | [t:Command {run: [`+run+`]} | (x::Text)==>(::Text)]]`)
		_, problems := Libraries(f, nil)
		switch {
		case want == "" && problems.HasErrors():
			t.Errorf("%s: %v", run, problems.Err())
		case want != "" && (len(problems) != 1 || !strings.Contains(problems[0].Message, want)):
			t.Errorf("%s: %v, want %s", run, problems, want)
		}
	}
}
