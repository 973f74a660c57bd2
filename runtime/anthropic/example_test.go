package anthropic_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/anthropic"
)

func Example() {
	// A local server instead of the provider.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"content":[{"type":"text","text":"Hello!"}],"stop_reason":"end_turn","usage":{"input_tokens":4,"cache_read_input_tokens":2000,"output_tokens":2}}`)
	}))
	defer server.Close()

	m, err := anthropic.New(anthropic.Options{BaseURL: server.URL, APIKey: "any text"})
	if err != nil {
		fmt.Println(err)
		return
	}
	response, err := m.Generate(context.Background(), &runtime.Request{
		Model:    "claude-opus-5",
		Messages: []runtime.Message{runtime.UserMessage("Say hello")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Content, response.Finish, response.Usage.Input, response.Usage.CacheRead)

	_, err = anthropic.New(anthropic.Options{})
	fmt.Println(err)
	// Output:
	// Hello! stop 2004 2000
	// no API key for Anthropic: set the environment variable ANTHROPIC_API_KEY, or use --offline to run without a model
}
