package interp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/runtime"
)

// A memory journals outcomes as JSON, in the order in which they are known.
type memory struct {
	keys     []string
	outcomes map[string][]byte
	made     []string // steps that were made, and not replayed
}

func newMemory() *memory { return &memory{outcomes: map[string][]byte{}} }

// first returns a memory with the first n outcomes.
func (m *memory) first(n int) *memory {
	part := newMemory()
	for _, key := range m.keys[:n] {
		part.keys, part.outcomes[key] = append(part.keys, key), m.outcomes[key]
	}
	return part
}

// sent returns how many requests were sent.
func (m *memory) sent() (sum int) {
	for _, data := range m.outcomes {
		var o Outcome
		if err := json.Unmarshal(data, &o); err != nil {
			panic(err)
		}
		sum += o.Spent.Requests
	}
	return sum
}

func (m *memory) recorded(key string) bool { return m.outcomes[key] != nil }

// steps makes what is not recorded, and records it: of steps that are made at once, the last
// one first.
func (m *memory) steps(ctx context.Context, steps []Step, do func(context.Context, int) (Outcome, error)) ([]Outcome, error) {
	outcomes, errs := make([]Outcome, len(steps)), make([]error, len(steps))
	var running sync.WaitGroup
	for i, s := range steps {
		if !m.recorded(s.Key) {
			m.made = append(m.made, s.Key)
			running.Go(func() { outcomes[i], errs[i] = do(ctx, i) })
		}
	}
	running.Wait()
	for i := len(steps) - 1; i >= 0; i-- {
		key := steps[i].Key
		if errs[i] == nil && !m.recorded(key) {
			data, err := json.Marshal(outcomes[i])
			if err != nil {
				return nil, err
			}
			m.keys, m.outcomes[key] = append(m.keys, key), data
		}
		if errs[i] == nil {
			outcomes[i] = Outcome{}
			if err := json.Unmarshal(m.outcomes[key], &outcomes[i]); err != nil {
				return nil, err
			}
		}
	}
	return outcomes, errors.Join(errs...)
}

// A durableCase is a run that is stopped and continued everywhere.
type durableCase struct {
	tools    []string
	change   func(*Agent)
	options  Options
	budget   Budget
	respond  func(n int, r *runtime.Request) (*runtime.Response, error) // to the nth request that was sent
	approve  func(*ApprovalRequest) (bool, error)
	input    runtime.Conversation
	lastStep string // that the run makes; guards against a case that tests less than it says
}

// A durableRun is all that can be seen of a run.
type durableRun struct {
	Answer *AgentResponse
	Err    string
	Spent  Spent
	Used   amount
	Events []Event
}

// run runs the case over a journal, if there is one. It returns also the requests that were sent.
func (c *durableCase) run(t *testing.T, j *memory) (durableRun, []runtime.Request) {
	t.Helper()
	a, table := priced(c.tools...)
	if c.change != nil {
		c.change(a)
	}
	lib := runtime.Library{}
	for _, name := range c.tools {
		lib = addTool(t, lib, name, durableTool(name), func(config *runtime.ToolConfig) {
			config.Concurrent = strings.HasPrefix(name, "look")
			if name == "ask" {
				config.Approval.Default = runtime.Ask
			}
		})
	}
	before := 0
	if j != nil {
		before = j.sent()
	}
	m := &meter{answer: func(n int, r *runtime.Request) (*runtime.Response, error) { return c.respond(before+n, r) }}
	o := c.options
	o.Models, o.Account = table, NewAccount(c.budget)
	if j != nil {
		o.Steps, o.Recorded = j.steps, j.recorded
	}
	for range a.Fallbacks {
		o.Fallbacks = append(o.Fallbacks, m)
	}
	if c.approve != nil {
		o.Approve = func(_ context.Context, q *ApprovalRequest) (bool, error) { return c.approve(q) }
	}
	bound, err := Bind(a, lib, m, &o)
	if err != nil {
		t.Fatal(err)
	}
	var seen durableRun
	for e, err := range bound.Events(t.Context(), "question", c.input) {
		if err != nil {
			seen.Err = err.Error()
		}
		if e.Answer != nil {
			seen.Answer = e.Answer
		}
		e.Time = 0
		seen.Events = append(seen.Events, e)
	}
	seen.Spent, seen.Used = o.Account.spent, o.Account.used
	if o.Account.held != (amount{}) {
		t.Errorf("%+v is still reserved", o.Account.held)
	}
	return seen, m.requests
}

