package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A reply is a response, which is sent as a whole or as a stream, as it is asked for.
type reply struct {
	content, reasoning, refusal string
	calls                       []replyCall
	finish                      string // "" is what is usual
}

type replyCall struct{ id, name, args string }

// lookup is a reply with one call.
func lookup(args string) http.HandlerFunc {
	return reply{calls: []replyCall{{"c", "lookup", args}}}.send
}

func (p reply) send(w http.ResponseWriter, r *http.Request) {
	finish := p.finish
	switch {
	case finish == "" && len(p.calls) > 0:
		finish = "tool_calls"
	case finish == "":
		finish = "stop"
	}
	var calls []any
	for i, c := range p.calls {
		calls = append(calls, map[string]any{"index": i, "id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": c.args}})
	}
	if r.Header.Get("Accept") != "text/event-stream" {
		message := map[string]any{"role": "assistant", "content": p.content, "refusal": p.refusal, "reasoning_content": p.reasoning}
		if calls != nil {
			message["tool_calls"] = calls
		}
		json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": message, "finish_reason": finish}}})
		return
	}
	event := func(delta map[string]any, finish any) {
		data, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	event(map[string]any{"reasoning_content": p.reasoning}, nil)
	for _, piece := range strings.SplitAfter(p.content, " ") {
		event(map[string]any{"content": piece}, nil)
	}
	event(map[string]any{"refusal": p.refusal}, nil)
	for _, c := range calls {
		event(map[string]any{"tool_calls": []any{c}}, nil)
	}
	event(map[string]any{}, finish)
	io.WriteString(w, done)
}

// A trial is an agent with the tool lookup, which needs a city.
type trial struct {
	*stub
	bound *interp.Bound
	ran   atomic.Int32
}

