package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/mcp"
)

// server returns how to start the test binary in a part.
func server(t testing.TB, role string) mcp.Server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "pid")
	t.Cleanup(func() {
		for _, f := range []string{file, file + ".child"} {
			text, err := os.ReadFile(f)
			if err != nil {
				continue
			}
			pid, err := strconv.Atoi(string(text))
			if err != nil {
				t.Errorf("the server did not send the id of its process: %v", err)
			}
			ended(t, pid)
		}
	})
	return mcp.Server{
		Name: "fake", Command: []string{self}, ConnectTimeout: 20 * time.Second,
		Env: []string{part + "=" + role, "PID_FILE=" + file, "GORACE=atexit_sleep_ms=0"},
	}
}

// ended waits for the end of a process, and fails when it does not come.
func ended(t testing.TB, pid int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); alive(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
			t.Errorf("process %d is still there", pid)
			return
		}
	}
}

func connect(t testing.TB, c mcp.Server) *mcp.Session {
	t.Helper()
	s, err := mcp.Connect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closed(t, s) })
	return s
}

// closed closes a session. No fake server ends by itself in the time that it may
// take.
func closed(t testing.TB, s *mcp.Session) {
	t.Helper()
	start := time.Now()
	s.Close()
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("Close took %v", took)
	}
}

// named returns a tool of a session.
func named(t testing.TB, s *mcp.Session, name string) mcp.Tool {
	t.Helper()
	tools, refused, err := s.Tools()
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools {
		if tool.Name() == name {
			return tool
		}
	}
	t.Fatalf("there is no tool %s; refused are %v", name, refused)
	return mcp.Tool{}
}

// invoke calls a tool and returns what the model would get.
func invoke(ctx context.Context, tool runtime.Tool, args string) string {
	limit := 10 * time.Second
	if strings.Contains(args, "hangs") {
		limit = 500 * time.Millisecond
	}
	result, err := tool.Invoke(ctx, json.RawMessage(args), limit)
	var failed *runtime.ToolError
	if errors.As(err, &failed) {
		return string(failed.Kind) + ": " + failed.Message
	}
	return string(result)
}

