package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
)

// testServer is the path of a Temporal server for tests, which TestMain builds unless the variable
// GRAMC_TEMPORAL_SERVER has it.
var testServer = os.Getenv("GRAMC_TEMPORAL_SERVER")

func TestMain(m *testing.M) {
	if testServer != "" {
		os.Exit(m.Run())
	}
	folder, err := os.MkdirTemp("", "gram-worker-*")
	if err != nil {
		panic(err)
	}
	testServer = filepath.Join(folder, "testserver")
	build := exec.Command("go", "build", "-o", testServer, ".")
	build.Dir = filepath.Join("..", "..", "internal", "testserver")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the Temporal server for tests is not built: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// startTemporal starts a Temporal server, and sets the environment to it and to a store.
func startTemporal(t *testing.T) map[string]string {
	t.Helper()
	server := exec.Command(testServer)
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = server.Wait()
	})
	var address, namespace string
	if _, err := fmt.Fscan(out, &address, &namespace); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"TEMPORAL_ADDRESS": address, "TEMPORAL_NAMESPACE": namespace, "GRAM_STORE": filepath.Join(t.TempDir(), "store")}
}

// command runs a command line, and returns what it writes and its exit code.
func command(t *testing.T, variables map[string]string, args ...string) (out, problems string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	code = run(ctx, args, &cli{out: &stdout, err: &stderr, lookup: lookupIn(variables)})
	return stdout.String(), stderr.String(), code
}

func lookupIn(variables map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}
}

const agentFile = `[clerk:Agent {instruction: "Use the files.", model: "OpenAI/gpt-5.4-mini"} |
  [write_file:Tool {description: "Writes"} | (path::Text {description: "Where"})==>(content::Text {description: "What"})==>(::Any)]]
`

// A machine is one that serves.
type machine struct {
	t       *testing.T
	address string
	stop    func()
}

// serve begins to serve at a machine, which has a folder of its own.
func serve(t *testing.T, variables map[string]string, model string) *machine {
	t.Helper()
	folder := t.TempDir()
	library := fmt.Sprintf("[local:Library | [write_file:Builtin {root: %q}]]\n", folder)
	for name, text := range map[string]string{"clerk.gram": agentFile, "lib/lib.gram": library} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve", filepath.Join(folder, "clerk.gram"), "--library", filepath.Join(folder, "lib/lib.gram"),
			"--base-url", model, "--listen", "127.0.0.1:0", "--no-token", "--grace", "1s", "--name", "machine"}, &cli{out: io.Discard, err: write, lookup: lookupIn(variables)})
		_ = write.Close()
	}()
	found := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(read)
		for lines.Scan() {
			if at := regexp.MustCompile(`at (http://\S+)$`).FindStringSubmatch(lines.Text()); at != nil {
				found <- at[1]
			} else {
				t.Log(lines.Text())
			}
		}
		close(found)
	}()
	m := &machine{t: t, stop: sync.OnceFunc(func() {
		cancel()
		if code := <-ended; code != exitInterrupted {
			t.Errorf("serve ended with %d", code)
		}
	})}
	if m.address = <-found; m.address == "" {
		t.Fatal("it does not serve")
	}
	t.Cleanup(m.stop)
	return m
}

// do makes a request, and reads the response as JSON.
func (m *machine) do(method, path string, body, response any) int {
	m.t.Helper()
	text, _ := json.Marshal(body)
	r, err := http.NewRequestWithContext(m.t.Context(), method, m.address+path, bytes.NewReader(text))
	if err != nil {
		m.t.Fatal(err)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		m.t.Fatal(err)
	}
	defer got.Body.Close()
	if data, _ := io.ReadAll(got.Body); response != nil && got.StatusCode < 300 {
		if err := json.Unmarshal(data, response); err != nil {
			m.t.Fatalf("%s %s: %s", method, path, data)
		}
	}
	return got.StatusCode
}

// A seen is an event of a run, as clients see it.
type seen struct {
	Kind string
	Text string
	Run  *struct {
		Status  string
		Answer  string
		Live    bool
		Waiting *struct{ Call, Hash, Tool string }
	}
}

// follow returns the events of a run, until one is the last.
func (m *machine) follow(id string, last func(seen) bool) (all []seen) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, "GET", m.address+"/api/runs/"+id+"/events", nil)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		m.t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e seen
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			m.t.Fatal(err)
		}
		if all = append(all, e); last(e) {
			return all
		}
	}
	m.t.Fatalf("the events of %s ended after %+v: %v", id, all, lines.Err())
	return nil
}

func waits(e seen) bool { return e.Run != nil && e.Run.Waiting != nil }
func ended(e seen) bool { return e.Run != nil && !e.Run.Live }

// A fakeModel is one that writes a file if it is asked to, and else streams two pieces, the second
// when it may.
type fakeModel struct {
	*httptest.Server
	second chan struct{}
}