func newTrial(t *testing.T, stream bool, steps ...http.HandlerFunc) *trial {
	t.Helper()
	p := &trial{stub: serve(t, steps...)}
	const input = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`
	agent := &interp.Agent{Name: "guide", Instruction: "Answer with the tools.", Model: compile.Model{Provider: "OpenAI", ID: "gpt-4o-mini"},
		Tools: []runtime.Contract{{Name: "lookup", Description: "Looks up the weather", Input: json.RawMessage(input)}}}
	tool, err := runtime.NewTool(runtime.ToolConfig{Name: "lookup", Adopt: true, Execute: func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return plainjson.String(fmt.Sprintf("sunny %d", p.ran.Add(1))), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	library, err := runtime.Library{}.Add("lookup", tool)
	if err != nil {
		t.Fatal(err)
	}
	if p.bound, err = interp.Bind(agent, library, p.model(t, Options{}), &interp.Options{Stream: stream}); err != nil {
		t.Fatal(err)
	}
	return p
}

// validHistory checks what strict servers require of a conversation: that each call has
// an id of its own, arguments that are a JSON object, and exactly one result.
func validHistory(t *testing.T, body string) {
	t.Helper()
	var request struct {
		Messages []struct {
			Role, Content string
			ID            string `json:"tool_call_id"`
			Calls         []struct {
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal([]byte(body), &request); err != nil {
		t.Fatal(err)
	}
	open, seen := map[string]bool{}, map[string]bool{}
	for _, m := range request.Messages {
		if m.Role == "tool" {
			if !open[m.ID] {
				t.Errorf("a result of %q, which is no open call", m.ID)
			}
			delete(open, m.ID)
			continue
		}
		if len(open) > 0 {
			t.Errorf("calls without a result: %v", open)
		}
		for _, c := range m.Calls {
			var args map[string]any
			if err := json.Unmarshal([]byte(c.Function.Arguments), &args); err != nil || seen[c.ID] || c.ID == "" || c.Function.Name == "" || len(c.Function.Name) > 64 {
				t.Errorf("the call %.200v: %v", c, err)
			}
			open[c.ID], seen[c.ID] = true, true
		}
	}
}

func TestFaultsOfModels(t *testing.T) {
	finished := reply{content: "All done."}.send
	calls := func(list ...replyCall) http.HandlerFunc { return reply{calls: list}.send }
	named := func(name string) http.HandlerFunc { return calls(replyCall{"c", name, `{"city":"Oslo"}`}) }
	oslo := `{"city":"Oslo"}`
	many := make([]replyCall, 200)
	for i := range many {
		many[i] = replyCall{fmt.Sprint("c", i), "lookup", fmt.Sprintf(`{"city":"%d"}`, i)}
	}
	for _, tt := range []struct {
		name     string
		steps    []http.HandlerFunc
		kind     runtime.ErrorKind // "" for the answer "All done."
		requests int
		ran      int32
	}{
		{"arguments that are cut", []http.HandlerFunc{lookup(`{"city":"Os`), finished}, "", 2, 0},
		{"arguments in a fence", []http.HandlerFunc{lookup("```json\n" + oslo + "\n```"), finished}, "", 2, 0},
		{"single quotes", []http.HandlerFunc{lookup(`{'city':'Oslo'}`), finished}, "", 2, 0},
		{"text after the arguments", []http.HandlerFunc{lookup(oslo + " ok"), finished}, "", 2, 0},
		{"empty arguments", []http.HandlerFunc{lookup(""), finished}, "", 2, 0},
		{"arguments encoded twice", []http.HandlerFunc{lookup(string(plainjson.String(oslo))), finished}, "", 2, 1},
		{"a missing argument", []http.HandlerFunc{lookup(`{}`), finished}, "", 2, 0},
		{"an argument of another type", []http.HandlerFunc{lookup(`{"city":7}`), finished}, "", 2, 0},
		{"an argument that is null", []http.HandlerFunc{lookup(`{"city":null}`), finished}, "", 2, 0},
		{"another argument", []http.HandlerFunc{lookup(`{"city":"Oslo","x":1}`), finished}, "", 2, 0},
		{"an argument twice", []http.HandlerFunc{lookup(`{"city":"Oslo","city":"Rome"}`), finished}, "", 2, 0},
		{"deep arguments", []http.HandlerFunc{lookup(`{"city":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`), finished}, "", 2, 0},
		{"huge arguments", []http.HandlerFunc{lookup(`{"city":"` + strings.Repeat("x", 2<<20) + `"}`), finished}, "", 2, 0},
		{"an unknown tool", []http.HandlerFunc{named("search"), finished}, "", 2, 0},
		{"a tool in capitals", []http.HandlerFunc{named("LOOKUP"), finished}, "", 2, 0},
		{"a tool of a namespace", []http.HandlerFunc{named("functions.lookup"), finished}, "", 2, 0},
		{"a tool without a name", []http.HandlerFunc{named(""), finished}, "", 2, 0},
		{"a tool with a huge name", []http.HandlerFunc{named(strings.Repeat("lookup", 30_000)), finished}, "", 2, 0},
		{"one id for two calls", []http.HandlerFunc{calls(replyCall{"c", "lookup", oslo}, replyCall{"c", "lookup", `{"city":"Rome"}`}), finished}, "", 2, 2},
		{"no ids", []http.HandlerFunc{calls(replyCall{"", "lookup", oslo}, replyCall{"", "lookup", `{"city":"Rome"}`}), finished}, "", 2, 2},
		{"an id again", []http.HandlerFunc{lookup(oslo), lookup(`{"city":"Rome"}`), finished}, "", 3, 2},
		{"a long id", []http.HandlerFunc{calls(replyCall{strings.Repeat("c", 500), "lookup", oslo}), finished}, "", 2, 1},
		{"200 calls", []http.HandlerFunc{calls(many...), finished}, "", 2, 16},
		{"the same call for ever", []http.HandlerFunc{lookup(oslo)}, runtime.KindTool, 10, 10},
		{"an empty answer", []http.HandlerFunc{reply{}.send, finished}, "", 2, 0},
		{"only empty answers", []http.HandlerFunc{reply{}.send}, runtime.KindLLMAPI, 2, 0},
		{"only reasoning", []http.HandlerFunc{reply{reasoning: "hm"}.send}, runtime.KindLLMAPI, 2, 0},
		{"arguments cut by the length", []http.HandlerFunc{reply{calls: []replyCall{{"c", "lookup", `{"city":"Os`}}, finish: "length"}.send, finished}, "", 2, 0},
		{"a filter", []http.HandlerFunc{reply{content: "I", finish: "content_filter"}.send}, runtime.KindContentFilter, 1, 0},
		{"a refusal", []http.HandlerFunc{reply{refusal: "No."}.send}, runtime.KindContentFilter, 1, 0},
		{"finish stop beside calls", []http.HandlerFunc{reply{calls: []replyCall{{"c", "lookup", oslo}}, finish: "stop"}.send, finished}, "", 2, 1},
		{"finish tool_calls without calls", []http.HandlerFunc{reply{content: "All done.", finish: "tool_calls"}.send}, "", 1, 0},
		{"an unknown finish", []http.HandlerFunc{reply{content: "All done.", finish: "eos"}.send}, "", 1, 0},
		{"a fault after a call", []http.HandlerFunc{lookup(oslo), responds(500, ""), finished}, "", 3, 1},
		{"a busy server after a call", []http.HandlerFunc{lookup(oslo), responds(529, "")}, runtime.KindOverloaded, 5, 1},
		{"a broken connection after a call", []http.HandlerFunc{lookup(oslo), hijacked("", true), finished}, "", 3, 1},
		{"a cut body after a call", []http.HandlerFunc{lookup(oslo), hijacked("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\ndata: {", false), finished}, "", 3, 1},
		{"not JSON after a call", []http.HandlerFunc{lookup(oslo), responds(200, "oops"), finished}, "", 3, 1},
		{"too long after a call", []http.HandlerFunc{lookup(oslo), responds(400, `{"error":{"code":"context_length_exceeded","message":"too long"}}`)}, runtime.KindContextOverflow, 2, 1},
	} {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, stream %v", tt.name, stream), func(t *testing.T) {
				p := newTrial(t, stream, tt.steps...)
				answer, err := p.bound.Run(t.Context(), "What is the weather?", nil)
				count, ran := p.requests(), p.ran.Load()
				p.afterwards(t, answer)
				var e *runtime.Error
				switch {
				case tt.kind == "" && (err != nil || answer.Content != "All done."):
					t.Errorf("%+v, %v", answer, err)
				case tt.kind != "" && (!errors.As(err, &e) || e.Kind != tt.kind):
					t.Errorf("%+v, %v, want %s", answer, err, tt.kind)
				}
				if count != tt.requests || ran != tt.ran {
					t.Errorf("%d requests and %d calls, want %d and %d", count, ran, tt.requests, tt.ran)
				}
			})
		}
	}
}