// durableTool returns a handler that does what its name says.
func durableTool(name string) runtime.Handler {
	switch name {
	case "fail":
		return fails("it <never> works\xff")
	case "panic":
		return func(context.Context, json.RawMessage) (json.RawMessage, error) { panic("p") }
	case "long":
		return gives(`"` + strings.Repeat("long ", 1000) + `"`)
	}
	return func(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
		return fmt.Appendf(nil, `{"of":  %s, "html": "<&>"}`, args), nil
	}
}

var comparesRuns = cmp.Options{
	cmpopts.IgnoreFields(runtime.ToolError{}, "Err"), cmpopts.IgnoreFields(runtime.Error{}, "Err"),
	cmpopts.IgnoreFields(runtime.Request{}, "Again"), cmpopts.EquateEmpty(), cmp.AllowUnexported(amount{}, durableRun{}),
	cmp.Comparer(func(a, b *Fallback) bool { return (a == nil) == (b == nil) && (a == nil || a.String() == b.String()) }),
}

// check stops the run after each outcome, and compares how it continues with a run
// that was not stopped.
func (c *durableCase) check(t *testing.T) {
	whole := newMemory()
	want, requests := c.run(t, whole)
	t.Logf("%v, error %q", whole.keys, want.Err)
	if last := whole.made[len(whole.made)-1]; last != c.lastStep {
		t.Errorf("the last step is %s", last)
	}
	for n := range len(whole.keys) + 1 {
		part := whole.first(n)
		sent := part.sent()
		got, after := c.run(t, part)
		replayed := 0
		for i := range got.Events {
			if got.Events[i].Replayed {
				replayed++
			}
			got.Events[i].Replayed = false
		}
		if diff := cmp.Diff(want, got, comparesRuns); diff != "" {
			t.Errorf("after %d outcomes: %s", n, diff)
		}
		if diff := cmp.Diff(requests[sent:], after, comparesRuns); diff != "" {
			t.Errorf("after %d outcomes other requests are sent: %s", n, diff)
		}
		if n == len(whole.keys) && replayed != len(got.Events)-1 {
			t.Errorf("%d of %d events are marked as replayed", replayed, len(got.Events))
		}
		if n == 0 && replayed > 0 {
			t.Errorf("%d events of a new run are marked as replayed", replayed)
		}
		for _, key := range part.made {
			if part.first(n).recorded(key) {
				t.Errorf("after %d outcomes, step %s is made again", n, key)
			}
		}
	}
}

// inOrder responds in order, with usage, and repeats the last response.
func inOrder(responses ...any) func(int, *runtime.Request) (*runtime.Response, error) {
	return func(n int, _ *runtime.Request) (*runtime.Response, error) {
		switch r := responses[min(n, len(responses)-1)].(type) {
		case error:
			return nil, r
		case runtime.Response:
			if r.Usage == (runtime.Usage{}) {
				r.Usage = usage(int64(100+n), int64(10+n))
			}
			return &r, nil
		}
		panic("neither a response nor an error")
	}
}

func busyError(attempts runtime.Attempts) error {
	err := runtime.Errorf(runtime.KindRateLimit, "busy")
	err.Wait, err.Attempts = time.Hour, attempts
	return err
}

