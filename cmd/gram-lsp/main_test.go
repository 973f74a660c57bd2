package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
)

// bin is a folder for the server, which is built once.
var bin string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "gram-lsp-")
	if err != nil {
		panic(err)
	}
	bin = folder
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// built returns the path of the server.
func built(t *testing.T) string {
	t.Helper()
	file := filepath.Join(bin, "gram-lsp")
	if _, err := os.Stat(file); err == nil {
		return file
	}
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", file, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // the system's loader would open its libraries
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// talk has a session about a file, in which it asks for everything at three places,
// and returns what the server sends.
func talk(t *testing.T, rw io.ReadWriter, root, file, text string) string {
	t.Helper()
	uri := "file://" + file
	messages := []map[string]any{
		{"id": 0, "method": "initialize", "params": map[string]any{"processId": os.Getpid(), "rootUri": "file://" + root, "capabilities": struct{}{}}},
		{"method": "initialized", "params": struct{}{}},
		{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "gram", "version": 1, "text": text}}},
	}
	requests, err := os.ReadFile("../../internal/lsp/testdata/requests.txt")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, column := range []int{len(text) / 5, len(text) / 3, len(text) - 2} {
		for method := range strings.FieldsSeq(string(requests)) {
			asked++
			messages = append(messages, map[string]any{"id": asked, "method": method, "params": paramsAt(uri, column)})
		}
	}
	for _, m := range messages {
		send(t, rw, m)
	}
	sent, chunk := "", make([]byte, 64<<10)
	for id := 1; id <= asked; {
		if strings.Contains(sent, fmt.Sprintf(`"id":%d,`, id)) {
			id++
			continue
		}
		n, err := rw.Read(chunk)
		if sent += string(chunk[:n]); err != nil {
			t.Fatalf("%v after %s", err, sent)
		}
	}
	send(t, rw, map[string]any{"id": asked + 1, "method": "shutdown"})
	send(t, rw, map[string]any{"method": "exit"})
	return sent
}

// paramsAt returns parameters of any request about the first line of a file.
func paramsAt(uri string, column int) map[string]any {
	at, document := map[string]int{"line": 0, "character": column}, map[string]any{"uri": uri}
	here, next := map[string]any{"start": at, "end": at}, map[string]any{"start": at, "end": map[string]int{"line": 1}}
	return map[string]any{
		"textDocument": document, "position": at, "positions": []any{at}, "range": next,
		"newName": "Renamed", "ch": "\n", "query": "a", "options": map[string]any{"tabSize": 2, "insertSpaces": true},
		"context": map[string]any{"includeDeclaration": true, "triggerKind": 1}, "previousResultId": "1", "previousResultIds": []any{},
		"item": map[string]any{"name": "a", "kind": 5, "uri": uri, "range": here, "selectionRange": here}, "label": "a",
		"title": "apply all safe fixes", "kind": "source.fixAll.gram",
		"data": map[string]any{"uri": uri, "name": "a", "version": 1, "range": next, "offset": column},
	}
}

// send sends a message.
func send(t *testing.T, w io.Writer, message map[string]any) {
	t.Helper()
	content, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(w, "Content-Length: %d\r\n\r\n%s", len(content), content); err != nil {
		t.Fatal(err)
	}
}

// stdpipes are both ends of a process.
type stdpipes struct {
	io.Reader
	io.Writer
}

// write writes files below a folder.
func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheServerKeepsToItself watches the system calls of a session with requests
// of all kinds: none connects or executes, and no file outside of the folder is
// opened.
func TestTheServerKeepsToItself(t *testing.T) {
	strace := golden.Needs(t, "strace", "-f", "-o", os.DevNull, "true")
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(root, "inside")
	const main = `{import: ["./shared.gram", "../secret.gram", "../gone.gram"]} [a:Agent {model: "OpenAI/m"} | t]`
	write(t, root, map[string]string{
		"inside/main.gram": main, "inside/shared.gram": `[t:Tool {description: "d"} | (::Text)]`,
		"inside/library.gram": `[l:Library | [t:Command {run: ["touch", "ran"]}], [u:Http {url: "http://127.0.0.1:1/"}]]`,
		"secret.gram":         "[s:Tool {description: \"d\"} | (::Text)]", ".gitignore": "x",
	})
	server, calls := built(t), filepath.Join(t.TempDir(), "calls")
	cmd := exec.Command(strace, "-f", "-qq", "-e", "trace=execve,connect,socket,open,openat", "-o", calls, server)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	sent := talk(t, stdpipes{out, in}, inside, filepath.Join(inside, "main.gram"), main)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v", err)
	}
	if !strings.Contains(sent, "missing-instruction") {
		t.Errorf("the server sent %s", sent)
	}
	text, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	opened := regexp.MustCompile(`open(?:at)?\([^"]*"([^"]*)"`)
	seen := false
	for line := range strings.Lines(string(text)) {
		if match := opened.FindStringSubmatch(line); match != nil {
			path := match[1]
			seen = seen || path == filepath.Join(inside, "shared.gram")
			if !strings.HasPrefix(path, inside) && !strings.HasPrefix(path, "/sys/") && !strings.HasPrefix(path, "/proc/self/") {
				t.Errorf("opened: %s", line)
			}
		} else if !strings.Contains(line, `execve("`+server) && strings.Contains(line, "(") && !strings.Contains(line, "SIG") {
			t.Errorf("called: %s", line)
		}
	}
	if !seen {
		t.Errorf("strace saw nothing:\n%s", text)
	}
}

func TestListen(t *testing.T) {
	cmd := exec.Command(built(t), "--listen", "127.0.0.1:0")
	errors, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("interrupted: %v", err)
		}
	}()
	line, err := bufio.NewReader(errors).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimSpace(line[strings.LastIndex(line, " ")+1:]))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if sent := talk(t, conn, t.TempDir(), "/x.gram", "["); !strings.Contains(sent, "syntax") {
		t.Errorf("the server sent %s", sent)
	}
}

func TestVersion(t *testing.T) {
	out, err := exec.Command(built(t), "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "gram-lsp ") {
		t.Errorf("%q, %v", out, err)
	}
	if err := exec.Command(built(t), "run").Run(); err == nil {
		t.Error("a word that means nothing is accepted")
	}
}
