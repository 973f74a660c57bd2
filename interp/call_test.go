package interp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/runtime"
)

func TestFailuresAreResultsForTheModel(t *testing.T) {
	lib := addTool(t, helloLibrary(t), "broken", fails("disk full"))
	lib = addTool(t, lib, "panics", func(context.Context, json.RawMessage) (json.RawMessage, error) { panic("boom") })
	const there = `no such tool; known tools: sayHello, broken, panics`
	tests := []struct {
		name, tool, args string
		sent             string
		recorded         string // arguments of the invocation
		history          string // call in the conversation
	}{
		{"a failing tool", "broken", `{}`, "Error: disk full", `{}`, `broken {}`},
		{"a panic", "panics", `{}`, "Error: panic: boom", `{}`, `panics {}`},
		{"a wrong type", "sayHello", `{"personName":7}`,
			"Error: invalid arguments: /personName: expected a string, found the number 7", `{"personName":7}`, `sayHello {"personName":7}`},
		{"malformed arguments", "sayHello", `{"personName":`,
			"Error: invalid arguments: not JSON at byte 14: the text ends where a value is expected", `"{\"personName\":"`, `sayHello {}`},
		{"no object", "sayHello", `[1]`, "Error: invalid arguments: arguments must be an object", `[1]`, `sayHello {}`},
		{"duplicate keys", "sayHello", `{"a":1,"a":2}`,
			`Error: invalid arguments: /a: the field "a" occurs twice`, `{"a":1,"a":2}`, `sayHello {"a":1,"a":2}`},
		{"an unknown tool", "launch", `{}`, `Error: tool "launch": ` + there, `{}`, `launch {}`},
		{"a near miss", "functions.SayHello", `{}`, `Error: tool "functions.SayHello": ` + there + `; did you mean "sayHello"?`, `{}`, `functions_SayHello {}`},
		{"no name", "", `{}`, `Error: tool "": ` + there, `{}`, `unnamed {}`},
		{"empty arguments", "sayHello", ``, "Hello, world", `{}`, `sayHello {}`},
		{"arguments in a string", "sayHello", `"{\"personName\":\"Bob\"}"`, "Hello, Bob", `{"personName":"Bob"}`, `sayHello {"personName":"Bob"}`},
		{"arguments in a string in a string", "sayHello", `"\"{\\\"personName\\\":\\\"Bob\\\"}\""`, "Hello, Bob", `{"personName":"Bob"}`, `sayHello {"personName":"Bob"}`},
		{"a string that is no object", "sayHello", `"Bob"`,
			"Error: invalid arguments: arguments must be an object", `"Bob"`, `sayHello {}`},
		{"null arguments", "sayHello", ` null `, "Hello, world", `{}`, `sayHello {}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model := runtime.NewScript(calls(tt.tool, tt.args), text("ok"))
			response, err := runAgent(t.Context(), agent("sayHello", "broken", "panics"), "x", nil, lib, model, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkHistory(t, response.Conversation)
			if got := response.Conversation[2].Content; got != tt.sent {
				t.Errorf("the model got %q, want %q", got, tt.sent)
			}
			if call := response.Conversation[1].Calls[0]; call.Name+" "+string(call.Args) != tt.history {
				t.Errorf("history has %s %s, want %s", call.Name, call.Args, tt.history)
			}
			used := response.ToolsUsed
			if len(used) != 1 || string(used[0].Args) != tt.recorded || (used[0].Err != nil) != strings.HasPrefix(tt.sent, "Error: ") {
				t.Errorf("tools used: %s", invocations(t, used))
			}
		})
	}
}

func TestAttemptsAreLimitedPerToolAndTurn(t *testing.T) {
	once := func(c *runtime.ToolConfig) { c.NoRetry = true }
	tests := []struct {
		name    string
		change  []func(*runtime.ToolConfig)
		options *Options
		ran     int
		refusal string
	}{
		{"three by default", nil, nil, 3, "Error: tool broken failed 3 times; do not call it again"},
		{"option", nil, &Options{MaxAttempts: 2}, 2, "Error: tool broken failed 2 times; do not call it again"},
		{"not retryable", []func(*runtime.ToolConfig){once}, nil, 1, "Error: tool broken failed once; do not call it again"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ran := 0
			lib := addTool(t, helloLibrary(t), "broken", func(context.Context, json.RawMessage) (json.RawMessage, error) {
				ran++
				return nil, errors.New("no")
			}, tt.change...)
			all := calls("broken", "{}", "broken", "{}", "sayHello", "{}", "broken", "{}", "broken", "{}", "sayHello", "{}")
			for range 2 { // a new turn, a new chance
				ran = 0
				response, err := runAgent(t.Context(), agent("sayHello", "broken"), "x", nil, lib, runtime.NewScript(all, text("ok")), tt.options)
				if err != nil {
					t.Fatal(err)
				}
				lines := transcript(response.Conversation)
				if ran != tt.ran || !strings.HasSuffix(lines[6], tt.refusal) {
					t.Errorf("ran %d times, then %q", ran, lines[6])
				}
				if !strings.HasSuffix(lines[7], "Hello, world") || len(response.ToolsUsed) != 6 {
					t.Errorf("another tool was refused too: %q", lines[7])
				}
			}
		})
	}
}

func TestSeveralCallsRunInOrder(t *testing.T) {
	ran := 0
	lib := addTool(t, runtime.Library{}, "count", func(context.Context, json.RawMessage) (json.RawMessage, error) {
		ran++
		return json.Marshal(ran)
	})
	answer := runtime.Response{Content: "wait", Calls: slices.Repeat([]runtime.Call{{ID: "same", Name: "count"}}, 200)}
	response, err := runAgent(t.Context(), agent("count"), "x", nil, lib, runtime.NewScript(answer, text("ok")), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkHistory(t, response.Conversation)
	lines := transcript(response.Conversation)
	if ran != 16 || len(lines) != 203 || !strings.HasPrefix(lines[1], "assistant: wait <same count {}> <call_2 count {}>") {
		t.Errorf("ran %d, %d messages, %.60q", ran, len(lines), lines[1])
	}
	if lines[17] != "call_16 = count: 16" || lines[18] != "call_17 = count: Error: not run: at most 16 calls are run per response" {
		t.Errorf("%q\n%q", lines[17], lines[18])
	}
	if len(response.ToolsUsed) != 200 {
		t.Errorf("%d tools used", len(response.ToolsUsed))
	}
}

func TestCallIDsAreUniqueInTheConversation(t *testing.T) {
	given := runtime.Conversation{
		runtime.UserMessage("a"),
		runtime.AssistantMessage("", []runtime.Call{{ID: "call_2", Name: "sayHello", Args: json.RawMessage("{}")}}),
		{Role: runtime.RoleTool, CallID: "call_2", ToolName: "sayHello", Content: "x"},
	}
	answer := calls("sayHello", "{}", "sayHello", "{}", "sayHello", "{}", "sayHello", "{}", "sayHello", "{}", "sayHello", "{}")
	for i, id := range []string{"", "call_2", "new", "new", strings.Repeat("x", 500), "a b"} {
		answer.Calls[i].ID = id
	}
	response, err := runAgent(t.Context(), agent("sayHello"), "b", given, helloLibrary(t), runtime.NewScript(answer, answer, text("ok")), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkHistory(t, response.Conversation)
	issued := response.Conversation[4].Calls
	if issued[2].ID != "new" {
		t.Errorf("an id that was free became %q", issued[2].ID)
	}
	if len(issued[4].ID) > maxIDBytes {
		t.Errorf("an id has %d bytes", len(issued[4].ID))
	}
	if strings.Contains(issued[5].ID, " ") {
		t.Errorf("an id has a space: %q", issued[5].ID)
	}
}

func TestProviderFieldsOfACallAreKept(t *testing.T) {
	answer := calls("sayHello", "{}")
	answer.Calls[0].Extra = json.RawMessage(`{"signature":"s"}`)
	model := runtime.NewScript(answer, text("ok"))
	if _, err := runAgent(t.Context(), agent("sayHello"), "x", nil, helloLibrary(t), model, nil); err != nil {
		t.Fatal(err)
	}
	if got := model.Requests()[1].Messages[1].Calls[0].Extra; string(got) != `{"signature":"s"}` {
		t.Errorf("extra is %s", got)
	}
}

func TestResponsesThatWereCutOff(t *testing.T) {
	cutOff := func(r runtime.Response) runtime.Response { r.Finish = "length"; return r }
	const notRun = "Error: not run: the response was cut off at the length limit, and the arguments may be incomplete"
	tests := []struct{ name, args, sent string }{
		{"in the arguments", `{"personName":"Bo`, notRun},
		{"before the arguments", ``, notRun},
		{"after the arguments, as far as one can see", `{"personName":"Bo"}`, notRun},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model := runtime.NewScript(cutOff(calls("sayHello", tt.args)), cutOff(text("and so")))
			response, err := runAgent(t.Context(), agent("sayHello"), "x", nil, helloLibrary(t), model, nil)
			if err != nil || response.Content != "and so" || response.Finish != "length" {
				t.Errorf("response %+v, error %v", response, err)
			}
			if got := response.Conversation[2].Content; got != tt.sent {
				t.Errorf("the model got %q, want %q", got, tt.sent)
			}
		})
	}
}

