package scenario

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// draftingAgent returns an agent with a tool that returns an object, and one that returns text.
func draftingAgent() *interp.Agent {
	schema := func(properties, required string) json.RawMessage {
		return json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":[` + required + `]}`)
	}
	return &interp.Agent{Name: "clerk", Tools: []runtime.Contract{
		{Name: "find", Input: schema(`"id":{"type":"string"},"deep":{"type":"boolean"}`, `"id"`), Output: json.RawMessage(`{"type":["object","null"]}`)},
		{Name: "note", Input: schema(`"lines":{"type":"array"}`, ``), Output: json.RawMessage(`{"type":"string"}`)},
	}}
}

func said(calls ...runtime.Call) runtime.Message { return runtime.AssistantMessage("", calls) }

func callOf(id, tool, args string) runtime.Call {
	return runtime.Call{ID: id, Name: tool, Args: json.RawMessage(args)}
}

func gave(id, tool, text string) runtime.Message {
	return runtime.Message{Role: runtime.RoleTool, CallID: id, ToolName: tool, Content: text, Failed: strings.HasPrefix(text, "Error: ")}
}

func TestDrafts(t *testing.T) {
	for name, tt := range map[string]struct {
		conversation runtime.Conversation
		want         []string // steps
		notes        []string
	}{
		"a call": {
			runtime.Conversation{runtime.UserMessage("Where is \"A-1\"?\n"), said(callOf("1", "find", `{"id":"A-1"}`)), gave("1", "find", `{"at": [1]}`), runtime.AssistantMessage("A-1 is at 1.", nil)},
			[]string{
				`[:User {text: "Where is \"A-1\"?\n"}]`, "[:Result {tool: \"find\", is: json`{\"at\":[1]}`}]", `[:Model {call: "find", with: {id: "A-1"}}]`,
				`[:Model {text: "A-1 is at 1."}]`, `[:Expect {called: "find", times: 1}]`, `[:Expect {text: "A-1"}]`,
			}, nil,
		},
		"results by arguments, the general ones first; an equal one is not repeated": {
			runtime.Conversation{
				runtime.UserMessage("Q"), said(callOf("1", "find", `{"id":"A","deep":true}`), callOf("2", "find", `{"id":"A"}`), callOf("3", "note", `{"lines":["a\\b"]}`)),
				gave("1", "find", `null`), gave("2", "find", `{}`), gave("3", "note", "5"), runtime.AssistantMessage("ok", nil),
				runtime.UserMessage("R"), said(callOf("4", "note", `{}`)), gave("4", "note", "5\n[The same call had the same result 3 times in a row. Do not repeat it: answer, or try something else.]"), runtime.AssistantMessage("ok", nil),
			},
			[]string{
				`[:User {text: "Q"}]`, "[:Result {tool: \"find\", is: json`{}`, with: {id: \"A\"}}]", `[:Result {tool: "note", is: "5"}]`, "[:Result {tool: \"find\", is: json`null`, with: {deep: true, id: \"A\"}}]",
				"[:Model {calls: [{call: \"find\", with: {deep: true, id: \"A\"}}, {call: \"find\", with: {id: \"A\"}}, {call: \"note\", with: json`{\"lines\":[\"a\\\\\\\\b\"]}`}]}]",
				`[:Model {text: "ok"}]`, `[:Expect {called: "find", times: 2}]`, `[:Expect {called: "note", times: 1}]`, `[:Expect {text: "ok"}]`,
				`[:User {text: "R"}]`, `[:Model {call: "note"}]`, `[:Model {text: "ok"}]`, `[:Expect {called: "note", times: 2}]`, `[:Expect {text: "ok"}]`,
			}, nil,
		},
		"failures": {
			runtime.Conversation{
				runtime.UserMessage("Q"), said(callOf("1", "find", `{"id":"A"}`), callOf("2", "find", `{"id":"A"}`)), gave("1", "find", "Error: closed"), gave("2", "find", "Error: closed"),
				said(callOf("3", "find", `{"id":"A"}`), callOf("4", "find", `{"id":5}`), callOf("5", "note", `{}`)), gave("3", "find", "Error: timed out after 10s"),
				gave("4", "find", "Error: invalid arguments"), gave("5", "note", "Error: not run: the user did not allow this call"),
				said(callOf("6", "find", `{"id":"A"}`), callOf("7", "fetch", `{}`)), gave("6", "find", "Error: tool find failed 3 times; do not call it again"), gave("7", "fetch", "Error: there is no tool fetch"),
				said(callOf("8", "fetch", `{}`)), gave("8", "fetch", "Error: there is no tool fetch"), runtime.AssistantMessage("No.", nil),
			},
			[]string{
				`[:User {text: "Q"}]`, `[:Fault {tool: "find", fails: error, message: "closed", times: 2}]`, `[:Fault {tool: "find", fails: timeout}]`,
				`[:Fault {tool: "note", fails: denied, message: "not run: the user did not allow this call"}]`,
				`[:Model {calls: [{call: "find", with: {id: "A"}}, {call: "find", with: {id: "A"}}]}]`,
				`[:Model {calls: [{call: "find", with: {id: "A"}}, {call: "find", raw: "{\"id\":5}"}, {call: "note"}]}]`, `[:Model {call: "find", with: {id: "A"}}]`,
				`[:Model {text: "No."}]`, `[:Expect {called: "find", times: 5}]`, `[:Expect {handled: "find"}]`, `[:Expect {called: "note", times: 1}]`, `[:Expect {handled: "note"}]`, `[:Expect {text: "No."}]`,
			},
			[]string{"the call of fetch is left out: the agent has no such tool", "the call of fetch is left out: the agent has no such tool"},
		},
		"what has no answer": {
			runtime.Conversation{
				runtime.UserMessage("first"), said(callOf("1", "note", `{}`)), gave("1", "note", "x"), runtime.UserMessage("second"), runtime.AssistantMessage("", nil),
				runtime.UserMessage("Error: the answer was empty. Answer again, in the content of the message."), runtime.AssistantMessage("Here", nil),
			},
			[]string{`[:User {text: "second"}]`, `[:Model {text: "Here"}]`, `[:Expect {text: "Here"}]`},
			[]string{`the message "first" has no answer, and is left out`},
		},
	} {
		d := &Draft{Name: "t", Import: "./a.gram", Agent: draftingAgent()}
		text, notes, err := d.Text(tt.conversation)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := "{import: [\"./a.gram\"]}\n\n[t:Test {agent: \"clerk\"} |\n  " + strings.Join(tt.want, ",\n  ") + "\n]\n"
		if diff := cmp.Diff(want, strings.ReplaceAll(text, ",\n\n", ",\n")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(tt.notes, notes); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestDraftsThatCannotBeMade(t *testing.T) {
	for want, conversation := range map[string]runtime.Conversation{
		"no message with an answer": {runtime.UserMessage("Q")},
		"a result of find does not fit its type, perhaps since it was shortened": {
			runtime.UserMessage("Q"), said(callOf("1", "find", `{"id":"A"}`)), gave("1", "find", `{"at": [1, … 5 bytes cut`), runtime.AssistantMessage("ok", nil),
		},
	} {
		_, _, err := (&Draft{Name: "t", Agent: draftingAgent()}).Text(conversation)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
