package scenario

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/runtime"
)

// A test passes only if all of it has run and all that it says was needed.
func TestNothingOfATestIsSkipped(t *testing.T) {
	for _, tt := range []struct {
		name, steps string
		turns       int // that ran
		want        []string
	}{
		{"after an expected error the conversation goes on",
			`[:User {text: "a"}], [:Fault {request: 1, fails: rateLimit}], [:Expect {fails: RateLimitError}], [:User {text: "b"}], [:Model {text: "x"}], [:Expect {equals: "y"}]`,
			2, []string{`the answer is "x", not "y"`}},
		{"after another error it does not",
			`[:User {text: "a"}], [:Fault {request: 1, fails: rateLimit}], [:Expect {fails: OverloadedError}], [:User {text: "b"}], [:Model {text: "x"}]`,
			1, []string{"the run fails otherwise: RateLimitError: the provider wants fewer requests"}},
		{"a response after an error",
			`[:User {text: "a"}], [:Fault {request: 1, fails: rateLimit}], [:Model {text: "x"}], [:Expect {fails: any}]`,
			1, []string{"the agent did not ask for this response"}},
		{"a script that is too short is not any error",
			`[:User {text: "a"}], [:Model {call: findOrder, with: {orderId: "A"}}], [:Result {tool: findOrder, is: {id: "A", status: "paid", cents: 5}}], [:Expect {fails: any}]`,
			1, []string{"the run fails otherwise: ReplayError: the test has no response to request 2 of this message: add a [:Model …] step"}},
		{"a fault of a request that is not sent",
			`[:User {text: "a"}], [:Model {text: "x"}], [:Fault {request: 7, fails: error}], [:User {text: "b"}], [:Model {text: "x"}]`,
			2, []string{"the fault never happens: the message takes 1 request"}},
		{"a fault of a tool that is not called",
			`[:User {text: "a"}], [:Model {text: "x"}], [:Fault {tool: refund, fails: error}], [:User {text: "b"}], [:Model {text: "x"}]`,
			2, []string{"the fault never happens: refund is not called after it"}},
		{"a fault that happens in a later turn",
			`[:Fault {tool: refund, fails: error, times: 2}], [:User {text: "a"}], [:Model {text: "x"}], [:User {text: "b"}], [:Model {call: refund, with: {orderId: "A"}}], [:Model {text: "x"}]`,
			2, nil},
	} {
		o := one(t, "[t:Test {agent: clerk} |"+tt.steps+"]", Options{})
		if diff := cmp.Diff(tt.want, messages(o.Failures)); diff != "" || len(o.Turns) != tt.turns {
			t.Errorf("%s: %d turns; %s", tt.name, len(o.Turns), diff)
		}
	}
}

// The model cannot have an argument from a result that it gets later.
func TestAnArgumentComesFromAnEarlierResponse(t *testing.T) {
	const steps = `[t:Test {agent: clerk} |
  [:Result {tool: findOrder, is: {id: "A", status: "paid", cents: 500}}], [:Result {tool: refund, is: "R-1"}],
  [:User {text: "x"}],
  [:Model {calls: [{call: findOrder, with: {orderId: "A"}}, {call: refund, with: {orderId: "A"}}]}], [:Model {text: "x"}],
  [:Expect {called: refund, argument: orderId, from: findOrder, path: "/id"}]]`
	want := []string{`the argument orderId of refund is "A", which no earlier result of findOrder has at /id`}
	if diff := cmp.Diff(want, messages(one(t, steps, Options{}).Failures)); diff != "" {
		t.Error(diff)
	}
}

const recordedTest = `[t:Test {agent: clerk, recording: "./t.jsonl"} | [:User {text: "one"}], `

// recordTest returns the recording of a test whose model gives these responses.
func recordTest(t *testing.T, text string, responses ...runtime.Response) string {
	t.Helper()
	var file bytes.Buffer
	recording := runtime.NewRecording(&file, nil)
	if o := one(t, text, Options{Model: recording.Recorder(runtime.NewScript(responses...))}); o.Err != nil {
		t.Fatal(o.Err)
	}
	return file.String()
}

