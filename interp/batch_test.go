package interp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// slow returns its argument n after n seconds.
func slow(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
	var in struct{ N int }
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	select {
	case <-time.After(time.Duration(in.N) * time.Second):
		return fmt.Append(nil, in.N), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestCallsRunSideBySideWhereTheirToolsMay(t *testing.T) {
	concurrent := func(c *runtime.ToolConfig) { c.Concurrent = true }
	tests := []struct {
		name    string
		tools   []string
		options *Options
		want    time.Duration
	}{
		{"all of them", []string{"side", "side", "side"}, nil, 3 * time.Second},
		{"one after another", []string{"alone", "alone", "alone"}, nil, 6 * time.Second},
		{"two at a time", []string{"side", "side", "side"}, &Options{Parallel: 2}, 5 * time.Second},
		{"one that waits for all before it", []string{"side", "side", "alone"}, nil, 5 * time.Second},
		{"not when a failure ends the run", []string{"side", "side", "side"}, &Options{FailOnToolError: true}, 6 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lib := addTool(t, addTool(t, runtime.Library{}, "side", slow, concurrent), "alone", slow)
				// The first takes longest, and is answered first all the same.
				answer := calls(tt.tools[0], `{"n":3}`, tt.tools[1], `{"n":1}`, tt.tools[2], `{"n":2}`)
				start := time.Now()
				response, err := runAgent(t.Context(), agent("side", "alone"), "x", nil, lib, runtime.NewScript(answer, text("ok")), tt.options)
				if err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took != tt.want {
					t.Errorf("took %v, want %v", took, tt.want)
				}
				checkHistory(t, response.Conversation)
				var sent []string
				for _, m := range response.Conversation[2:5] {
					sent = append(sent, m.Content)
				}
				if !slices.Equal(sent, []string{"3", "1", "2"}) {
					t.Errorf("the model got %v", sent)
				}
			})
		})
	}
}

func TestSideBySideNoToolIsTriedMoreOftenThanItMayFail(t *testing.T) {
	ran := make(chan struct{}, 20)
	broken := func(context.Context, json.RawMessage) (json.RawMessage, error) {
		ran <- struct{}{}
		return nil, errors.New("no")
	}
	lib := addTool(t, runtime.Library{}, "broken", broken, func(c *runtime.ToolConfig) { c.Concurrent = true })
	answer := runtime.Response{Calls: slices.Repeat([]runtime.Call{{Name: "broken"}}, 6)}
	response, err := runAgent(t.Context(), agent("broken"), "x", nil, lib, runtime.NewScript(answer, text("ok")), nil)
	if err != nil || len(ran) != 3 || len(response.ToolsUsed) != 6 {
		t.Errorf("ran %d times, %d recorded, %v", len(ran), len(response.ToolsUsed), err)
	}
}

