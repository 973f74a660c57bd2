package openai

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

const benchResponse = `{"id":"x","object":"chat.completion","created":1,"model":"gpt-4o-mini","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"sayHello","arguments":"{\"personName\":\"Ada\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}`

func benchServer(b *testing.B) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, benchResponse)
	}))
	b.Cleanup(s.Close)
	return s
}

func BenchmarkGenerate(b *testing.B) {
	s := benchServer(b)
	m, err := New(Options{BaseURL: s.URL, APIKey: testKey})
	if err != nil {
		b.Fatal(err)
	}
	r := conversation()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Generate(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkByHand is the least that the same exchange can cost: structs of
// just these fields, net/http, no checks.
func BenchmarkByHand(b *testing.B) {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Arguments   string          `json:"arguments,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	}
	type call struct {
		ID       string   `json:"id,omitempty"`
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content,omitempty"`
		Calls   []call `json:"tool_calls,omitempty"`
		CallID  string `json:"tool_call_id,omitempty"`
	}
	s := benchServer(b)
	r := conversation()
	b.ReportAllocs()
	for b.Loop() {
		var req struct {
			Model    string    `json:"model"`
			Messages []message `json:"messages"`
			Tools    []call    `json:"tools"`
		}
		req.Model = r.Model
		req.Messages = append(req.Messages, message{Role: "system", Content: r.Instruction})
		for _, m := range r.Messages {
			out := message{Role: string(m.Role), Content: m.Content, CallID: m.CallID}
			for _, c := range m.Calls {
				out.Calls = append(out.Calls, call{c.ID, "function", function{Name: c.Name, Arguments: string(c.Args)}})
			}
			req.Messages = append(req.Messages, out)
		}
		for _, t := range r.Tools {
			req.Tools = append(req.Tools, call{"", "function", function{Name: t.Name, Description: t.Description, Parameters: t.Input}})
		}
		body, err := json.Marshal(&req)
		if err != nil {
			b.Fatal(err)
		}
		post, err := http.NewRequestWithContext(b.Context(), http.MethodPost, s.URL+"/chat/completions", bytes.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		post.Header.Set("Authorization", "Bearer "+testKey)
		resp, err := http.DefaultClient.Do(post)
		if err != nil {
			b.Fatal(err)
		}
		var response struct {
			Choices []struct {
				Message message `json:"message"`
			} `json:"choices"`
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || json.Unmarshal(text, &response) != nil || len(response.Choices) != 1 {
			b.Fatal(err, string(text))
		}
	}
}