func TestResultsArePlainText(t *testing.T) {
	side := strings.Repeat("€", 5444)
	tests := []struct{ name, result, want string }{
		{"a string", `"a \"b\"\n"`, "a \"b\"\n"},
		{"JSON is compact", "{ \"a\" : [ 1.50, 9007199254740993 ] }", `{"a":[1.50,9007199254740993]}`},
		{"nothing", "", "null"},
		{"invalid UTF-8", "[\"\xff\"]", "[\"\uFFFD\"]"},
		{"a long string", `"` + strings.Repeat("€", 20_000) + `"`, side + "\n[27336 of 60000 bytes are omitted here]\n" + side},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lib := addTool(t, runtime.Library{}, "t", gives(tt.result))
			response, err := runAgent(t.Context(), agent("t"), "x", nil, lib, runtime.NewScript(calls("t", "{}"), text("ok")), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := response.Conversation[2].Content; got != tt.want || len(got) > maxResultBytes {
				t.Errorf("got %.100q… (%d bytes), want %.100q… (%d)", got, len(got), tt.want, len(tt.want))
			}
		})
	}
}

func TestToolTimeoutIsToldAndLeavesNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lib := addTool(t, runtime.Library{}, "slow", func(context.Context, json.RawMessage) (json.RawMessage, error) {
			time.Sleep(time.Minute) // does not look at its context
			return json.RawMessage(`"late"`), nil
		})
		start := time.Now()
		model := runtime.NewScript(calls("slow", "{}"), text("sorry"))
		response, err := runAgent(t.Context(), agent("slow"), "x", nil, lib, model, &Options{ToolTimeout: 3 * time.Second})
		if took := time.Since(start); err != nil || took < 3*time.Second || took > 4*time.Second {
			t.Errorf("took %v, error %v", time.Since(start), err)
		}
		if got := response.Conversation[2].Content; got != "Error: timed out after 3s; whether the call had an effect is unknown" {
			t.Errorf("the model got %q", got)
		}
		if kind := response.ToolsUsed[0].Err.Kind; kind != runtime.ToolTimeout {
			t.Errorf("kind %s", kind)
		}
		time.Sleep(time.Hour) // the handler ends; synctest fails if it does not
	})
}