func TestFaultsAtConnect(t *testing.T) {
	for _, tt := range []struct {
		fault   string
		timeout time.Duration
		want    string
	}{
		{"exits", 0, "it ended with exit code 3: cannot open the database"},
		{"exits-happily", 0, "it ended"},
		{"usage", 0, `it ended with exit code 2; it wrote to stdout, which is not an MCP message: "usage: server FOLDER"`},
		{"silent", 300 * time.Millisecond, "it did not respond within 300ms"},
		{"silent-but-loud", 3 * time.Second, "it did not respond within 3s; it wrote to stderr: waiting for the license server"},
		{"wrong-ids", 300 * time.Millisecond, "it did not respond within 300ms"},
		{"closes-stdout", 0, "it closed its stdout"},
		{"noise-flood", 0, `it wrote more than 1048576 bytes to stdout that are not messages, for example "Debugger attached. Waiting for the debugger.", and was stopped`},
		{"endless-line", 0, "it sent a message of more than 8388608 bytes and was stopped"},
		{"no-handshake", 0, `calling "initialize": no license`},
		{"old-version", 0, `unsupported protocol version: "1999-12-31"`},
		{"cut-message", 0, "it sent a message that cannot be read and was stopped: "},
		{"dies-in-list", 0, "it ended with exit code 7: panic: list"},
		{"no-list", 0, `calling "tools/list": the index is broken`},
		{"hangs-in-list", 300 * time.Millisecond, "it did not respond within 300ms"},
		{"list-of-numbers", 0, `calling "tools/list": `},
		{"endless-cursor", 0, "its list of tools has more than 32 pages"},
		{"very-deep", 0, "it sent a message that cannot be read and was stopped: "},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			c := server(t, tt.fault)
			if tt.timeout > 0 {
				c.ConnectTimeout = tt.timeout
			}
			s, err := mcp.Connect(t.Context(), c)
			if err == nil {
				s.Close()
				t.Fatal("it connected")
			}
			if !strings.HasPrefix(err.Error(), `MCP server "fake": `+tt.want) || len(err.Error()) > 1000 {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestOddServersThatWork(t *testing.T) {
	for _, fault := range []string{"", "noise", "text-ids", "answers-twice", "later-handshake", "stubborn"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			s := connect(t, server(t, "odd-"+fault)) // a part that is not known does nothing wrong
			if fault != "" {
				s = connect(t, server(t, fault))
			}
			if got := invoke(t.Context(), named(t, s, "echo").Tool, `{"z":"wants-input"}`); fault == "later-handshake" && !strings.HasSuffix(got, "client does not support elicitation") {
				t.Errorf("got %s", got)
			}
			if got := invoke(t.Context(), named(t, s, "echo").Tool, `{"z":"x"}`); got != `"{\"z\":\"x\"}"` {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestFaultsOfCalls(t *testing.T) {
	for _, tt := range []struct{ fault, want string }{
		{"dies", `execution: MCP server "fake": it ended with exit code 9: panic: out of memory`},
		{"hangs", "timeout: timed out after 500ms; whether the call had an effect is unknown"},
		{"hangs-deaf", "timeout: timed out after 500ms; whether the call had an effect is unknown"},
		{"closes", `execution: MCP server "fake": it closed its stdout`},
		{"huge", `execution: MCP server "fake": it sent a message of more than 8388608 bytes and was stopped`},
		{"deep-result", `execution: MCP server "fake": it sent a message that cannot be read and was stopped: `},
		{"fails", "execution: no such file"},
		{"fails-mutely", "execution: the tool failed without a message"},
		{"error", `execution: MCP server "fake": quota exceeded`},
		{"invalid", `validation: MCP server "fake": z is wanted`},
		{"pictures", `"see\n[image image/png, 4 bytes left out]\n[audio audio/wav, 3 bytes left out]\n[link to file:///x]\ninside\n[resource application/pdf, 3 bytes left out]"`},
		{"strange-content", `execution: MCP server "fake": `},
		{"no-content", `""`},
		{"only-structured", `{"b":12345678901234567890,"a":1.10}`},
		{"number", `"{}"`},
		{"floods", `"after the flood"`},
		{"questions", `execution: MCP server "fake": it sent more than 64 requests without waiting for a response and was stopped`},
		{"asks", `"{}\nping: {}\nsampling/createMessage: refused\nelicitation/create: refused\nroots/list: `},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			s := connect(t, server(t, "fine"))
			echo := named(t, s, "echo").Tool
			got := invoke(t.Context(), echo, `{"z":`+quote(tt.fault)+`}`)
			if !strings.HasPrefix(got, tt.want) || len(got) > 1000 {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if tt.fault == "hangs-deaf" {
				return
			}
			if again := invoke(t.Context(), echo, `{}`); again != `"{}"` { // of a new process, where the first one ended
				t.Errorf("the next call got %s", again)
			}
		})
	}
}

func TestALargeResultArrives(t *testing.T) {
	s := connect(t, server(t, "fine"))
	if got := invoke(t.Context(), named(t, s, "echo").Tool, `{"z":"large"}`); len(got) != 1<<20+2 {
		t.Errorf("got %d bytes", len(got))
	}
}

func TestADeafServerKeepsNobodyWaiting(t *testing.T) {
	s := connect(t, server(t, "fine"))
	echo := named(t, s, "echo").Tool
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, _ = echo.Invoke(ctx, json.RawMessage(`{"z":"hangs-deaf"}`), time.Minute)
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			args := json.RawMessage(`{"a":` + quote(strings.Repeat("x", 900000)) + `}`)
			if _, err := echo.Invoke(t.Context(), args, 300*time.Millisecond); err == nil {
				t.Error("it heard")
			}
		})
	}
	calls.Wait()
}

func TestStructuredResults(t *testing.T) {
	s := connect(t, server(t, "structured"))
	echo := named(t, s, "echo").Tool
	for fault, want := range map[string]string{
		"number":         `{"n":9007199254740993}`,
		"number-as-text": `{"n": 5}`,
		"no-number":      `validation: MCP server "fake" responded with text where JSON is expected: "five"`,
		"wrong-number":   `validation: invalid result: `,
	} {
		if got := invoke(t.Context(), echo, `{"z":`+quote(fault)+`}`); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", fault, got, want)
		}
	}
}

func TestAContractMayWantMoreThanText(t *testing.T) {
	s := connect(t, server(t, "fine"))
	echo := named(t, s, "echo")
	lib, err := runtime.Library{}.Add("echo", echo.Tool)
	if err != nil {
		t.Fatal(err)
	}
	for output, want := range map[string]string{
		`{"type":"object"}`:               `{"a":"five"}`,
		`{"type":"string","minLength":3}`: `"{\"a\":\"five\"}"`,
		`{"type":"integer"}`:              `validation: invalid result: `,
	} {
		c := runtime.Contract{Name: "echo", Description: "Says it again", Input: echo.Input(), Output: json.RawMessage(output)}
		tools, err := lib.Bind([]runtime.Contract{c}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := invoke(t.Context(), tools[0].Tool, `{"a":"five"}`); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", output, got, want)
		}
	}
}

func TestTheServerKnowsNoSecrets(t *testing.T) {
	t.Setenv("GRAMC_TEST_SECRET", "hunter2")
	s := connect(t, server(t, "fine"))
	got := invoke(t.Context(), named(t, s, "echo").Tool, `{"z":"environment"}`)
	if strings.Contains(got, "hunter2") || !strings.Contains(got, "PATH=") || !strings.Contains(got, part) {
		t.Errorf("got %s", got)
	}
}

// TestServersGetTheTraceContext has the members of "_meta" that the specification names.
func TestServersGetTheTraceContext(t *testing.T) {
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	tool := named(t, connect(t, server(t, "fine")), "echo").Tool
	ctx := runtime.WithTraceContext(t.Context(), runtime.TraceContext{Parent: parent, State: "a=b"})
	if got := invoke(ctx, tool, `{"z":"meta"}`); !strings.Contains(got, `\"traceparent\":\"`+parent) || !strings.Contains(got, `\"tracestate\":\"a=b`) {
		t.Errorf("got %s", got)
	}
	if got := invoke(t.Context(), tool, `{"z":"meta"}`); strings.Contains(got, "traceparent") {
		t.Errorf("got %s", got)
	}
}

func TestToolsThatAreNotTaken(t *testing.T) {
	long := strings.Repeat("n", 64)
	for _, tt := range []struct {
		fault string
		taken string
		want  []string
	}{
		{"names", "echo get_sum a_b_c " + long + " _______", []string{
			"echo: the server has two tools of this name; the first is taken",
			": it has no name",
			"get_sum: the server has two tools of this name; the first is taken",
		}},
		{"schemas", "none bare fine", []string{
			"deep: its input schema is nested deeper than 64", "large: its input schema has 70034 bytes, more than 65536",
			`array: input schema: its type must be "object"`, "broken: input schema: ", "outside: input schema: ", "bad-output: output schema: ",
		}},
		{"hidden-text", "emoji", []string{
			"tags: its description contains the invisible character U+E0041, which can hide text from people",
			"turned: its description contains the invisible character U+202E", "escape: its description contains the invisible character U+001B",
			"zero-width: its description contains the invisible character U+200B", "joiners: its description contains the invisible character U+200D",
			"parameter: its input schema contains the invisible character U+2066", "key: its input schema contains the invisible character U+200B",
		}},
		{"pages", "page0 page1 page2 page3 page4", nil},
		{"null-list", "", []string{": it has no name"}},
		{"task", "", []string{"echo: it runs as a task alone, and tasks are not supported"}},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			tools, refused, err := connect(t, server(t, tt.fault)).Tools()
			if err != nil {
				t.Fatal(err)
			}
			var taken []string
			for _, tool := range tools {
				taken = append(taken, tool.Name())
			}
			if got := strings.Join(taken, " "); got != tt.taken {
				t.Errorf("taken are %s, want %s", got, tt.taken)
			}
			if len(refused) != len(tt.want) {
				t.Fatalf("refused are %v", refused)
			}
			for i, r := range refused {
				if got := r.Tool + ": " + r.Reason; !strings.HasPrefix(got, tt.want[i]) {
					t.Errorf("got  %s\nwant %s", got, tt.want[i])
				}
			}
		})
	}
}

