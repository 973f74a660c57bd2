package interp_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

func parse(t *testing.T, text string) *ast.File {
	t.Helper()
	file, problems := grammar.Parse("f.gram", text)
	if problems.HasErrors() {
		t.Fatal(problems.Err())
	}
	return file
}

// TestModesSendTheSameRequests runs every agent of the golden files from the
// tree, from the program, from the IR file and in auto mode.
func TestModesSendTheSameRequests(t *testing.T) {
	agents := 0
	for _, input := range golden.Inputs(t) {
		file, syntax := grammar.Parse(filepath.Base(input), golden.Read(t, input))
		program, _ := compile.File(file, nil)
		if program == nil || syntax.HasErrors() {
			continue
		}
		read, err := compile.ReadProgram("ir", program.JSON(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range program.Agents {
			agents++
			fromIR, err := interp.FromProgram(read, a.Name)
			if err != nil {
				t.Fatal(err)
			}
			want := requests(t, fromIR)
			for _, mode := range []interp.Mode{interp.ModeAST, interp.ModeIR, interp.ModeAuto} {
				loaded, problems := interp.Load(file, a.Name, mode, nil)
				if loaded == nil {
					t.Fatalf("%s: %s in mode %s: %v", input, a.Name, mode, problems.Err())
				}
				if diff := cmp.Diff(want, requests(t, loaded)); diff != "" {
					t.Errorf("%s: %s in mode %s:\n%s", input, a.Name, mode, diff)
				}
			}
		}
	}
	if agents < 7 {
		t.Errorf("only %d agents ran", agents)
	}
}

// requests returns the JSON of what an agent sends to a model that first calls
// every tool without arguments.
func requests(t *testing.T, a *interp.Agent) string {
	t.Helper()
	var lib runtime.Library
	first := runtime.Response{Content: "no tools"}
	for _, c := range a.Tools {
		tool, err := runtime.NewTool(runtime.ToolConfig{Name: c.Name, Adopt: true, Execute: echo})
		if err == nil {
			lib, err = lib.Add(c.Name, tool)
		}
		if err != nil {
			t.Fatal(err)
		}
		first.Calls = append(first.Calls, runtime.Call{ID: c.Name, Name: c.Name, Args: json.RawMessage(`{}`)})
	}
	script := runtime.NewScript(first, runtime.Response{Content: "done"}, runtime.Response{Content: "null"})
	bound, err := interp.Bind(a, lib, script, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bound.Run(t.Context(), "hello", nil); err != nil && len(a.Returns) == 0 {
		t.Fatal(err) // those that return no text get two answers that are wrong
	}
	sent, err := json.MarshalIndent(script.Requests(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(sent)
}

const good = `[good:Agent {instruction: "i", model: "OpenAI/m"} | t] [t:Tool {description: "d"} | (a::Text)==>(::String)] `

func TestAutoModeInterpretsAnAgentBesideErrorsOfOthers(t *testing.T) {
	file := parse(t, good+`[bad:Agent {model: "OpenAI/m"} | ghost]`)
	if a, problems := interp.Load(file, "good", interp.ModeIR, nil); a != nil || !problems.HasErrors() {
		t.Error("a file with errors was compiled")
	}
	for _, mode := range []interp.Mode{interp.ModeAuto, interp.ModeAST} {
		a, problems := interp.Load(file, "good", mode, nil)
		if a == nil || a.Name != "good" || len(a.Tools) != 1 {
			t.Fatalf("%s: %v, %v", mode, a, problems.Err())
		}
		if problems.HasErrors() != (mode == interp.ModeAuto) {
			t.Errorf("%s: problems %v", mode, problems)
		}
	}
	for _, mode := range []interp.Mode{interp.ModeAuto, interp.ModeAST, interp.ModeIR} {
		if a, problems := interp.Load(file, "bad", mode, nil); a != nil || !problems.HasErrors() {
			t.Errorf("%s: an agent with errors was loaded", mode)
		}
	}
}

func TestContractsCarryTheLimitsOfTheFile(t *testing.T) {
	file := parse(t, `[a:Agent {instruction: "i", model: "OpenAI/m"} | [t:Tool {description: "d", timeout: 1.5s, retryable: false, repeat: keyed} | ()==>(::String)]]`)
	for _, mode := range []interp.Mode{interp.ModeAuto, interp.ModeAST, interp.ModeIR} {
		a, problems := interp.Load(file, "a", mode, nil)
		if a == nil || a.Tools[0].Timeout != 1500*time.Millisecond || !a.Tools[0].NoRetry || a.Tools[0].Repeat != runtime.RepeatKeyed {
			t.Errorf("%s: %+v, %v", mode, a, problems)
		}
	}
}

func TestAnErrorInASharedToolIsAnErrorOfTheAgent(t *testing.T) {
	file := parse(t, `[a:Agent {instruction: "i", model: "OpenAI/m"} | t] [t:Tool {description: "d"} | (a::Txt)==>(::String)]`)
	for _, mode := range []interp.Mode{interp.ModeAuto, interp.ModeAST, interp.ModeIR} {
		a, problems := interp.Load(file, "a", mode, nil)
		if a != nil || len(problems) != 1 || problems[0].Code != diag.CodeUnknownType {
			t.Errorf("%s: %v", mode, problems)
		}
	}
}

func TestTheAgentIsChosenByName(t *testing.T) {
	second := `[second:Agent {instruction: "j", model: "Google/g", description: "D"}]`
	for _, tt := range []struct {
		text, name string
		code       diag.Code // "" when it loads
		message    string
	}{
		{good, "", "", ""},
		{good + second, "second", "", ""},
		{good + second, "", diag.CodeMultipleAgents, "the file has several agents, choose one of good, second"},
		{good + second, "third", diag.CodeUnknownAgent, `no agent is named "third"; the file has good, second`},
	} {
		file := parse(t, tt.text)
		program, _ := compile.File(file, nil)
		for _, mode := range []interp.Mode{interp.ModeAuto, interp.ModeAST, interp.ModeIR} {
			a, problems := interp.Load(file, tt.name, mode, nil)
			if tt.code == "" && a == nil || tt.code != "" && (a != nil || problems[len(problems)-1].Code != tt.code) {
				t.Errorf("%q of %q in mode %s: %v", tt.name, tt.text, mode, problems)
			}
		}
		_, err := interp.FromProgram(program, tt.name)
		var choice *interp.ChoiceError
		if tt.code == "" && err != nil || tt.code != "" && (!errors.As(err, &choice) || choice.Code != tt.code || err.Error() != tt.message) {
			t.Errorf("%q of the program of %q: %v", tt.name, tt.text, err)
		}
	}
	if a, problems := interp.Load(parse(t, "(a)"), "", interp.ModeAST, nil); a != nil || problems[0].Code != diag.CodeNoAgent {
		t.Errorf("a file without agents: %v", problems)
	}
	a, _ := interp.Load(parse(t, good+second), "second", interp.ModeAST, nil)
	want := &interp.Agent{Name: "second", Description: "D", Model: compile.Model{Provider: "Google", ID: "g"}, Instruction: "j"}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Error(diff)
	}
}

func echo(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil }

// TestBrokenFilesNeverLoadAndNeverPanic takes every token out of every golden
// file, one at a time, and once of those between the same neighbours. What is
// left loads only if it compiles or lies outside of the agent. ModeAuto does what
// one of the other modes does.
func TestBrokenFilesNeverLoadAndNeverPanic(t *testing.T) {
	token := regexp.MustCompile("[A-Za-z0-9_]+|\"[^\"\n]*\"|[^\\sA-Za-z0-9_]")
	loaded, seen := 0, map[[3]string]bool{}
	for _, input := range golden.Inputs(t) {
		text := golden.Read(t, input)
		if file, _ := grammar.Parse("f.gram", text); len(compile.ResolveNames(file).Agents()) == 0 {
			continue
		}
		tokens := token.FindAllStringIndex(text, -1)
		for i, at := range tokens {
			around := tokens[max(0, i-1):min(len(tokens), i+2)]
			key := [3]string{text[around[0][0]:around[0][1]], text[at[0]:at[1]], text[around[len(around)-1][0]:around[len(around)-1][1]]}
			if seen[key] {
				continue
			}
			seen[key] = true
			file, _ := grammar.ParseRecovered("f.gram", text[:at[0]]+text[at[1]:])
			for _, view := range compile.ResolveNames(file).Agents() {
				for _, mode := range []interp.Mode{interp.ModeAST, interp.ModeIR} {
					agent, _ := interp.Load(file, view.Name(), mode, nil)
					if agent == nil {
						continue
					}
					loaded++
					if agent.Instruction == "" || agent.Model.ID == "" || len(agent.Tools) != len(view.Elements) {
						t.Errorf("%s without %q: loaded in mode %s: %+v", input, text[at[0]:at[1]], mode, agent)
					}
				}
			}
		}
	}
	if loaded == 0 {
		t.Error("nothing was loaded at all")
	}
}
