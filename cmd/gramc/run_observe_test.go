package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
)

// TestRunsGoToACollector has one that takes them, one that is away, and none. A file .env
// asks for one in vain.
func TestRunsGoToACollector(t *testing.T) {
	var mu sync.Mutex
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, r.URL.Path+" "+r.Header.Get("Content-Type"))
	}))
	defer server.Close()
	away := httptest.NewServer(nil)
	away.Close()
	file := filepath.Join(t.TempDir(), "hello.gram")
	if err := os.WriteFile(file, []byte(helloAgent), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile(".env", []byte("OTEL_EXPORTER_OTLP_ENDPOINT="+server.URL+"\nOTEL_TRACES_EXPORTER=otlp\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for address, warns := range map[string]bool{server.URL: false, away.URL: true, "": false} {
		got = nil
		code, stdout, stderr := gramc("", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": address, "TRACEPARENT": "nonsense"}, "run", "--offline", "-q", file, "Hello", "Again")
		if code != 0 || strings.Count(stdout, "\n") != 2 {
			t.Errorf("%s: exit code %d, %s%s", address, code, stdout, stderr)
		}
		if warns != (strings.Count(stderr, "\n") == 1 && strings.HasPrefix(stderr, "warning: OpenTelemetry: ")) || !warns && stderr != "" {
			t.Errorf("%s: %s", address, stderr)
		}
		slices.Sort(got)
		want := []string{"/v1/metrics application/x-protobuf", "/v1/traces application/x-protobuf"}
		if (address == server.URL) != slices.Equal(got, want) {
			t.Errorf("%s: requests %v", address, got)
		}
	}
}

// TestTestsGoToACollector has the spans of tests and of a comparison, each with the name of
// its test, in the trace of the caller, with a tool that gets its place in it.
func TestTestsGoToACollector(t *testing.T) {
	golden.Needs(t, "sh")
	var mu sync.Mutex
	var spans []byte
	var passedOn []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == "/tool" {
			passedOn = append(passedOn, r.Header.Get("Traceparent"))
			io.WriteString(w, `"on its way"`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/v1/traces" {
			spans = append(spans, body...)
		}
	}))
	defer server.Close()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"agent.gram": `[clerk:Agent {instruction: "Find orders.", model: "OpenAI/gpt-5.4-mini"} | [find:Tool {description: "Finds"} | (id::Text)==>(::Text)]]`,
		"http.gram":  `[http:Library | [find:Http {url: "` + server.URL + `/tool", method: "POST", allowHosts: ["` + strings.TrimPrefix(server.URL, "http://") + `"]}]]`,
		"echo.gram":  `[echo:Library | [find:Command {run: ["echo", "lost"], output: text}]]`,
		"agent.test.gram": `{import: ["./agent.gram"]}
[parcel:Test {library: "./http.gram", model: offline} | [:User {text: "Find the order A-1"}], [:Expect {called: find}]]
[greeting:Test | [:User {text: "Hello"}], [:Model {text: "Hi"}], [:Expect {text: "Hi"}]]`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const caller = "0af7651916cd43dd8448eb211c80319c"
	for _, words := range [][]string{{"test"}, {"compare", "agent.gram", "--a", "http.gram", "--b", "echo.gram"}} {
		spans, passedOn = nil, nil
		env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL, "TRACEPARENT": "00-" + caller + "-b7ad6b7169203331-01", "PATH": os.Getenv("PATH")}
		if code, stdout, stderr := gramc("", env, words...); code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d, %s%s", words, code, stdout, stderr)
		}
		for _, want := range []string{"invoke_agent clerk", "test.case.name", "parcel", "greeting", "chat offline", "chat script", "execute_tool find", "\x0a\xf7\x65\x19\x16\xcd\x43\xdd"} {
			if !bytes.Contains(spans, []byte(want)) {
				t.Errorf("%s: %q is not sent", words, want)
			}
		}
		if len(passedOn) != 1 || !strings.HasPrefix(passedOn[0], "00-"+caller+"-") {
			t.Errorf("%s: the tool got %q", words, passedOn)
		}
		if bytes.Contains(spans, []byte("Find the order")) {
			t.Errorf("%s: content is sent, and nobody asked for it", words)
		}
	}
}
