package interp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gram-lang/gramc/runtime"
)

func TestRunCallsToolsUntilTheModelAnswers(t *testing.T) {
	model := runtime.NewScript(calls("sayHello", `{"personName":"Bob"}`), text("Hi Bob!"))
	response, err := runAgent(t.Context(), agent("sayHello"), "Hello!", nil, helloLibrary(t), model, nil)
	if err != nil {
		t.Fatal(err)
	}
	if response.Content != "Hi Bob!" || response.Finish != "stop" {
		t.Errorf("content %q, finish %q", response.Content, response.Finish)
	}
	wantConv := []string{"user: Hello!", `assistant:  <id0 sayHello {"personName":"Bob"}>`, "id0 = sayHello: Hello, Bob", "assistant: Hi Bob!"}
	if diff := cmp.Diff(wantConv, transcript(response.Conversation)); diff != "" {
		t.Error(diff)
	}
	wantUsed := []string{`{"tool_name":"sayHello","args":{"personName":"Bob"},"result":{"success":"Hello, Bob"}}`}
	if diff := cmp.Diff(wantUsed, invocations(t, response.ToolsUsed)); diff != "" {
		t.Error(diff)
	}
	requests := model.Requests()
	if len(requests) != 2 || requests[0].Model != "m" || requests[0].Instruction != "i" || len(requests[1].Tools) != 1 {
		t.Errorf("requests %+v", requests)
	}
	if diff := cmp.Diff(wantConv[:3], transcript(requests[1].Messages)); diff != "" {
		t.Error(diff)
	}
}

func TestEverythingIsCheckedBeforeTheFirstRequest(t *testing.T) {
	broken := func(change func(*Agent)) *Agent {
		a := agent("missing", "other")
		change(a)
		return a
	}
	twice := agent("sayHello", "sayHello")
	tests := []struct {
		name    string
		agent   *Agent
		input   string
		noModel bool
		kind    runtime.ErrorKind
		text    string
	}{
		{"empty input", agent("sayHello"), " \n", false, runtime.KindValidation, "Empty user input"},
		{"no agent", nil, "x", false, runtime.KindValidation, "no agent to run"},
		{"no name", broken(func(a *Agent) { a.Name = "" }), "x", false, runtime.KindValidation, "the agent has no name"},
		{"no instruction", broken(func(a *Agent) { a.Instruction = " " }), "x", false, runtime.KindValidation, `agent "a" has no instruction`},
		{"no model id", broken(func(a *Agent) { a.Model.ID = "" }), "x", false, runtime.KindValidation, `agent "a" has no model`},
		{"two tools of one name", twice, "x", false, runtime.KindValidation, `agent "a" has two tools named "sayHello"`},
		{"every missing tool", agent("missing", "sayHello", "other"), "x", true, runtime.KindTool,
			`tool "missing": tool-not-found: no such tool; known tools: sayHello; tool "other": tool-not-found: no such tool; known tools: sayHello`},
		{"no model", agent("sayHello"), "x", true, runtime.KindConfiguration, `agent "a" has no model to send requests to`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			script := runtime.NewScript(text("never"))
			var model runtime.Model = script
			if tt.noModel {
				model = nil
			}
			response, err := runAgent(t.Context(), tt.agent, tt.input, nil, helloLibrary(t), model, nil)
			if !errors.Is(err, &runtime.Error{Kind: tt.kind}) || err.Error() != tt.text {
				t.Errorf("error %v, want %s %q", err, tt.kind, tt.text)
			}
			if len(script.Requests()) != 0 || response == nil || len(response.ToolsUsed) != 0 {
				t.Errorf("%d requests, response %+v", len(script.Requests()), response)
			}
		})
	}
}

