package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// talkTo returns a terminal and a session in which one message was answered.
func talkTo(t *testing.T, o *Options) *Terminal {
	t.Helper()
	agent := &interp.Agent{Name: "my clerk", Description: "Keeps\nnotes", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "gpt-4o-mini"}}
	lib, err := runtime.AddFunc(runtime.Library{}, "add", "Adds numbers\nand more", func(context.Context, struct{}) (int, error) { return 3, nil })
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := lib.Lookup("add")
	agent.Tools = []runtime.Contract{{Name: "add", Description: "Adds numbers\nand more", Input: tool.Input()}}
	model := runtime.NewScript(
		runtime.Response{Calls: []runtime.Call{{ID: "1", Name: "add", Args: []byte(`{}`)}}, Usage: runtime.Usage{Input: 1000, Output: 2}},
		runtime.Response{Content: "three", Usage: runtime.Usage{Input: 2000, Output: 3}})
	s, err := session.New(agent, nil, func(a *interp.Agent) (*interp.Bound, error) {
		if a.Model.ID == "none" {
			return nil, errors.New("there is no key")
		}
		return interp.Bind(a, lib, model, &interp.Options{Stream: true})
	})
	if err != nil {
		t.Fatal(err)
	}
	term := New(o)
	term.session = s
	for _, err := range s.Send(t.Context(), "What is it?", runtime.UserMessage("What is it?")) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return term
}

func TestCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct {
		text string
		want outcome // of its lines, each must be part of what is printed
	}{
		{"/help", outcome{lines: []string{"/model [NAME]", "@FILE", "Ctrl-O"}}},
		{"/HELP", outcome{lines: []string{"/model [NAME]"}}},
		{"/help me", outcome{lines: []string{"/help takes no arguments"}}},
		{"/model", outcome{lines: []string{"the model is OpenAI/gpt-4o-mini"}}},
		{"/model OpenAI/gpt-4o", outcome{lines: []string{"from now on OpenAI/gpt-4o answers"}}},
		{"/model OpenAI/gpt-nobody", outcome{lines: []string{"from now on OpenAI/gpt-nobody answers", "gramc does not know this model"}}},
		{"/model OpenAI/gpt-4o-mni", outcome{lines: []string{"from now on OpenAI/gpt-4o-mni answers", `gramc does not know the model "gpt-4o-mni" of OpenAI; did you mean gpt-4o-mini?`}}},
		{"/model o3", outcome{lines: []string{"from now on OpenAI/o3 answers", "OpenAI/o3 is deprecated and ends on 2026-12-11; OpenAI names gpt-6.1-sol as its successor"}}},
		{"/agent peot", outcome{lines: []string{`there is no agent "peot" in the file; did you mean poet?`}, prefill: "/agent poet"}},
		{"/agent nobody", outcome{lines: []string{`there is no agent "nobody" in the file, but my clerk, poet`}}},
		{"/model OpenAI/none", outcome{lines: []string{"there is no key"}}},
		{"/agent", outcome{lines: []string{"my clerk, answered by OpenAI/gpt-4o-mini, 1 tool", "Keeps\nnotes", "other agents of the file: poet"}}},
		{"/agent poet", outcome{lines: []string{"no poet today"}}},
		{"/tools", outcome{lines: []string{"add  Adds numbers"}}},
		{"/undo", outcome{lines: []string{"taken back: \"What is it?\" and what came of it (4 messages); the conversation now has 0 messages", "not taken back: what these tools did: add"}, prefill: "What is it?"}},
		{"/retry", outcome{send: "What is it?"}},
		{"/clear", outcome{lines: []string{"forgotten"}}},
		{"/save talk.md", outcome{lines: []string{"saved as talk.md"}}},
		{"/save talk.json", outcome{lines: []string{"saved as talk.json"}}},
		{"/save", outcome{lines: []string{"saved as my_clerk-"}}},
		{"/save no/such/talk", outcome{lines: []string{"no/such/talk cannot be written: "}}},
		{"/save exists", outcome{lines: []string{"exists exists; choose another name"}}},
		{"/cost", outcome{lines: []string{"in all: 2 requests, 3,000 tokens in, 5 out, $0.000453", "last turn: 2 requests"}}},
		{"/trace", outcome{lines: []string{"request: 1,000 tokens in, 2 out", "call add", "request: 2,000"}}},
		{"/trace file", outcome{lines: []string{"all events are written to file"}}},
		{"/quit", outcome{quit: true}},
		{"/exit", outcome{quit: true}},
		{"/udno", outcome{lines: []string{"there is no command /udno; did you mean /undo?"}, prefill: "/undo"}},
		{"/xyzzy", outcome{lines: []string{"there is no command /xyzzy; /help lists all"}}},
	} {
		t.Run(tt.text, func(t *testing.T) {
			if err := os.WriteFile("exists", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			term := talkTo(t, &Options{Agents: []string{"my clerk", "poet"}, Agent: func(name string) error { return errors.New("no " + name + " today") }, Trace: func(string) error { return nil }})
			o, ok := term.command(tt.text)
			if !ok || o.send != tt.want.send || o.prefill != tt.want.prefill || o.quit != tt.want.quit {
				t.Fatalf("leads to %+v, %v", o, ok)
			}
			printed := strings.Join(o.lines, "\n")
			for _, part := range tt.want.lines {
				if !strings.Contains(printed, part) {
					t.Errorf("%q is missing in\n%s", part, printed)
				}
			}
			name := strings.TrimPrefix(tt.text, "/save ")
			if info, err := os.Stat(name); strings.HasPrefix(name, "talk") && (err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0) {
				t.Errorf("saved as %v, %v", info, err)
			}
		})
	}
	for _, message := range []string{"hello", "/etc/hosts is what?", "//", "/2", " what is /help"} {
		if o, ok := New(&Options{}).command(message); ok {
			t.Errorf("%q is a command, which leads to %+v", message, o)
		}
	}
}

