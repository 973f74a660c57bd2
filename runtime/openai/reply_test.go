package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A reply is a response, which is sent as a whole or as a stream, as it is asked for.
type reply struct {
	content, reasoning, refusal string
	calls                       []replyCall
	finish                      string // "" is what is usual
}

type replyCall struct{ id, name, args string }

func (p reply) send(w http.ResponseWriter, r *http.Request) {
	finish := p.finish
	switch {
	case finish == "" && len(p.calls) > 0:
		finish = "tool_calls"
	case finish == "":
		finish = "stop"
	}
	var calls []any
	for i, c := range p.calls {
		calls = append(calls, map[string]any{"index": i, "id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": c.args}})
	}
	if r.Header.Get("Accept") != "text/event-stream" {
		message := map[string]any{"role": "assistant", "content": p.content, "refusal": p.refusal, "reasoning_content": p.reasoning}
		if calls != nil {
			message["tool_calls"] = calls
		}
		json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": message, "finish_reason": finish}}})
		return
	}
	event := func(delta map[string]any, finish any) {
		data, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	event(map[string]any{"reasoning_content": p.reasoning}, nil)
	for _, piece := range strings.SplitAfter(p.content, " ") {
		event(map[string]any{"content": piece}, nil)
	}
	event(map[string]any{"refusal": p.refusal}, nil)
	for _, c := range calls {
		event(map[string]any{"tool_calls": []any{c}}, nil)
	}
	event(map[string]any{}, finish)
	io.WriteString(w, done)
}