func TestRunKeepsTheConversationItIsGiven(t *testing.T) {
	given := append(make(runtime.Conversation, 0, 10), runtime.UserMessage("a"), runtime.AssistantMessage("b", nil))
	before := slices.Clone(given[:cap(given)])
	response, err := runAgent(t.Context(), agent("sayHello"), "c", given, helloLibrary(t),
		runtime.NewScript(calls("sayHello", "{}"), text("d")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, given[:cap(given)]); diff != "" {
		t.Errorf("the argument was changed: %s", diff)
	}
	want := []string{"user: a", "assistant: b", "user: c", "assistant:  <id0 sayHello {}>", "id0 = sayHello: Hello, world", "assistant: d"}
	if diff := cmp.Diff(want, transcript(response.Conversation)); diff != "" {
		t.Error(diff)
	}
}

func TestRunEndsWithAnError(t *testing.T) {
	lib := addTool(t, helloLibrary(t), "broken", fails("disk full"))
	slow := addTool(t, lib, "broken", func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}, func(c *runtime.ToolConfig) { c.Timeout = time.Nanosecond })
	strict := &Options{FailOnToolError: true}
	refusal := runtime.Response{Refusal: "I must not"}
	tests := []struct {
		name    string
		agent   *Agent
		lib     runtime.Library
		answer  runtime.Response
		options *Options
		kind    runtime.ErrorKind
		text    string
		used    int
	}{
		{"empty answer", agent(), lib, text(" \n"), nil, runtime.KindLLMAPI, "LLM returned empty response", 0},
		{"empty answer with a reason", agent(), lib, runtime.Response{Finish: "length"}, nil, runtime.KindLLMAPI,
			`LLM returned empty response (it finished with "length")`, 0},
		{"only reasoning", agent(), lib, text("<think>The user says x.</think>\n"), nil, runtime.KindLLMAPI, "LLM returned empty response", 0},
		{"reasoning without end", agent(), lib, text("\n<think>The user"), nil, runtime.KindLLMAPI, "LLM returned empty response", 0},
		{"content filter", agent(), lib, runtime.Response{Finish: "content_filter"}, nil, runtime.KindContentFilter,
			"a content filter stopped the answer", 0},
		{"content filter in the middle", agent(), lib, runtime.Response{Content: "The bom", Finish: "content_filter: SAFETY"}, nil, runtime.KindContentFilter,
			"a content filter stopped the answer: The bom", 0},
		{"refusal", agent(), lib, refusal, nil, runtime.KindContentFilter, "LLM refused to answer: I must not", 0},
		{"call without tools", agent(), lib, calls("sayHello", "{}"), nil, runtime.KindUnexpectedToolCall,
			"LLM requested tool 'sayHello' but agent has no tools configured", 0},
		{"no script", agent(), lib, runtime.Response{Calls: []runtime.Call{}}, nil, runtime.KindLLMAPI, "LLM returned empty response", 0},
		{"strict: failure", agent("broken"), lib, calls("broken", "{}"), strict, runtime.KindTool, "tool 'broken': disk full", 1},
		{"strict: timeout", agent("broken"), slow, calls("broken", "{}"), strict, runtime.KindToolTimeout, "tool 'broken': timed out after 1ns; whether the call had an effect is unknown", 1},
		{"strict: unknown tool", agent("broken"), lib, calls("launch", "{}"), strict, runtime.KindTool,
			`tool 'launch': tool "launch": no such tool; known tools: broken`, 1},
		{"strict: bad arguments", agent("sayHello"), lib, calls("sayHello", "[]"), strict, runtime.KindTool,
			"tool 'sayHello': invalid arguments: arguments must be an object", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			response, err := runAgent(t.Context(), tt.agent, "x", nil, tt.lib, runtime.NewScript(tt.answer), tt.options)
			if !errors.Is(err, &runtime.Error{Kind: tt.kind}) || err.Error() != tt.text {
				t.Errorf("error %v, want %s %q", err, tt.kind, tt.text)
			}
			if len(response.ToolsUsed) != tt.used {
				t.Errorf("tools used: %s", invocations(t, response.ToolsUsed))
			}
			checkHistory(t, response.Conversation)
		})
	}
}

// modelFunc is a model for what a script cannot do.
type modelFunc func(context.Context, *runtime.Request) (*runtime.Response, error)

func (modelFunc) Name() string { return "func" }

func (f modelFunc) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	return f(ctx, r)
}