func newModel(t *testing.T) *fakeModel {
	m := &fakeModel{second: make(chan struct{}, 100)}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.Close)
	t.Setenv("OPENAI_API_KEY", "key-of-a-test")
	return m
}

func (m *fakeModel) serve(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Messages []struct{ Role, Content string }
	}
	_ = json.NewDecoder(r.Body).Decode(&q)
	last := q.Messages[len(q.Messages)-1]
	w.Header().Set("Content-Type", "text/event-stream")
	write := func(delta, finish string) {
		_, _ = fmt.Fprintf(w, "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, finish)
		w.(http.Flusher).Flush()
	}
	switch {
	case last.Role == "tool":
		write(`{"role":"assistant","content":"it is written"}`, `"stop"`)
	case strings.HasPrefix(last.Content, "write"):
		write(`{"role":"assistant","tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"write_file","arguments":"{\"path\":\"x.txt\",\"content\":\"x\"}"}}]}`, `"tool_calls"`)
	default:
		write(`{"role":"assistant","content":"Hello, "}`, "null")
		select {
		case <-m.second:
		case <-r.Context().Done():
			return
		}
		write(fmt.Sprintf(`{"content":"message %d"}`, len(q.Messages)), `"stop"`)
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// makerOf returns who made the last step of a run, as Temporal's UI names it.
func makerOf(t *testing.T, variables map[string]string, id string) (name string) {
	t.Helper()
	c, err := client.Dial(client.Options{HostPort: variables["TEMPORAL_ADDRESS"], Namespace: variables["TEMPORAL_NAMESPACE"]})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for all := c.GetWorkflowHistory(t.Context(), id, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT); all.HasNext(); {
		e, err := all.Next()
		if err != nil {
			t.Fatal(err)
		}
		if step := e.GetActivityTaskStartedEventAttributes(); step != nil {
			name = step.Identity
		}
	}
	return name
}

func TestServeOnTwoMachines(t *testing.T) {
	model := newModel(t)
	variables := startTemporal(t)
	one := serve(t, variables, model.URL)

	// The pieces of a response are seen before it is whole, where it is made.
	var begun struct{ ID, Session string }
	if status := one.do("POST", "/api/runs", map[string]string{"agent": "clerk", "message": "hello"}, &begun); status != 201 {
		t.Fatalf("begin: %d", status)
	}
	one.follow(begun.ID, func(e seen) bool { return (e.Kind == "partial" || e.Kind == "delta") && e.Text == "Hello, " })
	model.second <- struct{}{}
	all := one.follow(begun.ID, ended)
	if last := all[len(all)-1].Run; last.Status != "finished" || last.Answer != "Hello, message 2" {
		t.Errorf("it ended as %+v", last)
	}

	if got := makerOf(t, variables, begun.ID); got != "machine" {
		t.Errorf("Temporal names the machine %q", got)
	}

	// A conversation goes on at another machine, where the first one is seen.
	two := serve(t, variables, model.URL)
	var next struct{ ID, Session string }
	if status := two.do("POST", "/api/runs", map[string]string{"session": begun.Session, "message": "again"}, &next); status != 201 {
		t.Fatalf("the next message: %d", status)
	}
	model.second <- struct{}{}
	all = one.follow(next.ID, ended)
	if last := all[len(all)-1].Run; last.Status != "finished" || last.Answer != "Hello, message 4" {
		t.Errorf("the second message ended as %+v", last)
	}

	// A call waits; who follows at one machine learns what was decided at the other.
	if status := one.do("POST", "/api/runs", map[string]string{"agent": "clerk", "message": "write it"}, &begun); status != 201 {
		t.Fatalf("begin: %d", status)
	}
	all = two.follow(begun.ID, waits)
	w := all[len(all)-1].Run.Waiting
	decided := 0
	all = one.follow(begun.ID, func(e seen) bool {
		if waits(e) && decided == 0 {
			decided = two.do("POST", "/api/runs/"+begun.ID+"/decision", map[string]any{"call": w.Call, "hash": w.Hash, "allow": true}, nil)
		}
		return ended(e)
	})
	calls := 0
	for _, e := range all {
		if e.Kind == "call" || e.Kind == "result" {
			calls++
		}
	}
	if last := all[len(all)-1].Run; decided != 204 || calls != 2 || w.Tool != "write_file" || last.Answer != "it is written" {
		t.Errorf("decided: %d; it ended as %+v", decided, last)
	}
	if status := one.do("POST", "/api/runs/"+begun.ID+"/cancel", nil, nil); status != 409 {
		t.Errorf("what has ended is cancelled: %d", status)
	}

	// Clients of chat completions.
	model.second <- struct{}{}
	var answer struct {
		Choices []struct{ Message struct{ Content string } }
	}
	chat := map[string]any{"model": "clerk", "messages": []map[string]string{{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}}}
	if status := two.do("POST", "/v1/chat/completions", chat, &answer); status != 200 || len(answer.Choices) != 1 || answer.Choices[0].Message.Content != "Hello, message 4" {
		t.Errorf("chat: %d %+v", status, answer)
	}
}

func TestCommands(t *testing.T) {
	model := newModel(t)
	variables := startTemporal(t)
	m := serve(t, variables, model.URL)
	file := filepath.Join(t.TempDir(), "clerk.gram")
	if err := os.WriteFile(file, []byte(agentFile), 0o600); err != nil {
		t.Fatal(err)
	}
	out, problems, code := command(t, variables, "start", file, "--session", "ada", "--user", "local", "--follow", "write it")
	if out != "ada.1\n" || code != exitWaiting || !strings.Contains(problems, "clerk wants to call write_file with\n") || !strings.Contains(problems, "gram-worker approve ada.1") {
		t.Errorf("start: %d %q\n%s", code, out, problems)
	}
	listed := func(state string) string {
		for range 100 { // lists show a change after a moment
			out, _, _ = command(t, variables, "runs", "--user", "local")
			if strings.Contains(out, state) {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		return out
	}
	if out := listed("waiting"); !regexp.MustCompile(`(?m)^ada\.1 +clerk +local +\S+ \S+ +waiting +write it$`).MatchString(out) {
		t.Errorf("runs:\n%s", out)
	}
	if _, problems, code := command(t, variables, "start", file, "--session", "ada", "--user", "local", "next"); code != exitRun || !strings.Contains(problems, "not answered yet") {
		t.Errorf("a message while the run waits: %d %s", code, problems)
	}
	if _, problems, code := command(t, variables, "start", file, "--session", "ada", "--user", "bea", "next"); code != exitUsage || !strings.Contains(problems, "belongs to local") {
		t.Errorf("a message in the conversation of somebody else: %d %s", code, problems)
	}
	out, problems, code = command(t, variables, "approve", "ada.1", "--follow")
	if code != 0 || out != "it is written\n" || !strings.Contains(problems, "allowed\n") || !strings.Contains(problems, "🛠 write_file → ") {
		t.Errorf("approve: %d %q\n%s", code, out, problems)
	}
	if _, problems, code := command(t, variables, "approve", "ada.1"); code != exitUsage || !strings.Contains(problems, "no call of the run ada.1 waits") {
		t.Errorf("approve once more: %d %s", code, problems)
	}

	// The page has the run too.
	var state struct{ Status, Answer string }
	if status := m.do("GET", "/api/runs/ada.1", nil, &state); status != 200 || state.Status != "finished" || state.Answer != "it is written" {
		t.Errorf("the run on the page: %d %+v", status, state)
	}

	_, _, _ = command(t, variables, "start", file, "--session", "ada", "--user", "local", "write it again")
	out, _, code = command(t, variables, "follow", "ada.2")
	if code != exitWaiting || out != "" {
		t.Errorf("follow: %d %q", code, out)
	}
	if _, problems, code := command(t, variables, "deny", "ada.2", "--reason", "too early"); code != 0 || !strings.Contains(problems, "denied\n") {
		t.Errorf("deny: %d %s", code, problems)
	}
	if out, problems, code := command(t, variables, "follow", "ada.2"); code != 0 || out != "it is written\n" || !strings.Contains(problems, "🛠 write_file ✗ not allowed: too early\n") {
		t.Errorf("after the denial: %d %q %s", code, out, problems)
	}

	out, _, _ = command(t, variables, "start", file, "wait")
	id := strings.TrimSpace(out)
	if _, problems, code := command(t, variables, "cancel", id); code != 0 || problems != "cancelled\n" {
		t.Errorf("cancel: %d %s", code, problems)
	}
	if _, _, code := command(t, variables, "follow", id); code != exitRun {
		t.Errorf("a cancelled run: %d", code)
	}
	for _, test := range []struct {
		args string
		code int
		says string
	}{
		{"follow nobody", exitRun, "there is no such run"},
		{"cancel nobody", exitRun, "there is no such run"},
		{"approve", exitUsage, "name one run"},
		{"start " + file, exitUsage, "and then the message"},
		{"runs --store postgres://127.0.0.1:1/gram", exitRun, "the store: "},
		{"runs --temporal 127.0.0.1:1", exitRun, "the Temporal server at 127.0.0.1:1: "},
		{"runz", exitUsage, `no command "runz"`},
	} {
		if _, problems, code := command(t, variables, strings.Fields(test.args)...); code != test.code || !strings.Contains(problems, test.says) {
			t.Errorf("%s: %d %s", test.args, code, problems)
		}
	}
	if _, problems, code := command(t, nil, "runs"); code != exitUsage || !strings.Contains(problems, "name the store") {
		t.Errorf("no store: %d %s", code, problems)
	}
}
