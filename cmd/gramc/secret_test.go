//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
)

// secretLibrary has tools that print ${SECRET} in every way; ADDRESS is a server
// that sends back the headers that it gets.
const secretLibrary = `[local:Library {approve: allow} |
  [tell:Command {shell: "printf '%s' \"$K\"", env: {K: "${SECRET}"}}],
  [fail:Command {run: ["sh", "-c", "printf '%s' \"$1\" >&2; exit 3", "x", "${SECRET}"]}],
  [echo:Http {url: "http://ADDRESS/x?key=${SECRET}", headers: {Authorization: "Bearer ${SECRET}"}, allowHosts: ["ADDRESS"]}],
  [s:Mcp {command: ["sh", "./server.sh"], env: {K: "${SECRET}"}, allow: ["say"]}]]
`

// secretServer is an MCP server in a few lines. It sends its secret in the
// description and the schema of its tool, and in the result.
const secretServer = `while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  case $line in
    *'"initialize"'*) r='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) r='{"tools":[{"name":"say","description":"Says '$K'","inputSchema":{"type":"object","properties":{"a":{"type":"string","description":"'$K'"}}}}]}' ;;
    *'"tools/call"'*) r='{"content":[{"type":"text","text":"it is '$K'"}]}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$r"
done
`

const secretAgent = `[a:Agent {instruction: "i", model: "OpenAI/m"} | TOOLS]
[tell:Tool {description: "d"} | ()==>(::Text)]
[fail:Tool {description: "d"} | ()==>(::Text)]
[echo:Tool {description: "d"} | ()==>(::Text)]
[say:Tool {description: "Says ${SECRET}"} | (a::Text {optional: true, description: "${SECRET}"})==>(::Text)]
`