var durableCases = map[string]durableCase{
	"calls": {
		tools: []string{"look", "look2", "fail", "panic", "write"},
		respond: inOrder(
			calls("look", `{"a":1}`, "look2", `{"a":2}`, "look", `{"a":3}`, "write", `{}`, "fail", `{}`, "nothing", `{}`),
			calls("look", `not JSON`, "panic", `{}`, "write", `"{\"b\": 1}"`),
			calls("fail", `{}`), calls("fail", `{}`), calls("fail", `{}`),
			calls("write", `{}`), calls("write", `{}`), calls("write", `{}`), text("done")),
		lastStep: "9",
	},
	"a tool that ends the run": {
		tools: []string{"look", "fail"}, options: Options{FailOnToolError: true},
		respond:  inOrder(calls("look", `{}`, "fail", `{}`, "look", `{}`)),
		lastStep: "1/2",
	},
	"corrected and repeated answers": {
		tools:    []string{"look"},
		change:   func(a *Agent) { a.Returns = json.RawMessage(`{"type":"integer"}`) },
		respond:  inOrder(text("no number"), runtime.Response{Finish: "stop"}, calls("look", `{}`), text("7")),
		lastStep: "4",
	},
	"fallbacks": {
		tools: []string{"look"},
		change: func(a *Agent) {
			a.Fallbacks = []compile.Model{{Provider: "Acme", ID: "m"}, {Provider: "Acme", ID: "free text"}}
			a.Budget.Requests = 20
		},
		respond: inOrder(calls("look", `{}`), busyError(runtime.Attempts{Sent: 1, Lost: 1}), calls("look", `{}`),
			busyError(runtime.Attempts{}), runtime.Response{Content: "end", Finish: "stop", Attempts: runtime.Attempts{Sent: 1}}),
		lastStep: "3",
	},
	"the limit of requests": {
		tools: []string{"look"}, options: Options{MaxTurns: 2, OnLimit: FinalAnswer},
		respond:  inOrder(calls("look", `{}`), calls("look", `{}`), text(""), text("at last")),
		lastStep: "4",
	},
	"no answer at the limit": {
		tools: []string{"look"}, options: Options{MaxTurns: 2},
		respond: inOrder(calls("look", `{}`)), lastStep: "2/1",
	},
	"a budget that shortens the answer": {
		tools: []string{"look"}, budget: Budget{Tokens: 3000},
		respond: inOrder(calls("look", `{}`), runtime.Response{Content: "half", Finish: "length"}), lastStep: "2",
	},
	"a budget that ends the run": {
		tools: []string{"look"}, change: func(a *Agent) { a.Budget.Requests = 3 },
		respond: inOrder(calls("look", `{}`)), lastStep: "4",
	},
	"shortening and compaction": {
		tools: []string{"long", "look"}, input: talk(6),
		change: func(a *Agent) { a.OnOverflow = CompactOnOverflow; a.Budget.Tokens = 1e6 },
		respond: func(n int, r *runtime.Request) (*runtime.Response, error) {
			switch {
			case r.Instruction == summaryInstruction:
				return &runtime.Response{Content: "summary", Finish: "stop", Usage: usage(50, 5)}, nil
			case compactedSize(r.Messages) > 4500:
				return nil, errOverflow
			case n == 0:
				response := calls("long", `{}`)
				return &response, nil
			case n < 6:
				response := calls("look", `{}`)
				return &response, nil
			}
			return &runtime.Response{Content: "end", Finish: "stop", Usage: usage(60, 6)}, nil
		},
		lastStep: "7",
	},
	"a conversation that cannot be sent": {
		tools: []string{"look"}, input: runtime.Conversation{
			runtime.UserMessage("hi"), runtime.AssistantMessage(strings.Repeat("many different words, 123 + 456; ", 200_000), nil),
			runtime.UserMessage("hi"), runtime.AssistantMessage("hello", nil)},
		change: func(a *Agent) {
			a.OnOverflow, a.Model = CompactOnOverflow, compile.Model{Provider: "OpenAI", ID: "gpt-4o-mini"}
		},
		respond:  inOrder(text("summary"), calls("look", `{}`), text("end")),
		lastStep: "4",
	},
	"approvals": {
		tools: []string{"ask", "look"},
		approve: func(q *ApprovalRequest) (bool, error) {
			switch {
			case strings.Contains(string(q.Args), "edit"):
				q.Args = json.RawMessage(`{"edited":  "<by me>"}`)
			case strings.Contains(string(q.Args), "deny"):
				return false, nil
			}
			return true, nil
		},
		respond:  inOrder(calls("look", `{}`, "ask", `{"yes":1}`, "ask", `{"edit":1}`), calls("ask", `{"deny":1}`, "look", `{}`), text("end")),
		lastStep: "3",
	},
	"nobody can be asked": {
		tools: []string{"ask"}, respond: inOrder(calls("ask", `{}`), text("end")), lastStep: "2",
	},
}

