package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAttachedFilesAreSentWithTheFirstMessage(t *testing.T) {
	var requests []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests = append(requests, string(body))
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"A cat."},"finish_reason":"stop"}]}`)
	}))
	defer s.Close()
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	agent := write("agent.gram", `[looker:Agent {description: "Looks", instruction: "Look.", model: "OpenAI/gpt-4o-mini"}]`)
	cat, notes, archive, trace := write("cat.png", "\x89PNG\r\n\x1a\n"), write("notes.md", "# Cats"), write("a.zip", "PK\x03\x04\x00"), filepath.Join(dir, "trace.jsonl")
	env := map[string]string{"OPENAI_API_KEY": "test-key-1"}
	code, stdout, stderr := gramc("", env, "run", agent, "--base-url", s.URL+"/v1", "--attach", cat, "--attach", notes, "--trace", trace, "What?", "And now?")
	if code != 0 || stdout != "A cat.\nA cat.\n" || len(requests) != 2 {
		t.Fatalf("exit %d, %q, %q, %d requests", code, stdout, stderr, len(requests))
	}
	const content = `{"content":[{"image_url":{"url":"data:image/png;base64,iVBORw0KGgo="},"type":"image_url"},` +
		`{"text":"The file notes.md:\n\n# Cats","type":"text"},{"text":"What?","type":"text"}],"role":"user"}`
	for i, request := range requests {
		if strings.Count(request, content) != 1 || strings.Count(request, "image_url") != 2 {
			t.Errorf("request %d is %s", i, request)
		}
	}
	if text, err := os.ReadFile(trace); err != nil || strings.Count(string(text), `"attached":["cat.png","notes.md"]`) != 1 {
		t.Errorf("trace %s, %v", text, err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--attach", archive}, "a.zip: is neither an image, a PDF, sound, video nor a text in UTF-8"},
		{[]string{"--attach", filepath.Join(dir, "missing")}, "missing: no such file"},
		{[]string{"--attach", cat, "--model", "OpenAI/o3-mini"}, "cat.png: the model o3-mini takes no images"},
		{[]string{"--attach", cat, "--offline"}, "--attach has no effect"},
		{[]string{"--attach", cat, "--trace", cat}, "cat.png"},
	} {
		code, stdout, stderr := gramc("", env, append([]string{"run", agent, "--base-url", s.URL + "/v1", "hi"}, test.args...)...)
		if test.args[len(test.args)-1] == "--offline" {
			code, stdout, stderr = gramc("", env, append([]string{"run", agent, "hi"}, test.args...)...)
		}
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, test.want) {
			t.Errorf("%q: exit %d, %q, %q", test.args, code, stdout, stderr)
		}
	}
	if len(requests) != 2 {
		t.Errorf("%d requests", len(requests))
	}
}