// afterwards checks that a conversation can go on.
func (p *trial) afterwards(t *testing.T, answer *interp.AgentResponse) {
	t.Helper()
	p.mu.Lock()
	p.steps, p.bodies = []http.HandlerFunc{reply{content: "Goodbye."}.send}, nil
	p.mu.Unlock()
	again, err := p.bound.Run(t.Context(), "Thanks", answer.Conversation)
	if err != nil || again.Content != "Goodbye." {
		t.Errorf("afterwards: %+v, %v", again, err)
	}
	validHistory(t, p.bodies[0])
}

// One request in ten fails in some way that can pass: the answer is the same.
func TestFaultsThatPassAreNotSeen(t *testing.T) {
	faults := []http.HandlerFunc{
		responds(500, ""), responds(429, "", "Retry-After: 1"), responds(529, ""), responds(200, ""), responds(200, "{"),
		hijacked("", true), broken(piece("All")), streams(piece("All")), streams(callPiece(`"index":0,"id":"c"`, "lookup", `{"ci`)),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for run := range 100 {
		turn := 0
		p := newTrial(t, run%2 == 0, func(w http.ResponseWriter, r *http.Request) {
			if random.IntN(10) == 0 {
				faults[random.IntN(len(faults))](w, r)
				return
			}
			turn++
			if turn == 1 {
				lookup(`{"city":"Oslo"}`)(w, r)
			} else {
				reply{content: "All done."}.send(w, r)
			}
		})
		answer, err := p.bound.Run(t.Context(), "What is the weather?", nil)
		if err != nil || answer.Content != "All done." || p.ran.Load() != 1 {
			t.Errorf("run %d: %+v, %v after %d calls", run, answer, err, p.ran.Load())
		}
	}
}