func replayTest(t *testing.T, text, recorded string) *Outcome {
	t.Helper()
	replayer, err := runtime.ReadRecording(strings.NewReader(recorded), nil)
	if err != nil {
		t.Fatal(err)
	}
	return one(t, text, Options{Model: replayer})
}

func TestARecordedTestAsksForAllThatIsRecorded(t *testing.T) {
	one, two := runtime.Response{Content: "1", Finish: "stop"}, runtime.Response{Content: "2", Finish: "stop"}
	recorded := recordTest(t, recordedTest+`[:User {text: "two"}]]`, one, two)
	if o := replayTest(t, recordedTest+`[:User {text: "two"}]]`, recorded); !o.Passed() {
		t.Error(messages(o.Failures))
	}
	got := messages(replayTest(t, recordedTest+`[:Expect {text: "1"}]]`, recorded).Failures)
	if diff := cmp.Diff([]string{"responses in the recording that the agent did not ask for: 1"}, got); diff != "" {
		t.Error(diff)
	}
	o := replayTest(t, strings.Replace(recordedTest, "one", "other", 1)+`[:Expect {fails: any}]]`, recorded)
	if got := messages(o.Failures); len(got) != 1 || !strings.HasPrefix(got[0], "the run fails otherwise: ReplayError: ") || o.Err == nil {
		t.Errorf("%v, %v", got, o.Err)
	}
}

func TestLimitsOfARecordedTestAreKnown(t *testing.T) {
	const limited = recordedTest + `[:Expect {tokens: 10, cost: 1}]]`
	usage := runtime.Usage{Input: 5, Output: 2, Total: 7}
	if o := replayTest(t, limited, recordTest(t, limited, runtime.Response{Content: "1", Usage: usage})); !o.Passed() {
		t.Error(messages(o.Failures))
	}
	want := []string{
		"the number of tokens is not known: the model does not count those of each response",
		"the cost is not known: there is no price of the model, or no count of tokens",
	}
	if diff := cmp.Diff(want, messages(replayTest(t, limited, recordTest(t, limited, runtime.Response{Content: "1"})).Failures)); diff != "" {
		t.Error(diff)
	}
}

// A provider that does not respond is distinguished from errors that a test makes or is about.
func TestNoResponse(t *testing.T) {
	for steps, want := range map[string]bool{
		`[:Expect {fails: any}]`:         true,
		``:                               true,
		`[:Expect {fails: LLMAPIError}]`: false,
		`[:Expect {fails: BudgetError}]`: true,
		`[:Fault {request: 1, fails: overloaded}], [:Expect {fails: any}]`: false,
	} {
		o := one(t, strings.TrimSuffix(`[t:Test {agent: clerk, model: live} | [:User {text: "x"}], `+steps, ", ")+"]", Options{Model: runtime.NewScript()})
		if err := o.NoResponse(); (err != nil) != want {
			t.Errorf("%s: %v; the run fails with %v", steps, err, o.Turns[0].Err)
		}
	}
}

// An interrupted run is no error that a test expects.
func TestAnInterruptIsNotExpected(t *testing.T) {
	list, agents := load(t, `[t:Test {agent: clerk} | [:User {text: "x"}], [:Model {text: "x"}], [:Expect {fails: any}]]`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if o := Run(ctx, list[0], &Options{Agent: agents["clerk"]}); o.Err == nil || o.Passed() {
		t.Errorf("%v, %v", o.Err, o.Failures)
	}
}

// The errors that a test may expect are those of package runtime.
func TestFailsKnowsTheKindsOfErrors(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../runtime/error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"any"}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "ErrorKind" {
				kind, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, kind)
			}
		}
		return true
	})
	source, problems := grammar.Parse("x.gram", shop+`[t:Test {agent: clerk} | [:User {text: "x"}], [:Model {text: "x"}], [:Expect {fails: qqqqqqqqqqqqq}]]`)
	if problems.HasErrors() {
		t.Fatal(problems.Err())
	}
	_, problems = compile.Scenarios(source, nil)
	_, list, _ := strings.Cut(problems.Err().Error(), "; there are ")
	list, _, _ = strings.Cut(list, "\n")
	got := strings.Split(list, ", ")
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
