package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/mcp"
)

// written writes files into a new folder and changes into it.
func written(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// mcpOverHTTP serves tools on loopback until the test ends, and returns the
// address.
func mcpOverHTTP(t *testing.T, tools ...runtime.Tool) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- mcp.ServeHTTP(ctx, l, mcp.ServeOptions{Name: "web", Version: "1", Tools: tools}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

func madeTool[In, Out any](t *testing.T, name, description string, fn func(context.Context, In) (Out, error)) runtime.Tool {
	t.Helper()
	tool, err := runtime.Func(name, description, fn)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// meeting returns a handler that answers when so many requests have come, so
// that it answers none of those that come one after another.
func meeting(guests int, answer http.Handler) http.Handler {
	var all sync.WaitGroup
	all.Add(guests)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all.Done()
		met := make(chan struct{})
		go func() { all.Wait(); close(met) }()
		select {
		case <-met:
			answer.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
}

// called is a call as the answers of run --json record it.
type called struct {
	Tool   string          `json:"tool_name"`
	Args   json.RawMessage `json:"args"`
	Result struct {
		Success json.RawMessage `json:"success"`
		Error   string          `json:"error"`
	} `json:"result"`
}

// outcomes reads the calls of the one answer that run --json wrote.
func outcomes(t *testing.T, stdout string) []string {
	t.Helper()
	var answer struct {
		Used []called `json:"tools_used"`
	}
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	var list []string
	for _, c := range answer.Used {
		list = append(list, c.Tool+" "+string(c.Result.Success)+c.Result.Error)
	}
	return list
}

const officeAgent = `
[clerk:Agent {instruction: "Use the tools.", model: "OpenAI/gpt-5.4-mini"} |
  [web_scraper:Tool {description: "Fetches and extracts text from web pages"} |
    (url::Text {format: uri})==>(selector::Text {optional: true, description: "CSS selector (optional)"})==>(::Any)],
  [calculator:Tool {description: "Reckons"} | (expression::Text {description: "Math"})==>(::Any)],
  [countWords:Tool {description: "Counts words"} | (text::Text)==>(::Int)],
  [s_weigh:Tool {description: "Weighs"} | (thing::Text)==>(::Any)],
  [lookUp:Tool {description: "Looks a word up"} | (word::Text)==>(::Any)]]
`

// officeLibrary is for the addresses of a web server and an MCP server.
const officeLibrary = `
[office:Library {timeout: 5s} |
  [web_scraper:Builtin {allowHosts: ["%[1]s"]}],
  [calculator:Builtin],
  [countWords:Command {run: ["sh", "-c", "printf '%%s' \"$1\" | wc -w", "sh", "{text}"]}],
  [scales:Mcp {command: ["gramc", "serve", "mcp", "scales.gram"], allow: [weigh], prefix: "s_"}],
  [words:Mcp {url: "http://%[2]s/mcp", allowHosts: ["%[2]s"], allow: [lookUp]}]]
`

const officeScales = `
[scales:Library | [weigh:Command {run: ["echo", "{thing} weighs 3 kg"], description: "Weighs"} | (thing::Text)==>(::Text)]]
`

func officeCall(id int, tool string, args map[string]string) stubUse {
	text, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return stubUse{ID: fmt.Sprintf("call_%d", id), Name: tool, Arguments: string(text)}
}

// TestAnAgentWithToolsOfEveryKind runs an agent whose model calls all its tools
// in one answer: the pages side by side, all results in the order of the calls.
func TestAnAgentWithToolsOfEveryKind(t *testing.T) {
	golden.Needs(t, "sh")
	pages := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<title>%s</title><p>Skip.</p><p class=main>The page %s.</p>", r.URL.Path, r.URL.Path)
	})
	web := httptest.NewServer(meeting(2, pages))
	defer web.Close()
	dictionary := mcpOverHTTP(t, madeTool(t, "lookUp", "Looks a word up",
		func(_ context.Context, in struct {
			Word string `json:"word"`
		}) (map[string]string, error) {
			if in.Word != "gram" {
				return nil, errors.New("there is no such word")
			}
			return map[string]string{"gram": "a unit of mass"}, nil
		}))
	written(t, map[string]string{
		"agent.gram": officeAgent, "scales.gram": officeScales,
		"library.gram": fmt.Sprintf(officeLibrary, web.Listener.Addr(), dictionary),
	})
	model := newOfficeModel(t, web.URL)
	defer model.close()
	code, stdout, stderr := gramc("", map[string]string{"OPENAI_API_KEY": "test"},
		"run", "--json", "--base-url", model.URL, "agent.gram", "--library", "library.gram", "Do it all")
	if code != exitFine || stderr != "" {
		t.Fatalf("exit code %d\n%s\n%s", code, stdout, stderr)
	}
	want := []string{
		`web_scraper {"text":"The page /one.","title":"/one"}`,
		`web_scraper {"text":"The page /two.","title":"/two"}`,
		`calculator {"result":0.3}`,
		`countWords 5`,
		`s_weigh "gold weighs 3 kg"`,
		`lookUp {"gram":"a unit of mass"}`,
		`lookUp there is no such word`,
	}
	if diff := cmp.Diff(want, outcomes(t, stdout)); diff != "" {
		t.Error(diff)
	}
	sameOrder(t, model.received()[1])
}

// newOfficeModel returns a model that calls the tools, and is done.
func newOfficeModel(t *testing.T, pages string) *stub {
	t.Helper()
	script, err := json.Marshal([]step{{ToolCalls: []stubUse{
		officeCall(1, "web_scraper", map[string]string{"url": pages + "/one", "selector": "p.main"}),
		officeCall(2, "web_scraper", map[string]string{"url": pages + "/two", "selector": "p.main"}),
		officeCall(3, "calculator", map[string]string{"expression": "0.1 + 0.2"}),
		officeCall(4, "countWords", map[string]string{"text": "; rm -rf $HOME *"}),
		officeCall(5, "s_weigh", map[string]string{"thing": "gold"}),
		officeCall(6, "lookUp", map[string]string{"word": "gram"}),
		officeCall(7, "lookUp", map[string]string{"word": "marg"}),
	}}, {Content: "done"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := newStub(script, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sameOrder expects in a request the results of the calls in their order.
func sameOrder(t *testing.T, request json.RawMessage) {
	t.Helper()
	var sent struct {
		Messages []struct {
			Role    string `json:"role"`
			CallID  string `json:"tool_call_id"`
			Content string `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(request, &sent); err != nil {
		t.Fatal(err)
	}
	results := sent.Messages[3:]
	for i, m := range results {
		if m.Role != "tool" || m.CallID != fmt.Sprintf("call_%d", i+1) {
			t.Errorf("message %d is %+v", i+3, m)
		}
	}
	if len(results) != 7 || results[6].Content != "Error: there is no such word" {
		t.Errorf("the results are %+v", results)
	}
}

// TestAServiceIsAsked sends what Http entries say, and nothing to a host that
// the library does not allow.
func TestAServiceIsAsked(t *testing.T) {
	type received struct{ Method, Target, Key, Body string }
	var got []received
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, received{r.Method, r.RequestURI, r.Header.Get("X-Key"), string(body)})
		if r.URL.Path == "/broken" {
			http.Error(w, "no luck with "+r.Header.Get("X-Key"), http.StatusBadGateway)
			return
		}
		io.WriteString(w, `{"data": [{"sky": "grey", "echo": "`+r.Header.Get("X-Key")+`"}]}`)
	}))
	defer service.Close()
	written(t, map[string]string{
		"agent.gram": `[a:Agent {instruction: "Work.", model: "OpenAI/gpt-5.4-mini"} |
			[weather:Tool {description: "d"} | (city::Text)==>(days::Int {default: 3})==>(::Object)],
			[order:Tool {description: "d"} | (id::Text)==>(count::Int)==>(::Any)],
			[broken:Tool {description: "d"} | ()==>(::Any)], [elsewhere:Tool {description: "d"} | ()==>(::Any)]]`,
		"library.gram": strings.ReplaceAll(`[l:Library |
			[weather:Http {url: "http://HOST/in/{city}?key=${KEY}", headers: {"X-Key": "${KEY}"}, result: "/data/0", allowHosts: ["HOST"]}],
			[order:Http {method: POST, url: "${BASE}/orders/{id}", allowHosts: ["HOST"]}],
			[broken:Http {url: "http://HOST/broken", headers: {"X-Key": "${KEY}"}, allowHosts: ["HOST"]}],
			[elsewhere:Http {url: "http://HOST/secret"}]]`, "HOST", service.Listener.Addr().String()),
	})
	model, err := newStub([]byte(`[{"tool_calls": [
		{"id": "1", "name": "weather", "arguments": "{\"city\": \"São Tomé/x?y\"}"},
		{"id": "2", "name": "order", "arguments": "{\"id\": \"A&B\", \"count\": 2}"},
		{"id": "3", "name": "broken", "arguments": "{}"}, {"id": "4", "name": "elsewhere", "arguments": "{}"}
	]}, {"content": "done"}]`), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer model.close()
	env := map[string]string{"OPENAI_API_KEY": "test", "KEY": "a+b&c%d-e", "BASE": service.URL}
	code, stdout, stderr := gramc("", env, "run", "--json", "--base-url", model.URL, "agent.gram", "--library", "library.gram", "--parallel", "1", "hi")
	if code != exitFine {
		t.Fatalf("exit code %d\n%s\n%s", code, stdout, stderr)
	}
	want := []received{
		{"GET", "/in/S%C3%A3o%20Tom%C3%A9%2Fx%3Fy?key=a%2Bb%26c%25d-e&days=3", "a+b&c%d-e", ""},
		{"POST", "/orders/A&B", "", `{"count":2}`},
		{"GET", "/broken", "a+b&c%d-e", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	calls := outcomes(t, stdout)
	if calls[0] != `weather {"sky":"grey","echo":"${KEY}"}` || !strings.Contains(calls[2], "no luck with ${KEY}") {
		t.Errorf("%q", calls)
	}
	if !strings.Contains(calls[3], "127.0.0.1") || strings.Contains(calls[3], "sky") {
		t.Errorf("a host that is not allowed: %s", calls[3])
	}
	if strings.Contains(stdout+stderr, "a+b&c%d-e") {
		t.Errorf("the key is shown: %s%s", stdout, stderr)
	}
}

// TestServeOverHTTP starts the command as its users do, and ends it with Ctrl-C.
func TestServeOverHTTP(t *testing.T) {
	golden.Needs(t, "sh")
	written(t, map[string]string{
		"scales.gram": officeScales,
		"agent.gram":  `[weigher:Agent {instruction: "Weigh.", model: "OpenAI/gpt-5.4-mini"} | [weigh:Tool {description: "Weighs"} | (thing::Text)==>(::Text)]]`,
	})
	cmd := exec.Command("gramc", "serve", "mcp", "scales.gram", "--listen", "127.0.0.1:0", "--agent-file", "agent.gram", "--agent", "weigher", "--offline")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stderr).ReadString('\n')
	address, found := strings.CutPrefix(strings.TrimSpace(line), "serving 2 tools at ")
	if !found {
		t.Fatalf("%q, %v", line, err)
	}
	host := strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/mcp")
	s, err := mcp.Connect(t.Context(), mcp.Server{Name: "scales", URL: address, ConnectTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	tools, refused, err := s.Tools()
	if err != nil || len(tools) != 2 || len(refused) != 0 {
		t.Fatalf("%d tools, %v, %v", len(tools), refused, err)
	}
	s.Close()
	for _, how := range [][]string{{"--mcp", address}, {"--mcp", "remote", "--library", "remote.gram"}} {
		remote := fmt.Sprintf(`[r:Library | [remote:Mcp {url: "%s", allowHosts: ["%s"]}]]`, address, host)
		if err := os.WriteFile(filepath.Join(".", "remote.gram"), []byte(remote), 0o666); err != nil {
			t.Fatal(err)
		}
		code, stdout, problems := gramc("", nil, append([]string{"import"}, how...)...)
		if code != exitFine || !strings.HasPrefix(stdout, `[weigh:Tool {description: "Weighs"} | (thing::Text)==>(::Any)]`) ||
			!strings.Contains(stdout, "[weigher:Tool {description: \"The agent weigher\"}") {
			t.Errorf("%q: exit code %d\n%s%s", how, code, stdout, problems)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("it ended with %v", err)
	}
}
