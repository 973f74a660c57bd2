package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
)

// A stub is a server of chat completions on loopback that answers by a script
// and keeps what it was sent.
type stub struct {
	*httptest.Server
	log     io.WriteCloser // gets each request on a line, when there is one
	arrived chan struct{}  // gets a value for each request that hangs

	mu       sync.Mutex
	steps    []step
	requests []json.RawMessage
}

// A step is one answer of a script; the last one is repeated.
type step struct {
	Content      string    `json:"content"`
	ToolCalls    []stubUse `json:"tool_calls"`
	FunctionCall *stubUse  `json:"function_call"`
	Finish       string    `json:"finish_reason"`
	Usage        *[2]int   `json:"usage"` // tokens of the input and the output
	Status       int       `json:"status"`
	Body         string    `json:"body"`
	Hang         bool      `json:"hang"`    // no answer until the client goes away
	Repeats      bool      `json:"repeats"` // the content is that of the last message
	Cut          bool      `json:"cut"`     // a stream ends without an end mark
}

type stubUse struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// newStub starts a server with a script: a JSON array of steps. The log may be
// nil.
func newStub(script []byte, log io.WriteCloser) (*stub, error) {
	s := &stub{arrived: make(chan struct{}, 1), log: log}
	if err := json.Unmarshal(script, &s.steps); err != nil {
		return nil, fmt.Errorf("script of the stub: %w", err)
	}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s, nil
}

func (s *stub) close() {
	s.CloseClientConnections()
	s.Close()
	if s.log != nil {
		s.log.Close()
	}
}

func (s *stub) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost || r.URL.Path != "/chat/completions" || r.Header.Get("Authorization") == "" {
		http.Error(w, "the stub takes POST /chat/completions with a key", http.StatusNotFound)
		return
	}
	step, ok := s.take(body)
	switch {
	case !ok:
		http.Error(w, "the script of the stub is empty", http.StatusTeapot)
	case step.Hang:
		s.arrived <- struct{}{}
		<-r.Context().Done()
	case step.Status != 0:
		w.WriteHeader(step.Status)
		io.WriteString(w, step.Body)
	default:
		if step.Repeats {
			step.Content = lastContent(body)
		}
		if bytes.Contains(body, []byte(`"stream":true`)) {
			step.stream(w)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(step.completion())
	}
}

// received returns the requests until now.
func (s *stub) received() []json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// take records a request and returns the step that answers it.
func (s *stub) take(body []byte) (step, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, body)
	if s.log != nil {
		fmt.Fprintf(s.log, "%s\n", body)
	}
	if len(s.steps) == 0 {
		return step{}, false
	}
	return s.steps[min(len(s.requests), len(s.steps))-1], true
}

// lastContent returns the content of the last message of a request.
func lastContent(body []byte) string {
	var request struct {
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	if json.Unmarshal(body, &request) != nil || len(request.Messages) == 0 {
		return ""
	}
	return request.Messages[len(request.Messages)-1].Content
}

func (t *step) completion() any {
	message := map[string]any{"role": "assistant", "content": t.Content}
	finish := "stop"
	if t.FunctionCall != nil {
		finish = "function_call"
		message["function_call"] = map[string]any{"name": t.FunctionCall.Name, "arguments": t.FunctionCall.Arguments}
	}
	if len(t.ToolCalls) > 0 {
		finish = "tool_calls"
		calls := make([]any, len(t.ToolCalls))
		for i, use := range t.ToolCalls {
			calls[i] = map[string]any{
				"id": use.ID, "type": "function",
				"function": map[string]any{"name": use.Name, "arguments": use.Arguments},
			}
		}
		message["tool_calls"] = calls
	}
	if t.Finish != "" {
		finish = t.Finish
	}
	whole := map[string]any{"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}}}
	if u := t.Usage; u != nil {
		whole["usage"] = map[string]any{"prompt_tokens": u[0], "completion_tokens": u[1], "total_tokens": u[0] + u[1]}
	}
	return whole
}

// stream sends the answer as events, its text in pieces of two characters and its arguments
// one call after the other.
func (t *step) stream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(delta map[string]any, finish any) {
		data, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(w, "data: %s\n\n", data)
		w.(http.Flusher).Flush()
	}
	for piece := range slices.Chunk([]rune(t.Content), 2) {
		send(map[string]any{"content": string(piece)}, nil)
	}
	if t.Cut {
		return
	}
	finish := "stop"
	for i, use := range t.ToolCalls {
		finish = "tool_calls"
		send(map[string]any{"tool_calls": []any{map[string]any{
			"index": i, "id": use.ID, "type": "function",
			"function": map[string]any{"name": use.Name, "arguments": use.Arguments},
		}}}, nil)
	}
	send(map[string]any{}, cmp.Or(t.Finish, finish))
	io.WriteString(w, "data: [DONE]\n\n")
}
