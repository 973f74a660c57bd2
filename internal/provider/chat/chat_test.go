package chat_test

import (
	"encoding/json"
	"fmt"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/internal/provider/chat"
)

func ExampleBody() {
	fmt.Println(string(chat.Body(&provider.Request{
		Model: "gpt-5.4-mini", Instruction: `Say "a < b & c"\u003c.`, Temperature: "0", MaxTokens: 7,
		Tools:  []provider.Tool{{Name: "f", Description: "d", Input: json.RawMessage(`{"n":1.0}`), Strict: true}},
		Answer: json.RawMessage(`{"type":"object"}`),
	})))
	// Output:
	// {"model":"gpt-5.4-mini","messages":[{"role":"system","content":"Say \"a < b & c\"\\u003c."}],"max_completion_tokens":7,"stream":false,"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"},"strict":true}},"tools":[{"function":{"name":"f","description":"d","strict":true,"parameters":{"n":1.0}},"type":"function"}],"temperature":0}
}

func TestAdditionsAreExact(t *testing.T) {
	body, err := json.Marshal(openai.ChatCompletionRequest{Messages: []openai.ChatCompletionMessage{
		{Role: "user", Content: "u"},
		{Role: "assistant", ToolCalls: []openai.ToolCall{{ID: "a"}, {ID: "b"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	same, err := (&chat.Additions{}).To(body)
	if err != nil || string(same) != string(body) {
		t.Errorf("nothing added: %s, %v", same, err)
	}
	got, err := (&chat.Additions{
		Temperature: "0.30000000000000004",
		Extras:      []chat.Extra{{Message: 1, Call: 1, Content: json.RawMessage(`{"s":"<&>","n":1.0}`)}},
	}).To(body)
	const want = `{"messages":[{"content":"u","role":"user"},{"role":"assistant","tool_calls":[{"function":{},"id":"a","type":""},` +
		`{"extra_content":{"s":"<&>","n":1.0},"function":{},"id":"b","type":""}]}],"model":"","stream":false,"temperature":0.30000000000000004}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
}
