package session

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A talker gives responses in pieces of one word, and records what it was asked.
type talker struct {
	steps    []runtime.Response
	errAfter map[int]error // of the response with that number, after its text
	asked    [][]runtime.Message
}

func (*talker) Name() string { return "talker" }

func (m *talker) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	return m.Stream(ctx, r, func(runtime.Delta) error { return nil })
}

func (m *talker) Stream(_ context.Context, r *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	n := len(m.asked)
	m.asked = append(m.asked, r.Messages)
	response := m.steps[min(n, len(m.steps)-1)]
	for _, word := range strings.SplitAfter(response.Content, " ") {
		if err := yield(runtime.Delta{Kind: runtime.DeltaText, Text: word}); err != nil {
			return nil, err
		}
	}
	if err := m.errAfter[n]; err != nil {
		return nil, err
	}
	return &response, nil
}

func newSession(t *testing.T, m runtime.Model) *Session {
	t.Helper()
	lib, err := runtime.AddFunc(runtime.Library{}, "add", "Adds", func(context.Context, struct{}) (int, error) { return 3, nil })
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := lib.Lookup("add")
	agent := &interp.Agent{Name: "clerk", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "gpt-4o-mini"}, Tools: []runtime.Contract{{Name: "add", Description: "Adds", Input: tool.Input()}}}
	s, err := New(agent, nil, func(a *interp.Agent) (*interp.Bound, error) {
		if a.Model.ID == "none" {
			return nil, errors.New("there is no such model")
		}
		return interp.Bind(a, lib, m, &interp.Options{Stream: true})
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// send sends a message and stops after the piece that ends so.
func send(ctx context.Context, s *Session, message, stopAfter string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for e, err := range s.Send(ctx, message, runtime.UserMessage(message)) {
		if err != nil {
			return err
		}
		if stopAfter != "" && e.Kind == interp.EventDelta && strings.HasSuffix(e.Delta.Text, stopAfter) {
			cancel()
		}
	}
	return nil
}

// spoken returns the messages of a conversation as lines.
func spoken(c runtime.Conversation) (lines []string) {
	for _, m := range c {
		lines = append(lines, string(m.Role)+": "+m.Content)
	}
	return lines
}

var (
	callAdd = runtime.Response{Content: "I add. ", Calls: []runtime.Call{{ID: "1", Name: "add", Args: json.RawMessage(`{}`)}}, Usage: runtime.Usage{Input: 10, Output: 2, Total: 12}}
	hello   = runtime.Response{Content: "Hello there", Finish: "stop", Usage: runtime.Usage{Input: 5, Output: 1, Total: 6}}
)

func TestATurnIsRecorded(t *testing.T) {
	s := newSession(t, &talker{steps: []runtime.Response{callAdd, hello}})
	if err := send(t.Context(), s, "hi", ""); err != nil {
		t.Fatal(err)
	}
	last := s.Last()
	if last.Answer != "Hello there" || last.Err != nil || last.Time <= 0 || last.Cost.Requests != 2 || last.Cost.Usage.Total != 18 || last.Cost.Price <= 0 || last.Cost.Unpriced != 0 || s.Spent() != last.Cost {
		t.Errorf("recorded %+v", last)
	}
	var steps []string
	for _, step := range last.Steps {
		name := "request"
		if step.Call != nil {
			name = step.Call.Name + " " + string(step.Invocation.Result)
		}
		if step.Time <= 0 {
			t.Errorf("%s has no time", name)
		}
		steps = append(steps, name)
	}
	if diff := cmp.Diff([]string{"request", "add 3", "request"}, steps); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"user: hi", "assistant: I add. ", "tool: 3", "assistant: Hello there"}, spoken(s.Conversation())); diff != "" {
		t.Error(diff)
	}
}