func TestApproval(t *testing.T) {
	ask := runtime.Approval{Default: runtime.Ask, Rules: []runtime.ApprovalRule{
		{Args: map[string]string{"path": "drafts/*"}, Then: runtime.Allow},
		{Args: map[string]string{"path": "*.env"}, Then: runtime.Deny},
	}}
	answers := func(yes bool, err error) func(context.Context, *ApprovalRequest) (bool, error) {
		return func(_ context.Context, q *ApprovalRequest) (bool, error) {
			if q.Agent != "a" || q.Tool != "write" || string(q.Args) != `{"path":"notes.txt"}` {
				return false, fmt.Errorf("asked for %s %s %s", q.Agent, q.Tool, q.Args)
			}
			return yes, err
		}
	}
	tests := []struct {
		name, args string
		approve    func(context.Context, *ApprovalRequest) (bool, error)
		want       string // what the model gets
	}{
		{"a rule allows", `{"path":"drafts/a"}`, nil, "done"},
		{"a rule denies", `{"path":"config/.env"}`, answers(true, nil), "Error: not run: calls of this tool with these arguments are not allowed"},
		{"nobody to ask", `{"path":"notes.txt"}`, nil, "Error: not run: this call needs the approval of the user, and nobody can be asked here"},
		{"yes", `{"path":"notes.txt"}`, answers(true, nil), "done"},
		{"no", `{"path":"notes.txt"}`, answers(false, nil), "Error: not run: the user did not allow this call"},
		{"arguments that do not fit are not asked for", `[]`, nil, "Error: invalid arguments: arguments must be an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ran := false
			lib := addTool(t, runtime.Library{}, "write", func(context.Context, json.RawMessage) (json.RawMessage, error) {
				ran = true
				return json.RawMessage(`"done"`), nil
			}, func(c *runtime.ToolConfig) { c.Approval = ask })
			response, err := runAgent(t.Context(), agent("write"), "x", nil, lib, runtime.NewScript(calls("write", tt.args), text("ok")), &Options{Approve: tt.approve})
			if err != nil {
				t.Fatal(err)
			}
			if got := response.Conversation[2].Content; got != tt.want || ran != (tt.want == "done") {
				t.Errorf("got %q, want %q; ran: %v", got, tt.want, ran)
			}
			failed := response.ToolsUsed[0].Err
			if wantKind := strings.HasPrefix(tt.want, "Error: not run"); wantKind != (failed != nil && failed.Kind == runtime.ToolAuthorization) {
				t.Errorf("recorded %+v", failed)
			}
		})
	}
	t.Run("a question that fails ends the run", func(t *testing.T) {
		gone := errors.New("the terminal is gone")
		lib := addTool(t, runtime.Library{}, "write", gives("1"), func(c *runtime.ToolConfig) { c.Approval = ask })
		response, err := runAgent(t.Context(), agent("write"), "x", nil, lib,
			runtime.NewScript(calls("write", `{"path":"notes.txt"}`)), &Options{Approve: answers(false, gone)})
		if !errors.Is(err, gone) {
			t.Errorf("error %v", err)
		}
		checkHistory(t, response.Conversation)
	})
}

func TestTheUserChangesArguments(t *testing.T) {
	rules := runtime.Approval{Default: runtime.Ask, Rules: []runtime.ApprovalRule{{Args: map[string]string{"path": "*.env"}, Then: runtime.Deny}}}
	for args, want := range map[string]string{
		`{"path":"other.txt"}`: "[The user changed the arguments to {\"path\":\"other.txt\"}]\nwrote other.txt",
		`{"path":".env"}`:      "[The user changed the arguments to {\"path\":\".env\"}]\nError: not run: calls of this tool with the arguments that the user chose are not allowed",
		`[]`:                   "[The user changed the arguments to []]\nError: invalid arguments: arguments must be an object",
	} {
		lib := addTool(t, runtime.Library{}, "write", func(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
			var a struct{ Path string }
			err := json.Unmarshal(args, &a)
			return json.RawMessage(`"wrote ` + a.Path + `"`), err
		}, func(c *runtime.ToolConfig) { c.Approval = rules })
		approve := func(_ context.Context, q *ApprovalRequest) (bool, error) {
			q.Args = json.RawMessage(args)
			return true, nil
		}
		model := runtime.NewScript(calls("write", `{"path":"notes.txt"}`), text("ok"))
		response, err := runAgent(t.Context(), agent("write"), "x", nil, lib, model, &Options{Approve: approve})
		if err != nil {
			t.Fatal(err)
		}
		if got := response.Conversation[2].Content; got != want {
			t.Errorf("the model is informed by %q, want %q", got, want)
		}
		if asked := string(response.Conversation[1].Calls[0].Args); asked != `{"path":"notes.txt"}` {
			t.Errorf("the call of the model became %s", asked)
		}
		if made := string(response.ToolsUsed[0].Args); made != args {
			t.Errorf("recorded %s, want %s", made, args)
		}
	}
}

func TestToolsThatNeverStopEndTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := func(context.Context, json.RawMessage) (json.RawMessage, error) {
			time.Sleep(time.Hour)
			return nil, nil
		}
		lib := addTool(t, runtime.Library{}, "stuck", stuck)
		answer := runtime.Response{Calls: slices.Repeat([]runtime.Call{{Name: "stuck"}}, 16)}
		response, err := runAgent(t.Context(), agent("stuck"), "x", nil, lib, runtime.NewScript(answer, text("ok")), &Options{MaxAttempts: 100})
		if err == nil || !strings.HasPrefix(err.Error(), "8 calls of tools did not stop") {
			t.Errorf("error %v", err)
		}
		checkHistory(t, response.Conversation)
		time.Sleep(2 * time.Hour)
	})
}
