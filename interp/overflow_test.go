package interp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

var errOverflow = runtime.Errorf(runtime.KindContextOverflow, "too long")

// small is a meter whose context takes so many bytes. It summarises in those words.
func small(bytes int, summary string) *meter {
	return &meter{answer: func(_ int, r *runtime.Request) (*runtime.Response, error) {
		switch {
		case r.Instruction == summaryInstruction:
			return &runtime.Response{Content: summary, Finish: "stop", Usage: usage(100, 7)}, nil
		case compactedSize(r.Messages) > bytes:
			return nil, errOverflow
		}
		return &runtime.Response{Content: "answer", Finish: "stop", Usage: usage(10, 1)}, nil
	}}
}

// talk returns a conversation of so many turns, with calls in some of them.
func talk(turns int) (c runtime.Conversation) {
	for i := range turns {
		c = append(c, runtime.UserMessage(fmt.Sprintf("question %d", i)))
		if i%2 == 1 {
			id := fmt.Sprintf("call%d", i)
			call := runtime.AssistantMessage("", []runtime.Call{{ID: id, Name: "look", Args: json.RawMessage(`{}`)}})
			call.Extra = json.RawMessage(`{"Acme":{"signature":"s"}}`)
			result, _ := runtime.ToolMessage("look", id, strings.Repeat("seen ", 100))
			c = append(c, call, result)
		}
		c = append(c, runtime.AssistantMessage(strings.Repeat("answer ", 50), nil))
	}
	return c
}

// checkTurns fails the test unless every call has its result right after it, and
// roles take turns.
func checkTurns(t *testing.T, c runtime.Conversation) {
	t.Helper()
	checkHistory(t, c)
	for i := range c {
		if i == 0 && c[i].Role != runtime.RoleUser || i > 0 && c[i].Role == c[i-1].Role && c[i].Role != runtime.RoleTool {
			t.Errorf("message %d is of the %s", i, c[i].Role)
		}
		if c[i].Role == runtime.RoleTool && len(c[i-1].Calls) == 0 {
			t.Errorf("result %d has no call before it", i)
		}
	}
}

func TestALongConversationIsCompacted(t *testing.T) {
	for turns := range 12 {
		a, table := priced("look")
		a.OnOverflow = CompactOnOverflow
		a.Budget.Requests = 100
		given := talk(turns + 2)
		size := compactedSize(given)
		m := small(size/2+100, "what was said")
		account := NewAccount(Budget{})
		bound, err := Bind(a, addTool(t, runtime.Library{}, "look", gives("1")), m, &Options{Models: table, Account: account})
		if err != nil {
			t.Fatal(err)
		}
		var compacted []*Compaction
		var answer *AgentResponse
		for e, err := range bound.Events(t.Context(), "the last question", given) {
			if err != nil {
				t.Fatalf("%d turns: %v", turns, err)
			}
			if e.Kind == EventCompacted {
				compacted = append(compacted, e.Compaction)
			}
			if e.Kind == EventAnswer {
				answer = e.Answer
			}
		}
		if len(compacted) != 1 || answer.Content != "answer" {
			t.Fatalf("%d turns: %d compactions", turns, len(compacted))
		}
		c := answer.Conversation
		checkTurns(t, c)
		if c[0].Content != given[0].Content || c[1].Content != summaryHead+"what was said" || c[len(c)-2].Content != "the last question" {
			t.Errorf("%d turns: %q", turns, transcript(c))
		}
		if got := compacted[0]; got.Messages < 2 || !strings.HasSuffix(got.String(), " messages into a summary of 7 tokens") {
			t.Errorf("%d turns: %s of %d, %d remain", turns, got, len(given), len(c))
		}
		if spent := account.Spent(); spent.Requests != 3 || spent.Tokens != 118 || answer.Usage.Total != 118 {
			t.Errorf("%d turns: %+v", turns, spent)
		}
		asked := m.requests[1]
		if len(asked.Tools) > 0 || asked.MaxTokens == 0 || !strings.Contains(asked.Messages[0].Content, "answer answer") {
			t.Errorf("the summary was asked as %+v", asked)
		}
	}
}