func TestErrorsOfTheModel(t *testing.T) {
	network := errors.New("connection refused")
	config := runtime.Errorf(runtime.KindConfiguration, "OPENAI_API_KEY is not set")
	tests := []struct {
		name     string
		response *runtime.Response
		err      error
		kind     runtime.ErrorKind
		text     string
	}{
		{"any error", nil, network, runtime.KindLLMAPI, "connection refused"},
		{"its own kind", nil, config, runtime.KindConfiguration, "OPENAI_API_KEY is not set"},
		{"its own kind, wrapped", nil, fmt.Errorf("start: %w", config), runtime.KindConfiguration, "start: OPENAI_API_KEY is not set"},
		{"nothing at all", nil, nil, runtime.KindLLMAPI, "LLM returned no response"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model := modelFunc(func(context.Context, *runtime.Request) (*runtime.Response, error) { return tt.response, tt.err })
			response, err := runAgent(t.Context(), agent(), "x", nil, runtime.Library{}, model, nil)
			if !errors.Is(err, &runtime.Error{Kind: tt.kind}) || err.Error() != tt.text {
				t.Errorf("error %v, want %s %q", err, tt.kind, tt.text)
			}
			if tt.err != nil && !errors.Is(err, tt.err) {
				t.Error("the cause is lost")
			}
			if diff := cmp.Diff([]string{"user: x"}, transcript(response.Conversation)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestIterationLimit(t *testing.T) {
	again := calls("sayHello", "{}")
	repeat := func(n int, last ...runtime.Response) []runtime.Response {
		return append(slices.Repeat([]runtime.Response{again}, n), last...)
	}
	tests := []struct {
		name     string
		script   []runtime.Response
		options  *Options
		requests int
		used     int
		content  string
		err      string
	}{
		{"the tenth request may answer", repeat(9, text("done")), nil, 10, 9, "done", ""},
		{"there is no eleventh", repeat(10, text("done")), nil, 10, 10, "",
			"Maximum iteration limit reached: the model still wants tools after 10 requests"},
		{"unless for an answer", repeat(10, text("done")), &Options{OnLimit: FinalAnswer}, 11, 10, "done", ""},
		{"which is the last", repeat(12), &Options{OnLimit: FinalAnswer}, 11, 10, "",
			"Maximum iteration limit reached: the model still wants tools after 11 requests"},
		{"the limit is an option", repeat(10), &Options{MaxTurns: 2}, 2, 2, "",
			"Maximum iteration limit reached: the model still wants tools after 2 requests"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model := runtime.NewScript(tt.script...)
			response, err := runAgent(t.Context(), agent("sayHello"), "x", nil, helloLibrary(t), model, tt.options)
			if fmt.Sprint(err) != tt.err && (err != nil || tt.err != "") {
				t.Errorf("error %v, want %q", err, tt.err)
			}
			if err != nil && !errors.Is(err, &runtime.Error{Kind: runtime.KindTool}) {
				t.Errorf("error %#v is no ToolError", err)
			}
			requests := model.Requests()
			if len(requests) != tt.requests || len(response.ToolsUsed) != tt.used || response.Content != tt.content {
				t.Errorf("%d requests, %d tools, content %q", len(requests), len(response.ToolsUsed), response.Content)
			}
			if last := requests[len(requests)-1]; (last.Tools == nil) != (tt.requests == 11) {
				t.Errorf("the last request has tools %v", last.Tools)
			}
			checkHistory(t, response.Conversation)
		})
	}
}

func TestAnEmptyAnswerIsAskedForAgainOnce(t *testing.T) {
	const again = "user: Error: the answer was empty. Answer again, in the content of the message."
	for name, empty := range map[string]string{
		"empty": "", "blank": " \n\t", "invisible": "\u200b\ufeff\n", "only reasoning": "<think>\nThe user greets me.\n</think>\n\n",
		"reasoning without a start": "The user greets me.\n</think>\n", "other tags": "[THINK]Hm[/THINK]\n",
	} {
		t.Run(name, func(t *testing.T) {
			model := runtime.NewScript(calls("sayHello", "{}"), text(empty), text("Hi"))
			response, err := runAgent(t.Context(), agent("sayHello"), "x", nil, helloLibrary(t), model, &Options{MaxTurns: 2})
			want := []string{"user: x", "assistant:  <id0 sayHello {}>", "id0 = sayHello: Hello, world", again, "assistant: Hi"}
			if d := cmp.Diff(want, transcript(response.Conversation)); err != nil || d != "" {
				t.Errorf("%v %s", err, d)
			}
			model = runtime.NewScript(text(empty))
			response, err = runAgent(t.Context(), agent(), "x", nil, runtime.Library{}, model, nil)
			if err == nil || len(model.Requests()) != 2 || len(response.Conversation) != 2 {
				t.Errorf("error %v after %d requests", err, len(model.Requests()))
			}
		})
	}
}

// A conversation that is too long is sent once more, with shorter results.
func TestResultsAreShortenedForAConversationThatIsTooLong(t *testing.T) {
	long := strings.Repeat("x", 20_000)
	lib := addTool(t, addTool(t, runtime.Library{}, "long", gives(`"`+long+`"`)), "short", gives(`"ok"`))
	for _, tt := range []struct {
		name     string
		most     int // bytes that the model takes
		calls    []runtime.Response
		requests int
		lengths  []int // of the results in the end
		err      string
	}{
		{"the new result, before another", 10_000, []runtime.Response{calls("short", "{}"), text("done")}, 4, []int{2048, 2}, ""},
		{"the new result", 10_000, []runtime.Response{text("done")}, 3, []int{2048}, ""},
		{"only the old one", 30_000, []runtime.Response{calls("long", "{}"), text("done")}, 4, []int{2048, 20_000}, ""},
		{"only once", 1_000, []runtime.Response{text("done")}, 3, []int{2048}, "too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := runtime.NewScript(append([]runtime.Response{calls("long", "{}")}, tt.calls...)...)
			requests := 0
			model := modelFunc(func(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
				requests++
				size := 0
				for _, m := range r.Messages {
					size += len(m.Content)
				}
				if size > tt.most {
					return nil, runtime.Errorf(runtime.KindContextOverflow, "too long")
				}
				return script.Generate(ctx, r)
			})
			response, err := runAgent(t.Context(), agent("long", "short"), "x", nil, lib, model, nil)
			if requests != tt.requests || (err != nil) != (tt.err != "") || err != nil && !errors.Is(err, &runtime.Error{Kind: runtime.KindContextOverflow}) {
				t.Errorf("%d requests, error %v", requests, err)
			}
			var lengths []int
			for _, m := range response.Conversation {
				if m.Role == runtime.RoleTool {
					lengths = append(lengths, len(m.Content))
				}
			}
			if !slices.EqualFunc(lengths, tt.lengths, func(a, b int) bool { return a <= b && a > b*9/10 }) || len(response.ToolsUsed[0].Result) < len(long) {
				t.Errorf("lengths %v, want about %v", lengths, tt.lengths)
			}
		})
	}
}

// Only an answer or the limit of requests ends a loop; the model is made aware of it.
func TestTheSameCallAgainAndAgainGetsANote(t *testing.T) {
	const note = "\n[The same call had the same result %d times in a row. Do not repeat it: answer, or try something else.]"
	same, other := calls("sayHello", `{"personName":"A"}`), calls("sayHello", `{"personName":"B"}`)
	model := runtime.NewScript(same, same, other, same, same, same, same, text("done"))
	response, err := runAgent(t.Context(), agent("sayHello"), "x", nil, helloLibrary(t), model, nil)
	if err != nil || response.Content != "done" {
		t.Fatal(response, err)
	}
	var results []string
	for _, m := range response.Conversation {
		if m.Role == runtime.RoleTool {
			results = append(results, m.Content)
		}
	}
	want := []string{"Hello, A", "Hello, A", "Hello, B", "Hello, A", "Hello, A", "Hello, A" + fmt.Sprintf(note, 3), "Hello, A" + fmt.Sprintf(note, 4)}
	if d := cmp.Diff(want, results); d != "" {
		t.Error(d)
	}
	for _, used := range response.ToolsUsed {
		if strings.Contains(string(used.Result), "in a row") {
			t.Errorf("the record has the note: %s", used.Result)
		}
	}
	counted := 0
	lib := addTool(t, runtime.Library{}, "poll", func(context.Context, json.RawMessage) (json.RawMessage, error) {
		counted++
		return json.Marshal(counted)
	})
	response, err = runAgent(t.Context(), agent("poll"), "x", nil, lib, runtime.NewScript(calls("poll", "{}"), calls("poll", "{}"), calls("poll", "{}"), text("ok")), nil)
	if err != nil || response.Conversation[6].Content != "3" {
		t.Errorf("other results: %q, %v", response.Conversation[6].Content, err)
	}
}

func TestRunStopsWithItsContext(t *testing.T) {
	lib := func(t *testing.T, cancel context.CancelFunc) runtime.Library {
		return addTool(t, helloLibrary(t), "cancels", func(context.Context, json.RawMessage) (json.RawMessage, error) {
			cancel()
			return nil, errors.New("no")
		})
	}
	t.Run("before the first request", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		model := modelFunc(func(context.Context, *runtime.Request) (*runtime.Response, error) {
			t.Error("there is a request")
			return nil, nil
		})
		if _, err := runAgent(ctx, agent(), "x", nil, runtime.Library{}, model, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	for name, options := range map[string]*Options{"before the next call": nil, "rather than for a tool": {FailOnToolError: true}} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			model := runtime.NewScript(calls("cancels", "{}", "sayHello", "{}"))
			response, err := runAgent(ctx, agent("sayHello", "cancels"), "x", nil, lib(t, cancel), model, options)
			if !errors.Is(err, context.Canceled) || len(model.Requests()) != 1 || len(response.ToolsUsed) != 1 {
				t.Errorf("error %v after %d requests and %d tools", err, len(model.Requests()), len(response.ToolsUsed))
			}
			checkHistory(t, response.Conversation)
		})
	}
	t.Run("in a request", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		model := modelFunc(func(ctx context.Context, _ *runtime.Request) (*runtime.Response, error) {
			cancel()
			return nil, errors.New("http: " + ctx.Err().Error())
		})
		if _, err := runAgent(ctx, agent(), "x", nil, runtime.Library{}, model, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v does not wrap context.Canceled", err)
		}
	})
}