// TestNoOutputTellsASecret looks for a secret of a library in everything that
// the commands write: both streams, files, and requests to the model.
func TestNoOutputTellsASecret(t *testing.T) {
	golden.Needs(t, "sh")
	const secret = "s3cr3t-Value/+=%41~x"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte(r.RequestURI + " " + r.Header.Get("Authorization")))
	}))
	defer server.Close()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"library.gram": strings.ReplaceAll(secretLibrary, "ADDRESS", server.Listener.Addr().String()),
		"server.sh":    secretServer,
		"agent.gram":   strings.Replace(secretAgent, "TOOLS", "tell, fail, echo, say", 1),
		"other.gram":   strings.Replace(strings.Replace(secretAgent, "TOOLS", "say", 1), "Says ${SECRET}", "Says", 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const script = `[{"tool_calls": [{"id": "1", "name": "tell", "arguments": "{}"}, {"id": "2", "name": "fail", "arguments": "{}"},
		{"id": "3", "name": "echo", "arguments": "{}"}, {"id": "4", "name": "say", "arguments": "{}"}]}, {"content": "done"}]`
	var model *stub
	prints := func(want string, stdin string, args ...string) {
		t.Helper()
		cmd := exec.Command("gramc", args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "SECRET="+secret, "OPENAI_API_KEY=test", "OPENAI_BASE_URL="+model.URL)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		_ = cmd.Run()
		all := stdout.String() + stderr.String()
		if !strings.Contains(all, want) {
			t.Errorf("gramc %s does not print %q:\n%s", strings.Join(args, " "), want, all)
		}
		hides(t, "gramc "+strings.Join(args, " "), all, secret)
	}
	for _, args := range [][]string{
		{"run", "--library", "library.gram", "agent.gram", "hi"},
		{"run", "--json", "--trace", "trace.jsonl", "--library", "library.gram", "agent.gram", "hi"},
		{"run", "--json", "--fail-on-tool-error", "--library", "library.gram", "agent.gram", "hi"},
	} {
		var err error
		if model, err = newStub([]byte(script), nil); err != nil {
			t.Fatal(err)
		}
		prints("${SECRET}", "", args...)
		for _, request := range model.received() {
			hides(t, "a request to the model", string(request), secret)
		}
		model.close()
	}
	prints("ok     say", "", "bind", "--library", "library.gram", "agent.gram")
	prints("${SECRET}", "", "bind", "--library", "library.gram", "other.gram")
	prints("${SECRET}", "", "bind", "--json", "--library", "library.gram", "other.gram")
	prints("4 tools", "", "lock", "--library", "library.gram", "agent.gram")
	prints("${SECRET}", "", "import", "--library", "library.gram", "--mcp", "s")
	cmd := exec.Command("gramc", "serve", "mcp", "library.gram", "--agent-file", "agent.gram")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "SECRET="+secret)
	for _, answer := range served(t, cmd,
		`"tools/list"`, `"tools/call","params":{"name":"say","arguments":{}}`, `"tools/call","params":{"name":"tell","arguments":{}}`,
		`"tools/call","params":{"name":"fail","arguments":{}}`, `"tools/call","params":{"name":"echo","arguments":{}}`) {
		if hides(t, "serve", answer, secret); !strings.Contains(answer, "${SECRET}") {
			t.Errorf("it does not send ${SECRET}: %s", answer)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 6 {
		t.Errorf("files %q, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		hides(t, file, string(text), secret)
	}
}

// served asks a server and returns its answers.
func served(t *testing.T, cmd *exec.Cmd, questions ...string) []string {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	ask := func(id int, question string) string {
		_, _ = fmt.Fprintf(stdin, `{"jsonrpc":"2.0","id":%d,"method":%s}`+"\n", id, question)
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("%v: %s%s", err, line, stderr.String())
		}
		return line
	}
	ask(0, `"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	_, _ = io.WriteString(stdin, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	var answers []string
	for i, question := range questions {
		answers = append(answers, ask(i+1, question))
	}
	_ = stdin.Close()
	_ = cmd.Wait() // the end of its input is the end
	if stderr.Len() > 0 {
		t.Errorf("it says %s", stderr.String())
	}
	return answers
}

func TestServedToolsAreRefusedWithoutApproval(t *testing.T) {
	const library = `[l:Library |
  [ask:Command {description: "d", shell: "echo done", approve: ask} | (q::Text)==>(::Text), (:Allow {q: "good*"})],
  [deny:Command {description: "d", shell: "echo done", approve: deny} | (q::Text)==>(::Text)]]`
	file := filepath.Join(t.TempDir(), "library.gram")
	if err := os.WriteFile(file, []byte(library), 0o600); err != nil {
		t.Fatal(err)
	}
	call := func(tool, q string) string {
		return fmt.Sprintf(`"tools/call","params":{"name":%q,"arguments":{"q":%q}}`, tool, q)
	}
	for _, tt := range []struct {
		flags []string
		want  []bool
	}{
		{nil, []bool{false, true, false}},
		{[]string{"--approve", "other"}, []bool{false, true, false}},
		{[]string{"--approve", "ask"}, []bool{true, true, false}},
		{[]string{"--approve", "all"}, []bool{true, true, false}},
	} {
		cmd := exec.Command("gramc", append([]string{"serve", "mcp", file}, tt.flags...)...)
		for i, answer := range served(t, cmd, call("ask", "bad"), call("ask", "good one"), call("deny", "x")) {
			if done := strings.Contains(answer, `"text":"done"`); done != tt.want[i] || !done && !strings.Contains(answer, "needs an approval that the server was not given") {
				t.Errorf("%q, call %d: %s", tt.flags, i, answer)
			}
		}
	}
}

// hides fails when a text holds a secret.
func hides(t *testing.T, what, text, secret string) {
	t.Helper()
	quoted, _ := json.Marshal(secret)
	for _, form := range []string{
		secret, strings.Trim(string(quoted), `"`), strings.ReplaceAll(secret, "/", `\/`), url.QueryEscape(secret), url.PathEscape(secret),
		base64.StdEncoding.EncodeToString([]byte(secret))[:20], "s3cr3t", "Value",
	} {
		if strings.Contains(text, form) {
			t.Errorf("%s holds %s:\n%s", what, form, text)
		}
	}
}