func TestCallsThatAStoppedRunSkipsHaveResults(t *testing.T) {
	lib := addTool(t, helloLibrary(t), "broken", fails("disk full"))
	model := runtime.NewScript(calls("sayHello", "{}", "broken", "{}", "sayHello", "{}"))
	response, err := runAgent(t.Context(), agent("sayHello", "broken"), "x", nil, lib, model, &Options{FailOnToolError: true})
	var failed *runtime.ToolError
	if !errors.As(err, &failed) || failed.Message != "disk full" {
		t.Errorf("error %v does not wrap the ToolError", err)
	}
	want := []string{"user: x", "assistant:  <id0 sayHello {}> <id1 broken {}> <id2 sayHello {}>", "id0 = sayHello: Hello, world",
		"id1 = broken: Error: disk full", "id2 = sayHello: Error: not run, because the run stopped"}
	if diff := cmp.Diff(want, transcript(response.Conversation)); diff != "" {
		t.Error(diff)
	}
	if len(response.ToolsUsed) != 2 {
		t.Errorf("tools used: %s", invocations(t, response.ToolsUsed))
	}
}

// TestCallContextIsThatOfEachCall gives each call that is made, and no other, its own context.
func TestCallContextIsThatOfEachCall(t *testing.T) {
	var mu sync.Mutex
	got := map[string]bool{}
	tool := func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		mu.Lock()
		defer mu.Unlock()
		got[runtime.TraceContextOf(ctx).Parent] = true
		return json.RawMessage(`"ok"`), nil
	}
	lib := addTool(t, runtime.Library{}, "t", tool, func(c *runtime.ToolConfig) { c.Concurrent = true })
	var asked []string
	o := &Options{CallContext: func(ctx context.Context, call *runtime.Call) context.Context {
		asked = append(asked, call.ID)
		return runtime.WithTraceContext(ctx, runtime.TraceContext{Parent: "of " + call.ID})
	}}
	model := runtime.NewScript(calls("t", `{}`, "t", `{}`, "unknown", `{}`), calls("t", `{}`), text("ok"))
	if _, err := runAgent(t.Context(), agent("t"), "x", nil, lib, model, o); err != nil {
		t.Fatal(err)
	}
	if len(asked) != 3 || len(got) != 3 {
		t.Fatalf("asked for %v, got %v", asked, got)
	}
	for _, id := range asked {
		if !got["of "+id] {
			t.Errorf("no call ran in the context of %s: %v", id, got)
		}
	}
}