func TestACompactionThatDoesNotHelpIsTheError(t *testing.T) {
	for _, tt := range []struct {
		name    string
		given   runtime.Conversation
		bytes   int
		summary string
		most    int // requests
	}{
		{"still too long", talk(6), 100, "short", 3},
		{"a summary as long as the messages", talk(6), 100, strings.Repeat("long ", 2000), 2},
		{"no summary", talk(6), 100, " ", 2},
		{"nothing to summarise", nil, 5, "short", 1},
		{"one message", talk(1)[:1], 5, "short", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, table := priced()
			a.OnOverflow = CompactOnOverflow
			m := small(tt.bytes, tt.summary)
			answer, err := runAgent(t.Context(), a, "the last question", tt.given, runtime.Library{}, m, &Options{Models: table})
			if !errors.Is(err, errOverflow) || m.sent != tt.most {
				t.Errorf("%v after %d requests", err, m.sent)
			}
			checkHistory(t, answer.Conversation)
		})
	}
	a, table := priced() // where the agent does not ask for it, nothing is summarised
	m := small(100, "short")
	if _, err := runAgent(t.Context(), a, "more", talk(6), runtime.Library{}, m, &Options{Models: table}); !errors.Is(err, errOverflow) || m.sent != 1 {
		t.Errorf("%v after %d requests", err, m.sent)
	}
}

// A model that summarises is charged as well.
func TestACompactionKeepsToTheBudget(t *testing.T) {
	a, table := priced()
	a.OnOverflow, a.Budget.Requests = CompactOnOverflow, 1
	m := small(100, "short")
	_, err := runAgent(t.Context(), a, "more", talk(6), runtime.Library{}, m, &Options{Models: table})
	if wantsBudget(t, err, BudgetOfRequests); m.sent != 1 {
		t.Errorf("%d requests", m.sent)
	}
}

func TestWhatCertainlyDoesNotFitIsNotSent(t *testing.T) {
	a, table := priced()
	table = table.With(models.Provider{Name: "Acme", Models: []models.Model{{ID: "m", Context: 1000}}})
	m := endless(usage(1, 1))
	long := strings.Repeat("word ", 4100) // at least 1025 tokens
	_, err := runAgent(t.Context(), a, long, nil, runtime.Library{}, m, &Options{Models: table})
	if want := `the conversation is too long for model "m": it has at least 1025 tokens, and the model takes 1000; nothing was sent`; !errors.Is(err, &runtime.Error{Kind: runtime.KindContextOverflow}) || err.Error() != want || m.sent != 0 {
		t.Errorf("%v after %d requests", err, m.sent)
	}
	a.Model.ID = "unknown"
	if _, err := runAgent(t.Context(), a, long, nil, runtime.Library{}, small(1<<20, ""), &Options{Models: table}); err != nil {
		t.Errorf("nothing is known of it: %v", err)
	}
	a.Model.ID, a.OnOverflow = "m", CompactOnOverflow
	m = small(1<<20, "short")
	answer, err := runAgent(t.Context(), a, "so?", runtime.Conversation{
		runtime.UserMessage("read this"), runtime.AssistantMessage("yes", nil), runtime.UserMessage(long), runtime.AssistantMessage("read", nil),
	}, runtime.Library{}, m, &Options{Models: table})
	if err != nil || m.sent != 2 {
		t.Fatalf("%v after %d requests", err, m.sent)
	}
	want := []string{"user: read this", "assistant: " + summaryHead + "short", "user: " + summarySkipped, "assistant: read", "user: so?", "assistant: answer"}
	if diff := cmp.Diff(want, transcript(answer.Conversation)); diff != "" {
		t.Error(diff)
	}
}

// In the middle of a turn, the question that it answers stays as it is.
func TestACompactionKeepsTheQuestion(t *testing.T) {
	a, table := priced("look")
	a.OnOverflow = CompactOnOverflow
	n := 0
	m := &meter{}
	m.answer = func(_ int, r *runtime.Request) (*runtime.Response, error) {
		if r.Instruction == summaryInstruction {
			return &runtime.Response{Content: "short", Usage: usage(1, 1)}, nil
		}
		if compactedSize(r.Messages) > 2500 {
			return nil, errOverflow
		}
		if n++; n > 8 {
			response := text("done")
			return &response, nil
		}
		response := calls("look", `{"place":"`+strings.Repeat("far ", 100)+`"}`)
		response.Extra = json.RawMessage(fmt.Sprintf(`{"Acme":{"signature":"%d"}}`, n))
		return &response, nil
	}
	lib := addTool(t, runtime.Library{}, "look", gives(`"`+strings.Repeat("seen ", 20)+`"`))
	answer, err := runAgent(t.Context(), a, "the question", runtime.Conversation{runtime.UserMessage("hi"), runtime.AssistantMessage("hello", nil)}, lib, m, &Options{Models: table, MaxTurns: 30})
	if err != nil {
		t.Fatal(err)
	}
	c := answer.Conversation
	checkTurns(t, c)
	if got := transcript(c)[:3]; got[0] != "user: hi" || !strings.HasSuffix(got[1], "short") || got[2] != "user: the question" || len(answer.ToolsUsed) != 8 {
		t.Errorf("%q", transcript(c))
	}
}
