//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"github.com/gram-lang/gramc/grammar"
)

// steers returns the first characters of a text that may steer a terminal.
func steers(text string) string {
	if i := strings.IndexFunc(text, func(r rune) bool {
		return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
	}); i >= 0 {
		return fmt.Sprintf("%q", text[max(0, i-20):min(len(text), i+20)])
	}
	return ""
}

// TestAHostileLockIsRefused binds and runs with lock files that somebody else
// wrote.
func TestAHostileLockIsRefused(t *testing.T) {
	dir := t.TempDir()
	agent, lock := filepath.Join(dir, "agent.gram"), filepath.Join(dir, "agent.gram.lock")
	const gram = `[a:Agent {instruction: "i", model: "OpenAI/m"} | [sayHello:Tool {description: "d"} | (personName::Text)==>(::Text)]]`
	if err := os.WriteFile(agent, []byte(gram), 0o600); err != nil {
		t.Fatal(err)
	}
	tool := func(name, description, input string) string {
		return fmt.Sprintf(`{"name":%s,"from":"\u001b[2Jgramc","description":%s,"input":%s,"sha256":{"description":"x","input":"y"}}`, name, description, input)
	}
	for name, text := range map[string]string{
		"nothing":    "",
		"no JSON":    "\x1b]0;title\x07{",
		"no UTF-8":   "{\"version\":1,\"tools\":\"\xff\xfe\"}",
		"escapes":    `{"version":1,"tools":[` + tool(`"sayHello"`, `"\u001b[31m\u202e\u009b2J"`, `{}`) + `]}`,
		"key":        `{"version":1,"tools":[],"\u001b[2J\u202e":1}`,
		"version":    `{"version":"\u001b[2J","tools":[]}`,
		"later":      `{"version":99,"tools":[]}`,
		"deep":       `{"version":1,"tools":[` + tool(`"sayHello"`, `"d"`, strings.Repeat(`{"not":`, 100_000)+"{}"+strings.Repeat("}", 100_000)) + `]}`,
		"many":       `{"version":1,"tools":[` + strings.Repeat(tool(`"x"`, `"d"`, `{}`)+",", 50_000) + tool(`"x"`, `"d"`, `{}`) + `]}`,
		"twice":      `{"version":1,"tools":[` + tool(`"sayHello"`, `"d"`, `{}`) + "," + tool(`"sayHello"`, `"d"`, `{}`) + `]}`,
		"null":       `{"version":1,"tools":null}`,
		"too large":  strings.Repeat(" ", grammar.MaxSize+1),
		"a pipe":     "FIFO",
		"a folder":   "DIR",
		"the device": "LINK",
	} {
		if err := os.RemoveAll(lock); err != nil {
			t.Fatal(err)
		}
		var err error
		switch text {
		case "FIFO":
			err = syscall.Mkfifo(lock, 0o600)
		case "DIR":
			err = os.Mkdir(lock, 0o700)
		case "LINK":
			err = os.Symlink("/dev/zero", lock)
		default:
			err = os.WriteFile(lock, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"bind", agent}, {"run", "--offline", agent, "hi"}} {
			code, stdout, stderr := gramc("", nil, args...)
			if code == exitFine && name != "null" || code == exitInternal { // null is a lock of no tools
				t.Errorf("%s, %s: exit code %d\n%.500s", name, args[0], code, stdout+stderr)
			}
			if bad := steers(stdout + stderr); bad != "" || len(stdout+stderr) > 100_000 {
				t.Errorf("%s, %s: %d bytes, %s", name, args[0], len(stdout+stderr), bad)
			}
		}
	}
}

// TestWhatToolsSayCannotSteerATerminal runs a tool and a model that try.
func TestWhatToolsSayCannotSteerATerminal(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"agent.gram":   `[a:Agent {instruction: "i", model: "OpenAI/m"} | [x:Tool {description: "d"} | (q::Text)==>(::Text)], [y:Tool {description: "d"} | ()==>(::Text)]]`,
		"library.gram": `[l:Library | [x:Command {shell: "printf 'a\\033[2J\\033]0;t\\007\\r\\302\\2332Jb\\342\\200\\256c\\nd'"}], [y:Command {shell: "printf '\\033[2Jno' >&2; exit 1"}]]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	model, err := newStub([]byte(`[{"tool_calls": [
		{"id": "1", "name": "x", "arguments": "{\"q\":\"\\u001b[2J\\u202e\"}"},
		{"id": "2", "name": "y", "arguments": "{}"},
		{"id": "3", "name": "\u001b[2J\u202ex", "arguments": "\u001b[2J"}]},
		{"content": "done\u001b[2J\u009b1A\u202e\r"}]`), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer model.close()
	cmd := exec.Command("gramc", "run", "--library", "library.gram", "--base-url", model.URL, "agent.gram", "hi")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "OPENAI_API_KEY=test")
	out, err := cmd.CombinedOutput()
	if bad := steers(string(out)); err != nil || bad != "" || strings.Count(string(out), `\x1b[2J`)+strings.Count(string(out), `\u001b[2J`) < 5 {
		t.Errorf("%v, %s:\n%s", err, bad, out)
	}
}