func TestAfterAStopTheConversationGoesOn(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name      string
		model     *talker
		stopAfter string
		want      []string
	}{
		{"before anything", &talker{steps: []runtime.Response{{}, hello}, errAfter: map[int]error{0: broken}}, "", []string{"user: again"}},
		{"in the text", &talker{steps: []runtime.Response{{Content: "One two three"}, hello}, errAfter: map[int]error{0: broken}}, "",
			[]string{"user: hi", "assistant: One two three\n\n[The answer failed here.]", "user: again"}},
		{"by the user", &talker{steps: []runtime.Response{callAdd, {Content: "One two three"}, hello}, errAfter: map[int]error{1: context.Canceled}}, "two ",
			[]string{"user: hi", "assistant: I add. ", "tool: 3", "assistant: One two three\n\n[The user stopped the answer here.]", "user: again"}},
		{"after a call", &talker{steps: []runtime.Response{callAdd, {}, hello}, errAfter: map[int]error{1: broken}}, "",
			[]string{"user: hi", "assistant: I add. ", "tool: 3", "assistant: [The answer failed here.]", "user: again"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSession(t, tt.model)
			if err := send(t.Context(), s, "hi", tt.stopAfter); err == nil || s.Last().Err == nil {
				t.Fatal("nothing stopped")
			}
			if cost := s.Last().Cost; cost.Unpriced != 1 || cost.Requests != len(tt.model.asked) {
				t.Errorf("the request without a response counts as %+v", cost)
			}
			if err := send(t.Context(), s, "again", ""); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, spoken(tt.model.asked[len(tt.model.asked)-1])); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWaitingForTheUserIsNoTimeOfATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const works, thinks = 2 * time.Second, time.Hour
		var s *Session
		lib := runtime.Library{}
		tool, err := runtime.NewTool(runtime.ToolConfig{
			Name: "add", Description: "Adds", Input: json.RawMessage(`{"type":"object","properties":{},"required":[]}`),
			Approval: runtime.Approval{Default: runtime.Ask},
			Execute: func(context.Context, json.RawMessage) (json.RawMessage, error) {
				time.Sleep(works)
				return json.RawMessage("3"), nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if lib, err = lib.Add("add", tool); err != nil {
			t.Fatal(err)
		}
		agent := &interp.Agent{Name: "clerk", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "gpt-4o-mini"}, Tools: []runtime.Contract{{Name: "add", Description: "Adds", Input: tool.Input()}}}
		s, err = New(agent, nil, func(a *interp.Agent) (*interp.Bound, error) {
			return interp.Bind(a, lib, &talker{steps: []runtime.Response{callAdd, hello}}, &interp.Options{Stream: true, Approve: func(context.Context, *interp.ApprovalRequest) (bool, error) {
				time.Sleep(thinks)
				s.Wait(thinks)
				return true, nil
			}})
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := send(t.Context(), s, "hi", ""); err != nil {
			t.Fatal(err)
		}
		if last := s.Last(); last.Time != works || last.Steps[1].Time != works || last.Steps[1].Waited != thinks {
			t.Errorf("the turn took %v, the call %v, and it waited %v", last.Time, last.Steps[1].Time, last.Steps[1].Waited)
		}
	})
}

func TestUndoAndClear(t *testing.T) {
	model := &talker{steps: []runtime.Response{hello}}
	s := newSession(t, model)
	if _, ok := s.Undo(); ok {
		t.Error("there was nothing to undo")
	}
	for _, message := range []string{"one", "two"} {
		if err := send(t.Context(), s, message, ""); err != nil {
			t.Fatal(err)
		}
	}
	if message, ok := s.Undo(); message != "two" || !ok {
		t.Errorf("undone: %q, %v", message, ok)
	}
	if got := len(s.Conversation()); got != 2 || s.Spent().Requests != 2 {
		t.Errorf("%d messages remain, %+v spent", got, s.Spent())
	}
	s.Clear()
	if s.Last() != nil || s.Conversation() != nil || s.Spent().Requests != 2 {
		t.Error("something is left")
	}
}

func TestAnotherModelKeepsTheConversation(t *testing.T) {
	s := newSession(t, &talker{steps: []runtime.Response{hello}})
	if err := send(t.Context(), s, "hi", ""); err != nil {
		t.Fatal(err)
	}
	for name, ok := range map[string]bool{"OpenAI/other": true, "OpenAI/none": false, "/": false} {
		if _, err := s.SetModel(name); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := s.Agent().Model.String(); got != "OpenAI/other" || len(s.Conversation()) != 2 {
		t.Errorf("the model is %s, with %d messages", got, len(s.Conversation()))
	}
	other := *s.Agent()
	other.Name = "other"
	if err := s.SetAgent(&other); err != nil || s.Agent().Name != "other" || s.Last() != nil {
		t.Errorf("the agent is %s: %v", s.Agent().Name, err)
	}
}

func TestAnotherModelThatRespondsHasItsOwnPrice(t *testing.T) {
	busy := &talker{steps: []runtime.Response{{Content: "Half"}}, errAfter: map[int]error{0: runtime.Errorf(runtime.KindOverloaded, "busy")}}
	agent := &interp.Agent{Name: "clerk", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "gpt-4o-mini"},
		Fallbacks: []compile.Model{{Provider: "OpenAI", ID: "nobody knows it"}}}
	s, err := New(agent, nil, func(a *interp.Agent) (*interp.Bound, error) {
		o := &interp.Options{Stream: true}
		if len(a.Fallbacks) > 0 {
			o.Fallbacks = []runtime.Model{&talker{steps: []runtime.Response{hello}}}
		}
		return interp.Bind(a, runtime.Library{}, busy, o)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := send(t.Context(), s, "hi", ""); err != nil {
		t.Fatal(err)
	}
	if last := s.Last(); last.Answer != "Hello there" || last.Cost.Unpriced != 1 || last.Cost.Price != 0 {
		t.Errorf("answered %q for %+v", last.Answer, last.Cost)
	}
	if _, err := s.SetModel("OpenAI/gpt-4o"); err != nil || len(s.Agent().Fallbacks) != 0 {
		t.Errorf("after a choice there are %v, %v", s.Agent().Fallbacks, err)
	}
}

func TestAConversationIsSaved(t *testing.T) {
	s := newSession(t, &talker{steps: []runtime.Response{callAdd, hello}})
	message := runtime.UserMessage("hi\nyou")
	message.Attachments = []runtime.Attachment{{Name: "cat.png", MediaType: "image/png", Data: []byte("x")}}
	for _, err := range s.Send(t.Context(), "hi [mark]", message) {
		if err != nil {
			t.Fatal(err)
		}
	}
	text := s.Markdown()
	for _, part := range []string{"# Conversation with clerk (OpenAI/gpt-4o-mini)\n", "\n> hi\n> you\n\n- with `cat.png`\n", "\n- called `add({})`: `3`\n", "\nHello there\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
	data, err := s.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var back runtime.Conversation
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s.Conversation(), back); diff != "" {
		t.Error(diff)
	}
	s.Clear()
	if data, err := s.JSON(); err != nil || string(data) != "[]\n" {
		t.Errorf("an empty conversation is %s, %v", data, err)
	}
}

// A conversation that is too long goes on with a summary, which costs something, also
// where the answer then fails.
func TestALongConversationIsCompacted(t *testing.T) {
	long := strings.Repeat("a long story ", 100)
	tooLong := runtime.Errorf(runtime.KindContextOverflow, "too long")
	model := &talker{steps: []runtime.Response{{Content: long}, hello, {}, {Content: "short", Usage: runtime.Usage{Input: 9, Output: 1, Total: 10}}, {}, hello},
		errAfter: map[int]error{2: tooLong, 4: errors.New("broken")}}
	agent := &interp.Agent{Name: "clerk", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "gpt-4o-mini"}, OnOverflow: interp.CompactOnOverflow}
	s, err := New(agent, nil, func(a *interp.Agent) (*interp.Bound, error) {
		return interp.Bind(a, runtime.Library{}, model, &interp.Options{Stream: true})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range []string{"one", "two"} {
		if err := send(t.Context(), s, message, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := send(t.Context(), s, "three", ""); err == nil || s.Last().Cost.Usage.Total != 10 {
		t.Fatalf("%v, for %+v", err, s.Last().Cost)
	}
	if err := send(t.Context(), s, "four", ""); err != nil {
		t.Fatal(err)
	}
	got := spoken(model.asked[len(model.asked)-1])
	if len(got) < 4 || got[0] != "user: one" || !strings.HasSuffix(got[1], "\n\nshort") || strings.Contains(strings.Join(got, ""), "story") || got[len(got)-1] != "user: four" {
		t.Errorf("the conversation goes on as %q", got)
	}
}
