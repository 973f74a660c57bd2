package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/scenario"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// shop are the agents that the tests here are about.
const shop = `
[Order:Type {id::Text, status::Text, cents::Int}]
[findOrder:Tool {description: "Finds an order"} | (orderId::Text)==>(::Order)]
[refund:Tool {description: "Refunds"} | (orderId::Text)==>(cents::Int {optional: true})==>(::Text)]
[clerk:Agent {instruction: "Help.", model: "OpenAI/gpt-5.4-mini"} | findOrder, refund]
[typed:Agent {instruction: "Help.", model: "OpenAI/gpt-5.4-mini", returns::Order} | refund]
`

// usual is what most tests here begin with.
const usual = `
  [:Result {tool: findOrder, is: {id: "A", status: "paid", cents: 500}}],
  [:Result {tool: refund, is: "R-1"}],
  [:User {text: "Refund A"}],
  [:Model {call: findOrder, with: {orderId: "A"}, tokens: 10}],
  [:Model {call: refund, with: {orderId: "A", cents: 500}, tokens: 10}],
  [:Model {text: "Refunded as R-1", tokens: 10}],
`

// load compiles tests.
func load(t testing.TB, text string) (list []*scenario.Scenario, agents map[string]*interp.Agent) {
	t.Helper()
	file, problems := grammar.Parse("shop.test.gram", shop+text)
	if problems.HasErrors() {
		t.Fatal(problems.Err())
	}
	list, problems = compile.Scenarios(file, nil)
	if list == nil {
		t.Fatal(problems.Err())
	}
	agents = map[string]*interp.Agent{}
	for _, s := range list {
		agent, problems := interp.Load(file, s.Agent.Name, interp.ModeAuto, nil)
		if agent == nil {
			t.Fatal(problems.Err())
		}
		agents[s.Agent.Name] = agent
	}
	return list, agents
}

// one runs the only test of a text.
func one(t *testing.T, text string, o Options) *Outcome {
	t.Helper()
	list, agents := load(t, text)
	o.Agent = agents[list[0].Agent.Name]
	return Run(t.Context(), list[0], &o)
}

func messages(list []Failure) (texts []string) {
	for _, f := range list {
		texts = append(texts, f.Message)
	}
	return texts
}

func TestExpectations(t *testing.T) {
	for _, tt := range []struct{ expect, want string }{
		{`text: "R-1"`, ""},
		{`text: ["R-1", "R-2"]`, `the answer does not hold "R-2"; it is "Refunded as R-1"`},
		{`text: ["R-2", "R-1", "R-3"]`, `the answer does not hold "R-2", "R-3"; it is "Refunded as R-1"`},
		{`without: ["R-1", "x"], pattern: "^x"`, `the answer holds "R-1"; it is "Refunded as R-1"; the answer does not match ^x; it is "Refunded as R-1"`},
		{`without: ["sorry"]`, ""},
		{`without: "R-1"`, `the answer holds "R-1"; it is "Refunded as R-1"`},
		{`equals: "Refunded as R-1"`, ""},
		{`equals: "Refunded"`, `the answer is "Refunded as R-1", not "Refunded"`},
		{`pattern: "R-[0-9]$"`, ""},
		{`pattern: "^R"`, ""},
		{`pattern: "^x"`, `the answer does not match ^x; it is "Refunded as R-1"`},
		{`called: refund`, ""},
		{`called: refund, times: 1`, ""},
		{`called: refund, times: 2`, `refund was called once, not twice`},
		{`called: refund, with: {cents: 500}`, ""},
		{`called: refund, with: {cents: 501}`, `refund was called once, but not as expected: cents is 500, not 501`},
		{`called: refund, matching: {orderId: "^A$"}`, ""},
		{`called: refund, matching: {orderId: "B"}`, `refund was called once, but not as expected: orderId is "A", which does not match B`},
		{`called: findOrder, before: refund`, ""},
		{`called: refund, before: findOrder`, `findOrder was called before refund`},
		{`called: refund, argument: orderId, from: findOrder, path: "/id"`, ""},
		{`called: refund, argument: cents, from: findOrder, path: "/id"`, `the argument cents of refund is 500, which no earlier result of findOrder has at /id`},
		{`called: findOrder, argument: orderId, from: refund`, `the argument orderId of findOrder is "A", which no earlier result of refund has`},
		{`never: refund`, `refund was called with "{\"cents\":500,\"orderId\":\"A\"}"`},
		{`never: refund, with: {cents: 1}`, ""},
		{`order: [findOrder, refund]`, ""},
		{`order: [refund, findOrder]`, `findOrder was not called after refund`},
		{`result: findOrder, path: "/status", is: "paid"`, ""},
		{`result: findOrder, path: "/status", is: "lost"`, `the result of findOrder at /status is "paid", not "lost"`},
		{`result: findOrder, path: "/status", text: "ai"`, ""},
		{`result: refund, is: "R-1"`, ""},
		{`result: refund, is: "R-2"`, `the result of refund is "R-1", not "R-2"`},
		{`result: refund, text: "R-1"`, ""},
		{`handled: refund`, `no call of refund failed`},
		{`asked: refund`, `nobody was asked to approve a call of refund; the test has no library, which says what needs approval`},
		{`finish: stop`, ""},
		{`finish: length`, `the model finished with "stop", not "length"`},
		{`refused: false`, ""},
		{`refused: true`, `the model did not refuse`},
		{`fails: any`, `the run does not fail; the answer is "Refunded as R-1"`},
		{`requests: 3`, ""},
		{`requests: 2`, `3 requests were sent to the model; at most 2 are expected`},
		{`tokens: 30`, ""},
		{`tokens: 29`, `the conversation took 30 tokens; at most 29 are expected`},
		{`cost: 1, seconds: 100`, ""},
		{`seconds: 0.000000001`, `the conversation took 0s; at most 1e-09s is expected`},
	} {
		o := one(t, "[t:Test {agent: clerk} |"+usual+"[:Expect {"+tt.expect+"}]]", Options{})
		got := strings.Join(messages(o.Failures), "; ")
		if strings.HasPrefix(tt.expect, "seconds: 0.0") && strings.HasPrefix(got, "the conversation took ") {
			continue // however long
		}
		if got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.expect, got, tt.want)
		}
	}
}

