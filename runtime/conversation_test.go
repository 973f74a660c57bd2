package runtime

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConversationIsTheSameAfterJSON(t *testing.T) {
	answer, err := ToolMessage("add", "call_1", "3")
	if err != nil {
		t.Fatal(err)
	}
	conv := Conversation{
		UserMessage("1+2?"),
		AssistantMessage("", []Call{{ID: "call_1", Name: "add", Args: json.RawMessage(`{"a":1}`), Extra: json.RawMessage(`{"x":[1]}`)}}),
		answer,
		AssistantMessage("3", nil),
	}
	text, err := json.Marshal(conv)
	if err != nil {
		t.Fatal(err)
	}
	var back Conversation
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(conv, back); diff != "" {
		t.Errorf("%s\n%s", text, diff)
	}
}

func TestMessageRefuses(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"content":"x"}`, "role is missing"},
		{`{"role":"system","content":"x"}`, `unknown role "system"`},
		{`{"role":"tool","content":"x"}`, "needs the name of its tool"},
	}
	for _, tt := range tests {
		var m Message
		if err := json.Unmarshal([]byte(tt.text), &m); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.text, err, tt.want)
		}
	}
	if _, err := ToolMessage("", "call_1", "x"); err == nil {
		t.Error("a tool message without a name")
	}
}

func TestInvocationsAreWrittenWithTheirResult(t *testing.T) {
	tests := []struct {
		invocation Invocation
		want       string
	}{
		{Invocation{Tool: "a", Args: json.RawMessage(`{"n":1}`), Result: json.RawMessage(`"x"`)},
			`{"tool_name":"a","args":{"n":1},"result":{"success":"x"}}`},
		{Invocation{Tool: "a", Args: json.RawMessage(`{}`), Result: json.RawMessage(`null`)},
			`{"tool_name":"a","args":{},"result":{"success":null}}`},
		{Invocation{Tool: "a", Args: json.RawMessage(`"{\"n\":"`), Err: &ToolError{Kind: ToolExecution, Message: ""}},
			`{"tool_name":"a","args":"{\"n\":","result":{"error":""}}`},
	}
	for _, tt := range tests {
		text, err := json.Marshal(tt.invocation)
		if err != nil || string(text) != tt.want {
			t.Errorf("got %s, %v; want %s", text, err, tt.want)
		}
	}
}

func TestScriptAnswersInOrderAndRepeatsTheLast(t *testing.T) {
	s := NewScript(Response{Content: "a"}, Response{Content: "b"})
	var got string
	for range 3 {
		r, err := s.Generate(t.Context(), &Request{})
		if err != nil {
			t.Fatal(err)
		}
		got += r.Content
	}
	if got != "abb" || len(s.Requests()) != 3 {
		t.Errorf("answers %q, %d requests", got, len(s.Requests()))
	}
	if _, err := NewScript().Generate(t.Context(), &Request{}); !errors.Is(err, &Error{Kind: KindLLMAPI}) {
		t.Errorf("without answers: %v", err)
	}
}

func TestScriptKeepsItsOwnCopyOfARequest(t *testing.T) {
	s := NewScript(Response{})
	request := func() Request {
		return Request{
			Messages: []Message{AssistantMessage("m", []Call{{Args: json.RawMessage(`{}`)}})},
			Tools:    []Contract{{Name: "t", Input: json.RawMessage(`{}`)}},
		}
	}
	r, want := request(), request()
	if _, err := s.Generate(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	r.Messages[0].Content = "changed"
	r.Tools[0].Name = "changed"
	if diff := cmp.Diff(want, s.Requests()[0]); diff != "" {
		t.Error(diff)
	}
}

func TestErrorsAreFoundByKind(t *testing.T) {
	cause := errors.New("refused")
	var err error = Errorf(KindLLMAPI, "network: %w", cause)
	if err.Error() != "network: refused" || !errors.Is(err, cause) {
		t.Errorf("error %v lost its cause", err)
	}
	if !errors.Is(err, &Error{Kind: KindLLMAPI}) || errors.Is(err, &Error{Kind: KindTool}) {
		t.Error("errors.Is does not go by the kind")
	}
}

func TestUsageNeverOverflows(t *testing.T) {
	got := Usage{Input: math.MaxInt64, Output: -5, Total: 2}.Add(Usage{Input: 1, Output: 3, Total: 2})
	if want := (Usage{Input: math.MaxInt64, Output: 3, Total: 4}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