func TestApprovedToolsAreNotAskedFor(t *testing.T) {
	q := &interp.ApprovalRequest{Agent: "a", Tool: "add", Args: []byte(`{}`)}
	for name, want := range map[string]bool{"add": true, "all": true, "other": false} {
		if yes, err := talkTo(t, &Options{Approved: []string{name}}).Approve(t.Context(), q); yes != want || err != nil {
			t.Errorf("with %s approved: %v, %v", name, yes, err)
		}
	}
	term, asked := talkTo(t, &Options{}), 0
	term.approver.ask = func(context.Context, *interp.ApprovalRequest) (answer, error) {
		asked++
		return answer{yes: true, always: asked == 2, args: []byte(`{"n":1}`)}, nil
	}
	for range 3 {
		if yes, err := term.Approve(t.Context(), q); !yes || err != nil || string(q.Args) != `{"n":1}` {
			t.Errorf("%v, %v, with %s", yes, err, q.Args)
		}
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}

func TestEachAgentHasItsHistory(t *testing.T) {
	folder := t.TempDir()
	files := func(agent string) string { return filepath.Join(folder, agent) }
	term := talkTo(t, &Options{History: files, Agents: []string{"my clerk", "poet"}})
	term.Agent = func(name string) error {
		other := *term.session.Agent()
		other.Name = name
		return term.session.SetAgent(&other)
	}
	openHistory(files("poet")).add("rhyme", "rhyme")
	if o, _ := term.command("/agent poet"); !strings.Contains(o.lines[0], "poet") {
		t.Fatal(o.lines)
	}
	if entry, _ := term.history.back(""); entry != "rhyme" {
		t.Errorf("the history of poet has %q", entry)
	}
}

func TestToolsThatCannotBeUsedAreLines(t *testing.T) {
	bind := runtime.BindErrors{{Tool: "one", Reason: runtime.ReasonNotFound, Detail: "no\x1b[2J"}, {Tool: "two", Reason: runtime.ReasonNotFound}}
	lines := New(&Options{}).failure(fmt.Errorf("it failed: %w", runtime.Errorf(runtime.KindConfiguration, "%w", bind))).lines
	if len(lines) != 3 || !strings.Contains(lines[1], "one") || !strings.Contains(lines[2], "two") || strings.Contains(lines[1], "\x1b") {
		t.Errorf("%q", lines)
	}
}