func TestPartsOfAnAnswer(t *testing.T) {
	const answers = `[t:Test {agent: typed} | [:User {text: "Which?"}], [:Model {answer: {id: "A", status: "paid", cents: 5}}], [:Expect {%s}]]`
	for expect, want := range map[string]string{
		`path: "/cents", is: 5`:                "",
		`path: "/cents", is: 6`:                `the answer at /cents is 5, not 6`,
		`path: "/id", text: "A"`:               "",
		`path: "/id", pattern: "^B"`:           `the answer at /id does not match ^B; it is "A"`,
		`text: "paid"`:                         "",
		`called: refund, with: {orderId: "A"}`: "refund was never called",
		`result: refund, text: "x"`:            "refund was never called",
		`order: [refund]`:                      "refund was not called",
	} {
		if got := strings.Join(messages(one(t, fmt.Sprintf(answers, expect), Options{}).Failures), "; "); got != want {
			t.Errorf("%s: got %q, want %q", expect, got, want)
		}
	}
}

func TestFaults(t *testing.T) {
	const find = `[:User {text: "x"}], [:Model {call: findOrder, with: {orderId: "A"}}], `
	for _, tt := range []struct {
		name, steps string
		said        string   // the result that the model got
		want        []string // failures
	}{
		{"an error", `[:Fault {tool: findOrder, fails: error}], ` + find + `[:Model {text: "?"}], [:Expect {handled: findOrder}]`, "Error: the tool failed", nil},
		{"with a message", `[:Fault {tool: findOrder, fails: error, message: "closed"}], ` + find + `[:Model {text: "?"}]`, "Error: closed", nil},
		{"a timeout", `[:Fault {tool: findOrder, fails: timeout}], ` + find + `[:Model {text: "?"}]`, "Error: timed out after 10s; whether the call had an effect is unknown", nil},
		{"denied", `[:Fault {tool: findOrder, fails: denied}], ` + find + `[:Model {text: "?"}]`, "Error: not allowed", nil},
		{"a wrong result", `[:Fault {tool: findOrder, returns: 3}], ` + find + `[:Model {text: "?"}]`, "Error: invalid result: expected an object, found the number 3", nil},
		{"only once", `[:Result {tool: findOrder, is: {id: "A", status: "paid", cents: 5}}], [:Fault {tool: findOrder, fails: error}], ` + find +
			`[:Model {call: findOrder, with: {orderId: "A"}}], [:Model {text: "?"}], [:Expect {called: findOrder, times: 2}]`, `{"id":"A","status":"paid","cents":5}`, nil},
		{"no result", find + `[:Model {text: "?"}]`, "Error: the tool does nothing in this test", []string{"findOrder was called, and the test has neither a library nor a [:Result …] for it"}},
		{"a refusal", `[:User {text: "x"}], [:Fault {request: 1, fails: refusal}], [:Expect {refused: true, fails: ContentFilterError}]`, "", nil},
		{"a busy model", `[:User {text: "x"}], [:Fault {request: 1, fails: rateLimit}], [:Expect {fails: RateLimitError}]`, "", nil},
		{"another error", `[:User {text: "x"}], [:Fault {request: 1, fails: overloaded, message: "full"}], [:Expect {fails: RateLimitError}]`, "", []string{"the run fails otherwise: OverloadedError: full"}},
		{"no refusal", `[:User {text: "x"}], [:Fault {request: 1, fails: overloaded, message: "full"}], [:Expect {refused: true, text: "x"}]`, "",
			[]string{"the model did not refuse; the run fails: OverloadedError: full", "there is no answer: OverloadedError: full"}},
		{"unexpected", `[:User {text: "x"}], [:Fault {request: 1, fails: overloaded}]`, "", []string{"the run fails: OverloadedError: the provider has no room for requests"}},
		{"cut off", `[:User {text: "x"}], [:Fault {request: 1, fails: cutOff}], [:Model {text: "abcd"}], [:Expect {equals: "ab", finish: length}]`, "", nil},
		{"a filter", `[:User {text: "x"}], [:Fault {request: 1, fails: filter}], [:Expect {refused: true}]`, "", nil},
		{"too long", `[:User {text: "x"}], [:Fault {request: 1, fails: overflow}], [:Expect {fails: ContextOverflowError}]`, "", nil},
		{"an unusable response", `[:User {text: "x"}], [:Fault {request: 1, fails: error}], [:Expect {fails: LLMAPIError}]`, "", nil},
		{"wrong arguments", `[:User {text: "x"}], [:Model {call: findOrder, raw: "{cut"}], [:Model {text: "?"}]`, "Error: invalid arguments: not JSON at byte 1: the text ends inside of a key, or a key in double quotes is expected", nil},
	} {
		o := one(t, "[t:Test {agent: clerk} |"+tt.steps+"]", Options{})
		if diff := cmp.Diff(tt.want, messages(o.Failures)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		said := ""
		for _, m := range o.Conversation {
			if m.Role == runtime.RoleTool {
				said = m.Content
			}
		}
		if said != tt.said && tt.name != "wrong arguments" || tt.name == "wrong arguments" && !strings.HasPrefix(said, "Error: invalid arguments: not JSON") {
			t.Errorf("%s: the model got %q, want %q", tt.name, said, tt.said)
		}
	}
}

func TestAScriptIsNeitherTooShortNorTooLong(t *testing.T) {
	o := one(t, `[t:Test {agent: clerk} | [:User {text: "x"}], [:Model {text: "a"}], [:Model {text: "b"}]]`, Options{})
	if len(o.Failures) != 1 || o.Failures[0].Message != "the agent did not ask for this response" || !strings.Contains(o.Failures[0].Step.Span().Text(), `"b"`) {
		t.Errorf("%v", o.Failures)
	}
	o = one(t, `[t:Test {agent: clerk} | [:Result {tool: refund, is: "x"}], [:User {text: "x"}], [:Model {call: refund, with: {orderId: "A"}}], [:Expect {text: "x", refused: false}]]`, Options{})
	want := "the run fails: ReplayError: the test has no response to request 2 of this message: add a [:Model …] step"
	if got := messages(o.Failures); len(got) != 1 || got[0] != want {
		t.Errorf("%v", got)
	}
}

func TestTurnsOfAConversation(t *testing.T) {
	o := one(t, `[t:Test {agent: clerk} |
  [:User {text: "one"}], [:Model {text: "first"}], [:Expect {equals: "first"}],
  [:User {text: "two"}], [:Model {text: "second"}], [:Expect {equals: "second", requests: 2}],
  [:User {text: "three"}], [:Model {refuses: "no"}],
  [:User {text: "never sent"}], [:Model {text: "x"}]]`, Options{})
	if got := messages(o.Failures); len(got) != 1 || got[0] != "the run fails: ContentFilterError: LLM refused to answer: no" || o.Failures[0].Turn != 2 || len(o.Turns) != 3 {
		t.Errorf("%v in %d turns", o.Failures, len(o.Turns))
	}
}

// A test may differ from run to run only by what it sees: nothing is shared by runs.
func TestARunLeavesNothingBehind(t *testing.T) {
	list, agents := load(t, "[t:Test {agent: clerk} | [:Fault {tool: refund, fails: error}], "+usual+"[:Expect {handled: refund}]]")
	for range 2 {
		if o := Run(t.Context(), list[0], &Options{Agent: agents["clerk"]}); !o.Passed() {
			t.Errorf("%v", o.Failures)
		}
	}
}

func TestApprovalIsAskedOfTheTest(t *testing.T) {
	library := runtime.Library{}
	tool, err := runtime.NewTool(runtime.ToolConfig{Name: "refund", Adopt: true, Approval: runtime.Approval{Default: runtime.Ask}, Execute: answersOK})
	if err != nil {
		t.Fatal(err)
	}
	if library, err = library.Add("refund", tool); err != nil {
		t.Fatal(err)
	}
	const steps = ` | [:User {text: "x"}], [:Model {call: refund, with: {orderId: "A"}}], [:Model {text: "?"}], [:Expect {asked: refund}], [:Expect {result: refund, text: "ok"}]]`
	if o := one(t, "[t:Test {agent: clerk, approve: [refund]}"+steps, Options{Library: library}); !o.Passed() {
		t.Errorf("%v", messages(o.Failures))
	}
	o := one(t, "[t:Test {agent: clerk}"+steps, Options{Library: library})
	if got := messages(o.Failures); len(got) != 1 || got[0] != `refund failed: "not run: the user did not allow this call"` {
		t.Errorf("%v", got)
	}
}

func answersOK(context.Context, json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(`"ok"`), nil
}
