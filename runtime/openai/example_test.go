package openai_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/openai"
)

func Example() {
	// A local server instead of the provider.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"Hello!"},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()

	m, err := openai.New(openai.Options{Provider: "OpenAI", BaseURL: server.URL, APIKey: "any text"})
	if err != nil {
		fmt.Println(err)
		return
	}
	response, err := m.Generate(context.Background(), &runtime.Request{
		Model:    "gpt-4o-mini",
		Messages: []runtime.Message{runtime.UserMessage("Say hello")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Content, response.Finish)

	_, err = openai.New(openai.Options{Provider: "Google"})
	fmt.Println(err)
	// Output:
	// Hello! stop
	// no API key for Google: set the environment variable GOOGLE_API_KEY or GEMINI_API_KEY, or use --offline to run without a model
}
