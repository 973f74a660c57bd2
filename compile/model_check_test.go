package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/models"
)

// modelProblems returns what is reported of the model of an agent, as "code: message".
func modelProblems(t *testing.T, text string, o *Options) (reported []string) {
	t.Helper()
	f, problems := grammar.Parse("test.gram", text)
	if problems.HasErrors() {
		t.Fatal(problems.Err())
	}
	for _, d := range Check(f, o) {
		switch d.Code {
		case diag.CodeModelLimit, diag.CodeModelRefuses, diag.CodeUnknownModel, diag.CodeForeignModel, diag.CodeInvalidModel:
			reported = append(reported, fmt.Sprintf("%s: %s", d.Code, d.Message))
		}
	}
	return reported
}

func agentWithTools(model string, n int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "[a:Agent {instruction: \"i\", model: %q} |", model)
	for i := range n {
		fmt.Fprintf(&text, " [t%d:Tool {description: \"d\"} | (::Text)]%s", i, strings.Repeat(",", min(1, n-1-i)))
	}
	return text.String() + "]"
}

func TestTooManyToolsForAModel(t *testing.T) {
	for _, tt := range []struct {
		model string
		tools int
		want  string
	}{
		{"OpenAI/gpt-5.2", 128, ""},
		{"OpenAI/gpt-5.2", 131, `model-limit: OpenAI/gpt-5.2 takes at most 128 tools, and the agent "a" has 131; divide them among agents, or use another model`},
		{"OpenAI/unknown", 131, ""},
		{"Anthropic/claude-sonnet-5-5", 131, ""},
	} {
		if got := strings.Join(modelProblems(t, agentWithTools(tt.model, tt.tools), nil), "\n"); got != tt.want {
			t.Errorf("%d tools for %s: %s", tt.tools, tt.model, got)
		}
	}
}

func TestAnInstructionBeyondTheContext(t *testing.T) {
	agent := func(words int) string {
		return fmt.Sprintf("[a:Agent {instruction: %q, model: \"OpenAI/gpt-4\"}]", strings.Repeat("by the way ", words/3))
	}
	const limit = 8192
	if got := modelProblems(t, agent(limit*4), nil); len(got) > 0 {
		t.Errorf("it may fit: %v", got)
	}
	want := `model-limit: the instruction and the tools of the agent "a" have at least 8325 tokens, and OpenAI/gpt-4 takes 8192`
	if got := modelProblems(t, agent(33_300), nil); len(got) != 1 || got[0] != want {
		t.Errorf("got  %v\nwant %s", got, want)
	}
	// What is not said is no alarm: many bytes, few words.
	if got := modelProblems(t, strings.Replace(agent(3), "by the way", strings.Repeat("9 ", 500_000), 1), nil); len(got) > 0 {
		t.Errorf("digits: %v", got)
	}
}

func TestModelsOfAUser(t *testing.T) {
	table := models.Builtin().With(
		models.Provider{Name: "Work", Dialect: models.Gemini, Models: []models.Model{{ID: "house", Tools: models.No, MaxTools: 1}}},
		models.Provider{Name: "OpenAI", Models: []models.Model{{ID: "gpt-4", Context: 1_000_000}}},
	)
	o := &Options{Models: table}
	want := []string{`model-limit: Work/house takes at most 1 tools, and the agent "a" has 2; divide them among agents, or use another model`, "model-refuses: Work/house takes no tools; use another model"}
	if got := modelProblems(t, agentWithTools("work/house", 2), o); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
	if got := modelProblems(t, agentWithTools("work/house", 1), nil); len(got) != 1 || !strings.HasPrefix(got[0], "invalid-model: unknown model provider \"work\"") {
		t.Errorf("without the table: %q", got)
	}
	if got := modelProblems(t, fmt.Sprintf("[a:Agent {instruction: %q, model: \"OpenAI/gpt-4\"}]", strings.Repeat("word ", 40_000)), o); len(got) > 0 {
		t.Errorf("with a larger context: %q", got)
	}
}

// Each known model can be named without a warning other than of its end.
func TestKnownModelsGiveNoAlarm(t *testing.T) {
	for p, m := range models.Builtin().All() {
		for _, id := range append([]string{m.ID}, m.Aliases...) {
			if got := modelProblems(t, agentWithTools(p.Name+"/"+id, 1), nil); len(got) > 0 && m.Tools != models.No {
				t.Errorf("%s/%s: %q", p.Name, id, got)
			}
		}
	}
}