func TestARunGoesOnAfterEachOutcome(t *testing.T) {
	for name, c := range durableCases {
		t.Run(name, func(t *testing.T) { c.check(t) })
	}
}

func TestARunWithStepsIsARunWithoutThem(t *testing.T) {
	for name, c := range durableCases {
		t.Run(name, func(t *testing.T) {
			want, requests := c.run(t, nil)
			got, again := c.run(t, newMemory())
			if diff := cmp.Diff(want, got, comparesRuns); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(requests, again, comparesRuns); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestARunWaitsForAnApproval(t *testing.T) {
	c := durableCases["approvals"]
	yes := c.approve
	want, _ := c.run(t, newMemory())
	j := newMemory()
	for waits := range 3 {
		asked := ""
		c.approve = func(q *ApprovalRequest) (bool, error) {
			if asked != "" {
				t.Errorf("after %s, %s is asked", asked, q.Args)
			}
			asked = string(q.Args)
			return false, ErrWaiting
		}
		stopped, _ := c.run(t, j)
		if stopped.Err != ErrWaiting.Error() {
			t.Fatalf("wait %d: %s", waits, stopped.Err)
		}
		checkHistory(t, stopped.Answer.Conversation)
		if j.recorded(j.made[len(j.made)-1]) {
			t.Errorf("the approval that is waited for has an outcome")
		}
		key := j.made[len(j.made)-1]
		c.approve = func(q *ApprovalRequest) (bool, error) {
			if string(q.Args) == asked {
				return yes(q)
			}
			return false, ErrWaiting
		}
		if waits == 2 {
			break
		}
		c.run(t, j)
		if !j.recorded(key) {
			t.Errorf("%s has no outcome after the answer", key)
		}
	}
	c.approve = yes
	got, _ := c.run(t, j)
	for i := range got.Events {
		got.Events[i].Replayed = false
	}
	if diff := cmp.Diff(want, got, comparesRuns); diff != "" {
		t.Error(diff)
	}
}

func TestAStoppedCallHasNoOutcome(t *testing.T) {
	stop := func() {}
	lib := addTool(t, runtime.Library{}, "look", func(context.Context, json.RawMessage) (json.RawMessage, error) {
		stop()
		return nil, errors.New("signal: killed")
	})
	lib = addTool(t, lib, "done", func(context.Context, json.RawMessage) (json.RawMessage, error) {
		stop()
		return json.RawMessage(`"done"`), nil
	})
	for tool, want := range map[string]int{"look": 1, "done": 2} {
		ctx, cancel := context.WithCancel(t.Context())
		stop = cancel
		j := newMemory()
		response, err := runAgent(ctx, agent("look", "done"), "x", nil, lib, runtime.NewScript(calls(tool, `{}`), text("end")), &Options{Steps: j.steps, Recorded: j.recorded})
		if !errors.Is(err, context.Canceled) || len(j.keys) != want {
			t.Errorf("%s: %v, outcomes %v", tool, err, j.keys)
		}
		if len(response.ToolsUsed) != 1 {
			t.Errorf("%s: %d calls are named", tool, len(response.ToolsUsed))
		}
		checkHistory(t, response.Conversation)
		cancel()
	}
}

func TestStepsThatFailEndTheRun(t *testing.T) {
	full := errors.New("disk full")
	j := newMemory()
	steps := func(ctx context.Context, steps []Step, do func(context.Context, int) (Outcome, error)) ([]Outcome, error) {
		if steps[0].Kind == StepCall {
			return nil, full
		}
		return j.steps(ctx, steps, do)
	}
	called := 0
	lib := addTool(t, runtime.Library{}, "look", func(context.Context, json.RawMessage) (json.RawMessage, error) {
		called++
		return nil, nil
	})
	response, err := runAgent(t.Context(), agent("look"), "x", nil, lib, runtime.NewScript(calls("look", `{}`, "look", `{}`), text("end")), &Options{Steps: steps})
	if !errors.Is(err, full) || called > 0 {
		t.Errorf("%v; %d calls", err, called)
	}
	checkHistory(t, response.Conversation)
}

func TestOutcomesThatCannotBeReplayed(t *testing.T) {
	for name, outcomes := range map[string][]Outcome{
		"none": {}, "empty": {{}}, "model": {{Response: &runtime.Response{Content: "x"}, Model: 1}}, "skipped": {{Response: &runtime.Response{}, Skipped: 1}},
		"call": {{Response: &runtime.Response{Calls: []runtime.Call{{Name: "look"}}}}},
	} {
		steps := func(_ context.Context, steps []Step, _ func(context.Context, int) (Outcome, error)) ([]Outcome, error) {
			if steps[0].Kind == StepCall {
				return []Outcome{{}}, nil
			}
			return outcomes, nil
		}
		response, err := runAgent(t.Context(), agent("look"), "x", nil, addTool(t, runtime.Library{}, "look", gives("1")), runtime.NewScript(), &Options{Steps: steps})
		if !errors.Is(err, &runtime.Error{Kind: runtime.KindReplay}) {
			t.Errorf("%s: %v", name, err)
		}
		checkHistory(t, response.Conversation)
	}
}

func TestUnknownCallsAreNoFailures(t *testing.T) {
	j := newMemory()
	steps := func(ctx context.Context, steps []Step, do func(context.Context, int) (Outcome, error)) ([]Outcome, error) {
		if steps[0].Kind == StepCall && !strings.HasPrefix(steps[0].Key, "5") {
			return []Outcome{{Unknown: true, Error: &runtime.ToolError{Kind: runtime.ToolExecution, Message: "stopped" + runtime.UnknownEffect}}}, nil
		}
		return j.steps(ctx, steps, do)
	}
	call := func(n int) runtime.Response { return calls("look", fmt.Sprintf(`{"n":%d}`, n)) }
	response, err := runAgent(t.Context(), agent("look"), "x", nil, addTool(t, runtime.Library{}, "look", gives("1")),
		runtime.NewScript(call(1), call(2), call(3), call(4), call(5), text("end")), &Options{Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	for i, used := range response.ToolsUsed {
		if known := used.Err == nil; known != (i == 4) || !known && !strings.Contains(used.Err.Message, runtime.UnknownEffect) {
			t.Errorf("call %d: %s, %v", i, used.Result, used.Err)
		}
	}
}

// fill sets everything in a value to something that is not zero.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(fmt.Appendf(nil, "no JSON <&> \xff \" %d", *n))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), n)
		}
	case reflect.String:
		v.SetString(fmt.Sprintf("text <&> \u2028 \x00 %d", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n) + 1<<40)
	case reflect.Interface: // the cause of an error
	default:
		panic(v.Kind())
	}
}

func TestOutcomesSurviveJSON(t *testing.T) {
	var all Outcome
	n := 0
	fill(reflect.ValueOf(&all).Elem(), &n)
	invalid := Outcome{
		Response: &runtime.Response{Content: "\xff", Calls: []runtime.Call{{Args: json.RawMessage{}}}}, Result: json.RawMessage("{ \"a\" : 1.0}\n"),
		Error: &runtime.ToolError{Kind: runtime.ToolTimeout, Message: "\xff"}, Args: json.RawMessage{},
	}
	for _, want := range []Outcome{all, invalid, {}} {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Outcome
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s", cmp.Diff(want, got))
		}
	}
	if err := json.Unmarshal([]byte(`{"model": "x"}`), &all); err == nil {
		t.Error("a damaged outcome is read")
	}
}
