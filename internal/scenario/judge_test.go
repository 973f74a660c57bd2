package scenario

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

func TestAJudge(t *testing.T) {
	yes, no := runtime.Response{Content: `{"fulfilled":true,"reason":"fine"}`}, runtime.Response{Content: `{"fulfilled":false,"reason":"rude"}`}
	const message = `the judge says no to "It is kind.": "rude"`
	for _, tt := range []struct {
		name, expect     string
		says             []runtime.Response
		asked            int
		failures, trends string
	}{
		{"yes", `gate: true`, []runtime.Response{yes}, 1, "", ""},
		{"no is a note", `gate: false`, []runtime.Response{no}, 1, "", message},
		{"no is asked again", `gate: true`, []runtime.Response{no, yes, yes}, 3, "", ""},
		{"the majority counts", `gate: true`, []runtime.Response{no, yes, no}, 3, message, ""},
		{"two of three", `gate: true`, []runtime.Response{no, no}, 2, message, ""},
		{"no verdict", `gate: true`, []runtime.Response{{Content: "well"}}, 1, `the judge does not answer: LLMAPIError: its verdict is no JSON: "well"`, ""},
	} {
		judge := runtime.NewScript(tt.says...)
		o := one(t, `[t:Test {agent: clerk} | [:User {text: "x"}], [:Model {text: "Done."}], [:Expect {rubric: "It is kind.", `+tt.expect+`}]]`, Options{Judge: judge, JudgeModel: "j"})
		asked := judge.Requests()
		if got := strings.Join(messages(o.Failures), "; "); got != tt.failures || strings.Join(messages(o.Trends), "; ") != tt.trends || len(asked) != tt.asked {
			t.Errorf("%s: failures %q, notes %q, asked %d times", tt.name, got, messages(o.Trends), len(asked))
		}
		if q := asked[0]; q.Model != "j" || q.Output.IsText() || !strings.Contains(q.Messages[0].Content, `"answer":"Done."`) || !strings.Contains(q.Messages[0].Content, "It is kind.") {
			t.Errorf("%s: the judge is asked %+v", tt.name, q)
		}
	}
	for expect, want := range map[string]string{"gate: true": "there is no judge for the rubric: name its model with --judge", "gate: false": ""} {
		o := one(t, `[t:Test {agent: clerk} | [:User {text: "x"}], [:Model {text: "Done."}], [:Expect {rubric: "It is kind.", `+expect+`}]]`, Options{})
		if got := strings.Join(messages(o.Failures), "; "); got != want {
			t.Errorf("without a judge, %s: %q", expect, got)
		}
	}
}
