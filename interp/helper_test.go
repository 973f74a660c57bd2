package interp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/runtime"
)

// The tools of the tests. Each test adds what it needs.
const helloSchema = `{"type":"object","properties":{"personName":{"type":"string","default":"world"}},"required":[]}`

func helloLibrary(t testing.TB) runtime.Library {
	t.Helper()
	return addTool(t, runtime.Library{}, "sayHello", func(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
		var in struct{ PersonName string }
		if err := json.Unmarshal(args, &in); err != nil {
			return nil, err
		}
		return json.Marshal("Hello, " + in.PersonName)
	})
}

func addTool(t testing.TB, lib runtime.Library, name string, run runtime.Handler, change ...func(*runtime.ToolConfig)) runtime.Library {
	t.Helper()
	c := runtime.ToolConfig{Name: name, Execute: run, Adopt: true}
	for _, f := range change {
		f(&c)
	}
	made, err := runtime.NewTool(c)
	if err == nil {
		lib, err = lib.Add(name, made)
	}
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// agent returns an agent with tools of those names; sayHello has its schema,
// all others take any object.
func agent(tools ...string) *Agent {
	a := &Agent{Name: "a", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"}}
	for _, name := range tools {
		schema := `{"type":"object"}`
		if name == "sayHello" {
			schema = helloSchema
		}
		a.Tools = append(a.Tools, runtime.Contract{Name: name, Description: "d", Input: json.RawMessage(schema)})
	}
	return a
}

func text(content string) runtime.Response { return runtime.Response{Content: content, Finish: "stop"} }

// calls returns an answer that calls tools: pairs of name and arguments.
func calls(pairs ...string) runtime.Response {
	r := runtime.Response{Finish: "tool_calls"}
	for i := 0; i < len(pairs); i += 2 {
		r.Calls = append(r.Calls, runtime.Call{ID: fmt.Sprintf("id%d", i/2), Name: pairs[i], Args: json.RawMessage(pairs[i+1])})
	}
	return r
}

func fails(message string) runtime.Handler {
	return func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, errors.New(message) }
}

func gives(result string) runtime.Handler {
	return func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(result), nil }
}

// transcript writes a conversation in one line per message.
func transcript(conv runtime.Conversation) []string {
	var lines []string
	for _, m := range conv {
		line := string(m.Role) + ": " + m.Content
		for _, c := range m.Calls {
			line += fmt.Sprintf(" <%s %s %s>", c.ID, c.Name, c.Args)
		}
		if m.Role == runtime.RoleTool {
			line = fmt.Sprintf("%s = %s: %s", m.CallID, m.ToolName, m.Content)
		}
		lines = append(lines, line)
	}
	return lines
}

// invocations writes the tools used in one line each.
func invocations(t *testing.T, used []runtime.Invocation) []string {
	t.Helper()
	var lines []string
	for _, u := range used {
		text, err := json.Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}
	return lines
}

// checkHistory fails the test unless each call of the conversation has an
// object for arguments, an id of its own, and exactly one result.
func checkHistory(t *testing.T, conv runtime.Conversation) {
	t.Helper()
	results := map[string]int{}
	for _, m := range conv {
		for _, c := range m.Calls {
			if _, taken := results[c.ID]; taken || c.ID == "" || c.Name != validCallName(c.Name) {
				t.Errorf("call %q %q: id taken or empty, or name not valid", c.ID, c.Name)
			}
			if results[c.ID] = 0; !callArgsAreObject(c.Args) {
				t.Errorf("call %q: arguments %s", c.ID, c.Args)
			}
		}
		if m.Role == runtime.RoleTool {
			results[m.CallID]++
		}
	}
	for id, n := range results {
		if n != 1 {
			t.Errorf("call %q has %d results", id, n)
		}
	}
}

// runAgent binds and runs an agent. The response of an agent that cannot be
// bound is empty.
func runAgent(ctx context.Context, a *Agent, input string, given runtime.Conversation, lib runtime.Library, m runtime.Model, o *Options) (*AgentResponse, error) {
	bound, err := Bind(a, lib, m, o)
	if err != nil {
		return &AgentResponse{ToolsUsed: []runtime.Invocation{}}, err
	}
	return bound.Run(ctx, input, given)
}

// events binds an agent and returns the events of a run.
func events(t testing.TB, a *Agent, input string, lib runtime.Library, m runtime.Model) iter.Seq2[Event, error] {
	t.Helper()
	bound, err := Bind(a, lib, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return bound.Events(t.Context(), input, nil)
}
