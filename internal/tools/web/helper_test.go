package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

// serve starts a server on loopback and returns its URL and its host.
func serve(t *testing.T, handler http.HandlerFunc) (url, host string) {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL, strings.TrimPrefix(s.URL, "http://")
}

// answers returns a handler that always answers the same.
func answers(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Write([]byte(body))
	}
}

func made(t *testing.T, tool runtime.Tool, err error) runtime.Tool {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// bind binds a tool to a contract with this input schema; without one, that of
// the tool.
func bind(t *testing.T, tool runtime.Tool, input string) (runtime.Tool, error) {
	t.Helper()
	if input == "" {
		input = string(tool.Input())
	}
	lib, err := runtime.Library{}.Add(tool.Name(), tool)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := lib.Bind([]runtime.Contract{{Name: tool.Name(), Description: "Of the agent", Input: json.RawMessage(input)}}, nil)
	if err != nil {
		return runtime.Tool{}, err
	}
	return tools[0].Tool, nil
}

// call calls a tool as an agent does.
func call(t *testing.T, tool runtime.Tool, args string) (string, error) {
	t.Helper()
	bound, err := bind(t, tool, "")
	if err != nil {
		t.Fatal(err)
	}
	result, err := bound.Invoke(t.Context(), json.RawMessage(args), 0)
	return string(result), err
}

// wantToolError wants a failure of that kind that says all the words.
func wantToolError(t *testing.T, err error, kind runtime.ToolErrorKind, words ...string) {
	t.Helper()
	var failed *runtime.ToolError
	if !errors.As(err, &failed) || failed.Kind != kind {
		t.Errorf("got %v, want an error of kind %s that says %q", err, kind, words)
		return
	}
	for _, word := range words {
		if !strings.Contains(failed.Message, word) {
			t.Errorf("%q does not say %q", failed.Message, word)
		}
	}
}

// wantMisconfigured wants a configuration error that says all the words.
func wantMisconfigured(t *testing.T, err error, words ...string) {
	t.Helper()
	if !errors.Is(err, &runtime.Error{Kind: runtime.KindConfiguration}) {
		t.Errorf("got %v, want a configuration error that says %q", err, words)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
}
