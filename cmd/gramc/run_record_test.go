package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// recordFiles writes an agent and a library whose tool returns a secret, and starts a
// model that calls it.
func recordFiles(t *testing.T) (dir string, env map[string]string, requests *atomic.Int64) {
	t.Helper()
	dir, requests = t.TempDir(), new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"tool_call_id"`) {
			fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"The time is noon."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}`)
			return
		}
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"clock","arguments":"{\"zone\":\"UTC\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}`)
	}))
	t.Cleanup(s.Close)
	files := map[string]string{
		"agent.gram": `[clerk:Agent {instruction: "Tell the time.", model: "OpenAI/gpt-5.4-mini"} |
  [clock:Tool {description: "The time"} | (zone::Text)==>(::Text)]]`,
		"local.gram": `[local:Library | [clock:Command {run: ["printenv", "CLOCK_TOKEN"], env: {CLOCK_TOKEN: "${CLOCK_TOKEN}"}, output: text}]]`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir, map[string]string{"OPENAI_API_KEY": "sk-very-secret-key", "OPENAI_BASE_URL": s.URL, "CLOCK_TOKEN": "token-0123456789", "PATH": os.Getenv("PATH")}, requests
}

func TestARunIsRecordedAndReplayed(t *testing.T) {
	dir, env, requests := recordFiles(t)
	agent, lib, recording := filepath.Join(dir, "agent.gram"), filepath.Join(dir, "local.gram"), filepath.Join(dir, "noon.jsonl")
	if err := os.WriteFile(recording, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	const said = "What time is it? My key is sk-very-secret-key."
	code, stdout, stderr := gramc("", env, "run", "--library", lib, "--record", recording, "--record-tools", agent, said)
	if code != 0 || stdout != "The time is noon.\n" || requests.Load() != 2 {
		t.Fatalf("exit %d, %q, %q, %d requests", code, stdout, stderr, requests.Load())
	}
	text, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(recording)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of the recording is %v, %v", info.Mode(), err)
	}
	for _, secret := range []string{"sk-very-secret-key", "token-0123456789"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the recording holds %s:\n%s", secret, text)
		}
	}
	// Neither the key nor the library is needed any more; the secret in the message is.
	for _, replayEnv := range []map[string]string{env, {"OPENAI_API_KEY": "sk-very-secret-key"}} {
		code, stdout, stderr = gramc("", replayEnv, "run", "--library", lib, "--replay", recording, agent, said)
		if code != 0 || stdout != "The time is noon.\n" || requests.Load() != 2 || !strings.HasSuffix(stderr, "nothing was spent; the recording took 2 requests, 20 tokens, $0.000037\n") {
			t.Errorf("exit %d, %q, %q, %d requests", code, stdout, stderr, requests.Load())
		}
	}
	if code, stdout, _ := gramc("", env, "run", "--json", "--library", lib, "--replay", recording, agent, said); code != 0 || strings.Contains(stdout, `"spent"`) {
		t.Errorf("exit %d, %s", code, stdout)
	}
	changed := strings.ReplaceAll(string(mustRead(t, agent)), "Tell the time.", "Say the time.")
	if err := os.WriteFile(agent, []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	code, _, stderr = gramc("", env, "run", "--library", lib, "--replay", recording, agent, said)
	want := `ReplayError: this request is not in the recording; compared with request 1 of it, the instruction differs: it was "Tell the time.", and is "Say the time."`
	if code != exitRun || !strings.Contains(stderr, want) || requests.Load() != 2 {
		t.Errorf("exit %d, %q, %d requests", code, stderr, requests.Load())
	}
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRecordFlagsThatExcludeEachOther(t *testing.T) {
	dir, env, _ := recordFiles(t)
	agent := filepath.Join(dir, "agent.gram")
	for _, tt := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--record-tools"}, "--record-tools has no effect without --record FILE"},
		{[]string{"--record", "a", "--replay", "b"}, "--replay calls no model, so there is nothing for --record"},
		{[]string{"--replay", "b", "--offline"}, "--replay calls no model, so --offline and --base-url have no effect"},
		{[]string{"--record", ""}, "--record is empty"},
		{[]string{"--record", agent}, "would overwrite a file that is read"},
		{[]string{"--replay", filepath.Join(dir, "none")}, "none: no such file or directory"},
		{[]string{"--replay", agent}, "agent.gram: line 1: this is no recording of gramc"},
	} {
		if code, _, stderr := gramc("", env, append(append([]string{"run"}, tt.flags...), agent, "Hi")...); code != exitUsage || !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: exit %d, %q", tt.flags, code, stderr)
		}
	}
}
