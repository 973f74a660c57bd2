package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDoctor looks at a project with a key in .env, a server of this machine and a
// library that lacks a program, and then at what is missing without the key.
func TestDoctor(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "" {
			t.Errorf("%s, %v", r.URL, r.Header)
		}
		fmt.Fprint(w, `{"data": [{"id": "llama3.2"}, {"id": "qwen3"}]}`)
	}))
	defer server.Close()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		".env":         "OPENAI_API_KEY=sk-this-must-not-be-shown\n",
		"agent.gram":   "[a:Agent {instruction: \"i\", model: \"OpenAI/gpt-5.4-mini\"} | [t:Tool {description: \"d\"} | ()==>(::Text)]]\n",
		"library.gram": "[l:Library | [t:Command {run: [\"no-such-program\"]}]]\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"OLLAMA_BASE_URL": server.URL + "/v1", "VLLM_BASE_URL": "http://192.0.2.1/v1"}
	find := func(want int, flags ...string) (found []readiness) {
		t.Helper()
		code, stdout, stderr := gramc("", env, append([]string{"doctor", "--json"}, flags...)...)
		if code != want || stderr != "" || strings.Contains(stdout, "must-not") {
			t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
		}
		if err := json.Unmarshal([]byte(stdout), &found); err != nil {
			t.Fatal(err)
		}
		return found
	}
	expect := func(found []readiness, about, name string, want state, note string) {
		t.Helper()
		for _, r := range found {
			if r.About == about && r.Name == name && r.State == want && strings.Contains(r.Note, note) {
				return
			}
		}
		t.Errorf("no %s of %s %s: %s\n%+v", want, about, name, note, found)
	}

	found := find(exitProblems)
	expect(found, "models", "OpenAI", stateReady, "OPENAI_API_KEY is set in the file .env")
	expect(found, "models", "Anthropic", stateUnused, "no key in ANTHROPIC_API_KEY")
	expect(found, "models", "Ollama", stateReady, "2 models at "+server.URL+"/v1: llama3.2, qwen3")
	expect(found, "models", "vLLM", stateUnused, "is not asked")
	expect(found, "libraries", "l in library.gram", stateMissing, `"no-such-program"`)
	expect(found, "agents", "a", stateReady, "OpenAI/gpt-5.4-mini")
	expect(found, "files", ".", stateReady, "2 gram files, no errors")

	if err := os.Remove(".env"); err != nil {
		t.Fatal(err)
	}
	expect(find(exitProblems), "agents", "a", stateMissing, "has no key")
	if err := os.Remove("library.gram"); err != nil {
		t.Fatal(err)
	}
	env["OPENAI_API_KEY"] = "sk-this-must-not-be-shown"
	expect(find(exitFine), "models", "OpenAI", stateReady, "is set in the environment")

	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("work.gram", `[work:Provider {address: "http://192.0.2.1/v1"}]`)
	write("agent.gram", `[a:Agent {instruction: "i", models: ["OpenAI/gpt-5.4-mini", "Anthropic/claude-haiku-4-5"]}]`)
	expect(find(exitProblems, "--providers", "work.gram"), "models", "work", stateUnused, "http://192.0.2.1/v1 is not of this machine and is not asked")
	expect(find(exitProblems), "agents", "a", stateMissing, "Anthropic/claude-haiku-4-5 has no key")
	env["ANTHROPIC_API_KEY"] = "sk-this-must-not-be-shown"
	expect(find(exitFine), "agents", "a", stateReady, "OpenAI/gpt-5.4-mini")
	delete(env, "ANTHROPIC_API_KEY")
	write("agent.gram", `[a:Agent {instruction: "i", model: "OpenAI/gpt-5.4-mini"}]`)

	code, stdout, _ := gramc("", env, "doctor")
	if code != exitFine || !strings.Contains(stdout, "  ok     OpenAI: ") || strings.Count(stdout, "not set up: Anthropic, ") != 1 {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

func TestDoctorOfNoFolder(t *testing.T) {
	code, stdout, _ := gramc("", nil, "doctor", filepath.Join(t.TempDir(), "none"))
	if code != exitProblems || !strings.Contains(stdout, "no such file") || strings.Contains(stdout, "no errors") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}