func TestAllowAndPrefix(t *testing.T) {
	c := server(t, "many-tools")
	s := connect(t, c)
	if _, _, err := s.Tools(); err == nil || err.Error() != `MCP server "fake": it offers 81 tools, more than 64; list the ones that are needed in allow` {
		t.Errorf("got %v", err)
	}
	c.Allow, c.Prefix = []string{"tool7", "echo"}, "fake."
	s = connect(t, c)
	got := named(t, s, "fake_tool7")
	if got.Remote != "tool7" || invoke(t.Context(), got.Tool, `{"a":"x"}`) != `"{\"a\":\"x\"}"` {
		t.Errorf("got %v", got)
	}
	list, _, err := s.ListTools()
	if want := `{"tools":[{"name":"fake_echo","description":"Says it again","inputSchema":{"type":"object","properties":` +
		`{"z":{"type":"string"},"a":{"type":"string"}}}},{"name":"fake_tool7",`; err != nil || !strings.HasPrefix(string(list), want) {
		t.Errorf("got  %s, %v\nwant %s", list, err, want)
	}
	c.Allow = []string{}
	if tools, _, err := connect(t, c).Tools(); err != nil || len(tools) > 0 {
		t.Errorf("an empty list allows %d tools, %v", len(tools), err)
	}
	for allow, want := range map[string]string{
		"tol7":   `MCP server "fake": allow names "tol7", and the server has no such tool; did you mean "tool7"?`,
		"remove": `MCP server "fake": allow names "remove", and the server has no such tool; it has ["echo" "tool0" `,
	} {
		c.Allow = []string{allow}
		if _, _, err := connect(t, c).Tools(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestListKeepsWhatIsNotKnown(t *testing.T) {
	list, _, err := connect(t, server(t, "annotations")).ListTools()
	if err != nil || !strings.HasSuffix(string(list), `,"destructiveHint":true,"openWorldHint":false}}]}`) {
		t.Errorf("got %s, %v", list, err)
	}
}

// What no agent could have is not imported either.
func TestListHasWhatToolsHas(t *testing.T) {
	for _, fault := range []string{"hidden-text", "schemas", "names", "null-list", "task"} {
		s := connect(t, server(t, fault))
		tools, refused, err := s.Tools()
		if err != nil {
			t.Fatal(err)
		}
		text, refusedInList, err := s.ListTools()
		var list struct{ Tools []struct{ Name string } }
		if err != nil || json.Unmarshal(text, &list) != nil || len(list.Tools) != len(tools) || !slices.Equal(refused, refusedInList) {
			t.Errorf("%s: got %s and %v, %v", fault, text, refusedInList, err)
		}
	}
}

func TestAnnotations(t *testing.T) {
	a := named(t, connect(t, server(t, "annotations")), "echo").Annotations
	if a.ReadOnly == nil || *a.ReadOnly || a.Destructive == nil || !*a.Destructive || a.OpenWorld == nil || *a.OpenWorld || a.Idempotent != nil {
		t.Errorf("got %+v", a)
	}
}

func TestServersThatCannotBe(t *testing.T) {
	for _, tt := range []struct {
		c    mcp.Server
		want string
	}{
		{mcp.Server{}, "it has neither a command nor a url"},
		{mcp.Server{Command: []string{"x"}, URL: "http://x"}, "it has both a command and a url"},
		{mcp.Server{Command: []string{"gramc-no-such-program"}}, `the program "gramc-no-such-program" is not in the folders of PATH`},
		{mcp.Server{Command: []string{"./x"}}, `the program "./x": the path "./x" is relative, and it is not known to what`},
		{mcp.Server{URL: "ftp://x?key=secret"}, "its url is not an http or https address"},
		{mcp.Server{URL: "://secret"}, "its url is not an http or https address"},
	} {
		tt.c.Name = "s"
		if _, err := mcp.Connect(t.Context(), tt.c); err == nil || err.Error() != `MCP server "s": `+tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
}

func TestClosedSessions(t *testing.T) {
	s, err := mcp.Connect(t.Context(), server(t, "fine"))
	if err != nil {
		t.Fatal(err)
	}
	echo := named(t, s, "echo").Tool
	done := make(chan error)
	go func() {
		_, err := echo.Invoke(context.Background(), json.RawMessage(`{"z":"hangs"}`), 10*time.Second)
		done <- err
	}()
	time.Sleep(50 * time.Millisecond)
	closed(t, s)
	closed(t, s)
	if err := <-done; err == nil || !strings.HasPrefix(err.Error(), `MCP server "fake": it ended`) {
		t.Errorf("the call that went on got %v", err)
	}
	if got := invoke(context.Background(), echo, `{}`); !strings.HasPrefix(got, `execution: MCP server "fake": it ended`) {
		t.Errorf("a later call got %s", got)
	}
}