func TestUsageIsSummedUp(t *testing.T) {
	first, last := calls("sayHello", "{}"), text("ok")
	first.Usage = runtime.Usage{Input: 10, Output: 2, Total: 12}
	last.Usage = runtime.Usage{Input: 20, Output: 3, Total: 23}
	response, err := runAgent(t.Context(), agent("sayHello"), "x", nil, helloLibrary(t), runtime.NewScript(first, last), nil)
	if want := (runtime.Usage{Input: 30, Output: 5, Total: 35}); err != nil || response.Usage != want {
		t.Errorf("usage %+v, error %v", response.Usage, err)
	}
}

func TestResponseAsJSON(t *testing.T) {
	response, err := runAgent(t.Context(), agent(), "x", nil, runtime.Library{}, runtime.NewScript(text("ok")), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(response)
	if want := `{"content":"ok","tools_used":[]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

func TestTwoLibrariesDifferOnlyInResults(t *testing.T) {
	script := []runtime.Response{calls("t", "{}"), text("ok")}
	var requests [2][]runtime.Request
	for i, result := range []string{`"a"`, `"b"`} {
		model := runtime.NewScript(script...)
		lib := addTool(t, runtime.Library{}, "t", gives(result))
		if _, err := runAgent(t.Context(), agent("t"), "x", nil, lib, model, nil); err != nil {
			t.Fatal(err)
		}
		requests[i] = model.Requests()
	}
	ignoreResults := cmpopts.AcyclicTransformer("results", func(m runtime.Message) runtime.Message {
		if m.Role == runtime.RoleTool {
			m.Content = ""
		}
		return m
	})
	if diff := cmp.Diff(requests[0], requests[1], ignoreResults); diff != "" {
		t.Error(diff)
	}
	if cmp.Equal(requests[0], requests[1]) {
		t.Error("the results did not reach the model")
	}
}

func TestRunsMayShareEverything(t *testing.T) {
	a, lib := agent("sayHello"), helloLibrary(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			model := runtime.NewScript(calls("sayHello", "{}"), text("ok"))
			if response, err := runAgent(t.Context(), a, "x", nil, lib, model, nil); err != nil || response.Content != "ok" {
				t.Errorf("response %+v, error %v", response, err)
			}
		})
	}
	all.Wait()
}
