package durable_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// TestEventsAreThoseOfTheLoop runs an agent whose calls are made, changed, denied, refused and failed,
// and compares what its journal says with what the loop has yielded.
func TestEventsAreThoseOfTheLoop(t *testing.T) {
	call := func(id, name, args string) runtime.Call {
		return runtime.Call{ID: id, Name: name, Args: json.RawMessage(args)}
	}
	model := runtime.NewScript(
		runtime.Response{Content: "first", Finish: "tool_calls", Calls: []runtime.Call{
			call("a", "ask", `{"n": 1}`), call("b", "nosuch", `{}`), call("c", "do", `{"n": 2}`), call("d", "ask", `{"n": 3}`), call("e", "do", `{"n": 4}`), call("f", "nosuch", `"x`),
		}},
		runtime.Response{Content: "second", Finish: "tool_calls", Calls: []runtime.Call{call("a", "do", `{"n": 5}`)}},
		runtime.Response{Content: "done", Finish: "stop"},
	)
	agent := &interp.Agent{Name: "a", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"}}
	lib := runtime.Library{}
	for _, name := range []string{"do", "ask"} {
		c := runtime.ToolConfig{Name: name, Adopt: true, Concurrent: true, Execute: func(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
			if strings.Contains(string(args), "4") {
				return nil, fmt.Errorf("four")
			}
			return args, nil
		}}
		if name == "ask" {
			c.Approval.Default = runtime.Ask
		}
		tool, err := runtime.NewTool(c)
		if err == nil {
			lib, err = lib.Add(name, tool)
		}
		if err != nil {
			t.Fatal(err)
		}
		agent.Tools = append(agent.Tools, runtime.Contract{Name: name, Description: "d", Input: json.RawMessage(`{"type":"object"}`)})
	}
	j, err := journal.Open(filepath.Join(t.TempDir(), "state"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	run, err := durable.Begin(t.Context(), j, &journal.Run{Agent: "a"}, []byte("p"), &durable.Start{Message: runtime.UserMessage("hello")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	bound, err := interp.Bind(agent, lib, model, run.Options(&interp.Options{Approve: func(_ context.Context, q *interp.ApprovalRequest) (bool, error) {
		if strings.Contains(string(q.Args), "3") {
			return false, nil
		}
		q.Args = json.RawMessage(`{"n":10}`)
		return true, nil
	}}))
	if err != nil {
		t.Fatal(err)
	}
	var live []string
	for e, err := range run.Events(t.Context(), bound) {
		if err != nil {
			t.Fatal(err)
		}
		live = append(live, show(&e)...)
	}
	record, err := durable.Read(t.Context(), j, run.ID())
	if err != nil {
		t.Fatal(err)
	}
	var read []string
	approvals := 0
	for e := range record.Events() {
		if e.Approval != nil {
			approvals++
			continue
		}
		if e.At.Before(record.Run.Created) || e.At.After(record.Run.Updated) {
			t.Errorf("%s happened at %s, and the run between %s and %s", e.Kind, e.At, record.Run.Created, record.Run.Updated)
		}
		read = append(read, show(&e.Event)...)
	}
	if approvals != 2 {
		t.Errorf("%d approvals", approvals)
	}
	inOrder := func(list []string) string { // calls that are made at the same time begin and end in any order
		var kept []string
		for _, text := range list {
			if !strings.HasPrefix(text, "tool-") {
				kept = append(kept, text)
			}
		}
		return strings.Join(kept, "\n")
	}
	if a, b := inOrder(live), inOrder(read); a != b {
		t.Errorf("the loop\n%s\nthe journal\n%s", a, b)
	}
	for _, prefix := range []string{"tool-started", "tool-finished"} {
		count := map[string]int{}
		for i, list := range [][]string{live, read} {
			for _, text := range list {
				if strings.HasPrefix(text, prefix) {
					count[text] += 1 - 2*i
				}
			}
		}
		for text, n := range count {
			if n != 0 {
				t.Errorf("%+d of the loop: %s", n, text)
			}
		}
	}
	for range record.Events() {
		break // a caller may stop
	}
}

// TestASummaryIsNoResponse has one after a request that was too long to be sent.
func TestASummaryIsNoResponse(t *testing.T) {
	response := &runtime.Response{Content: "x", Finish: "stop"}
	record := &durable.Record{Steps: []durable.RecordedStep{
		{Key: "1", Outcome: &interp.Outcome{Unsent: true, Failure: &runtime.Error{Kind: runtime.KindContextOverflow}}},
		{Key: "2", Outcome: &interp.Outcome{Summary: 3, Response: response}},
		{Key: "3", Outcome: &interp.Outcome{Response: response}},
		{Key: "4"},
	}}
	got := ""
	for e := range record.Events() {
		got += fmt.Sprint(e.Kind, " ", e.Turn, "; ")
		if e.Compaction != nil && e.Compaction.Messages != 3 {
			t.Errorf("%+v", e.Compaction)
		}
	}
	if want := "compacted 0; model-request 1; model-response 1; model-request 2; "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	o := interp.Outcome{Summary: 3, Response: response}
	text, err := json.Marshal(o)
	var again interp.Outcome
	if err != nil || json.Unmarshal(text, &again) != nil || again.Summary != 3 {
		t.Errorf("%s, %v", text, err)
	}
}

// show writes what an event of the loop and one of a journal have in common.
func show(e *interp.Event) []string {
	text := fmt.Sprint(e.Kind, " ", e.Turn, " ")
	switch e.Kind {
	case interp.EventResponse:
		text += e.Response.Content
	case interp.EventToolStarted:
		text += e.Call.Name
	case interp.EventToolFinished:
		text += fmt.Sprint(e.Invocation.Tool, string(e.Invocation.Args), string(e.Invocation.Result), e.Time > 0)
		if err := e.Invocation.Err; err != nil {
			text += err.Message
			if strings.Contains(err.Message, "no tool") || e.Invocation.Tool == "nosuch" {
				text = fmt.Sprint(e.Kind, " ", e.Turn, " refused ", e.Invocation.Tool) // no step says why
			}
		}
	case interp.EventAnswer:
		text += e.Answer.Content
	}
	return []string{text}
}
