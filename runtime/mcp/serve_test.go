package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/mcp"
)

type sum struct {
	A int `json:"a" jsonschema:"description=The first number"`
	B int `json:"b"`
}

type total struct {
	Total int `json:"total"`
}

// ours is a server of our own tools.
func ours() mcp.ServeOptions {
	var lib runtime.Library
	var err error
	add := func(next runtime.Library, failed error) {
		lib, err = next, errors.Join(err, failed)
	}
	add(runtime.AddFunc(lib, "add", "Adds two numbers",
		func(_ context.Context, in sum) (total, error) { return total{in.A + in.B}, nil }))
	add(runtime.AddFunc(lib, "greet", "Greets a person",
		func(_ context.Context, in struct{ Name string }) (string, error) { return "Hello, " + in.Name, nil }))
	add(runtime.AddFunc(lib, "fail", "Fails",
		func(context.Context, struct{}) (string, error) { return "", errors.New("out of order") }))
	if err != nil {
		panic(err)
	}
	o := mcp.ServeOptions{Name: "ours", Version: "1"}
	for _, name := range lib.Names() {
		t, _ := lib.Lookup(name)
		o.Tools = append(o.Tools, t)
	}
	return o
}

func TestOurServerOverStdio(t *testing.T) {
	c := server(t, "ours")
	speaks(t, connect(t, c))
}

func TestOurServerOverHTTP(t *testing.T) {
	speaks(t, connect(t, mcp.Server{Name: "ours", URL: overHTTP(t)}))
}

// overHTTP serves our tools until the test ends, and returns the URL.
func overHTTP(t testing.TB) string {
	t.Helper()
	return servedOverHTTP(t, ours())
}

func servedOverHTTP(t testing.TB, o mcp.ServeOptions) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- mcp.ServeHTTP(ctx, l, o) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; !errors.Is(err, context.Canceled) {
			t.Errorf("the server ended with %v", err)
		}
	})
	return "http://" + l.Addr().String()
}

func TestOurServerSaysWhatMayBeRepeatedAndTakesTheCallKey(t *testing.T) {
	tool := func(name string, repeat runtime.Repeat) runtime.Tool {
		made, err := runtime.NewTool(runtime.ToolConfig{
			Name: name, Description: "Says its key", Input: json.RawMessage(`{"type":"object"}`), Repeat: repeat,
			Execute: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				return json.Marshal(runtime.CallKey(ctx))
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	s := connect(t, mcp.Server{Name: "keys", URL: servedOverHTTP(t, mcp.ServeOptions{Name: "keys", Version: "1", Tools: []runtime.Tool{tool("again", runtime.RepeatSafe), tool("once", "")}})})
	for name, want := range map[string]runtime.Repeat{"again": runtime.RepeatSafe, "once": runtime.RepeatOnce} {
		there := named(t, s, name).Tool
		if there.Repeat() != want {
			t.Errorf("%s may be repeated: %s", name, there.Repeat())
		}
		if got := invoke(runtime.WithCallKey(t.Context(), "run/3/call_1"), there, "{}"); got != `"run/3/call_1"` {
			t.Errorf("%s got the key %s", name, got)
		}
		if got := invoke(t.Context(), there, "{}"); got != `""` {
			t.Errorf("%s got the key %s", name, got)
		}
	}
}

// speaks checks what a session with our server can do.
func speaks(t *testing.T, s *mcp.Session) {
	t.Helper()
	tools, refused, err := s.Tools()
	if err != nil || len(tools) != 3 || len(refused) != 0 {
		t.Fatalf("got %d tools, %v, %v", len(tools), refused, err)
	}
	add := named(t, s, "add")
	theirs := ours().Tools[0]
	if add.Description() != "Adds two numbers" || string(add.Input()) != string(theirs.Input()) || string(add.Output()) != string(theirs.Output()) {
		t.Errorf("got %s, %s, %s", add.Description(), add.Input(), add.Output())
	}
	for _, tt := range []struct{ tool, args, want string }{
		{"add", `{"a":2,"b":3}`, `{"total":5}`},
		{"add", `{"a":2}`, `validation: invalid arguments: `},
		{"greet", `{"Name":"Ada"}`, `"Hello, Ada"`},
		{"fail", `{}`, `execution: out of order`},
	} {
		if got := invoke(t.Context(), named(t, s, tt.tool).Tool, tt.args); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s of %s: got %s, want %s", tt.tool, tt.args, got, tt.want)
		}
	}
	var calls sync.WaitGroup
	for i := range 20 {
		calls.Go(func() {
			want := fmt.Sprintf(`{"total":%d}`, i+1)
			if got := invoke(t.Context(), add.Tool, fmt.Sprintf(`{"a":%d,"b":1}`, i)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	calls.Wait()
}

func TestOurServerValidates(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- mcp.Serve(t.Context(), in, out, ours()) }()
	lines := bufio.NewScanner(fromServer)
	ask := func(message, want string) {
		t.Helper()
		if _, err := io.WriteString(toServer, message+"\n"); err != nil {
			t.Fatal(err)
		}
		if want == "" {
			return
		}
		if !lines.Scan() || !strings.Contains(lines.Text(), want) {
			t.Errorf("got  %s\nwant %s", lines.Text(), want)
		}
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, `"tools"`)
	ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "")
	for i, tt := range []struct{ name, args, want string }{
		{"add", `{"a":1,"b":"x"}`, `"isError":true`},
		{"add", `{"a":1,"a":2,"b":1}`, `"isError":true`},
		{"add", `[]`, `"isError":true`},
		{"add", `null`, `"isError":true`},
		{"greet", `{"Name":"` + strings.Repeat("x", 1<<20) + `"}`, `"isError":true`},
		{"none", `{}`, `"error"`},
		{"add", `{"a":1,"b":2}`, `"structuredContent":{"total":3}`},
	} {
		ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, i+2, tt.name, tt.args), tt.want)
	}
	_ = toServer.Close()
	if err := <-served; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

func TestOurServerServesThisMachineAlone(t *testing.T) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	if err := mcp.ServeHTTP(t.Context(), l, ours()); err == nil || !strings.Contains(err.Error(), "without a token, tools are served only to this machine") {
		t.Errorf("got %v", err)
	}
	url := overHTTP(t)
	for header, value := range map[string]string{"Host": "evil.example", "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set(header, value)
		if header == "Host" {
			r.Host = value
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s: got %s", header, resp.Status)
		}
	}
}

func TestAToolWithoutASchemaIsNotServed(t *testing.T) {
	adopting, err := runtime.NewTool(runtime.ToolConfig{
		Name: "later", Adopt: true,
		Execute: func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	err = mcp.Serve(t.Context(), io.NopCloser(strings.NewReader("")), nil, mcp.ServeOptions{Tools: []runtime.Tool{adopting}})
	if err == nil || err.Error() != `tool "later": it has no schema; bind it first` {
		t.Errorf("got %v", err)
	}
}

// A client that reads no results does not keep the server from ending.
func TestAServerEndsWhenNobodyReads(t *testing.T) {
	in, toServer := io.Pipe()
	_, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- mcp.Serve(ctx, in, out, ours()) }()
	for range 2 { // the second is read once the first is
		if _, err := io.WriteString(toServer, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	select {
	case err := <-served:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("the server did not end")
	}
}

// What is not a message is answered, and what came before and comes after it too, even if
// the client closes its end before a call is done.
func TestServeAnswersWhatIsNotAMessage(t *testing.T) {
	const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
	for _, test := range []struct{ name, line, want string }{
		{"text", "this is not JSON", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line is not JSON: `},
		{"a part", `{"jsonrpc":"2.0",`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"two messages", `{"jsonrpc":"2.0","id":8,"method":"ping"} {"jsonrpc":"2.0","id":9,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{"a batch", `[{"jsonrpc":"2.0","id":8,"method":"ping"}]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{"no version", `{"id":8,"method":"ping"}`, `{"jsonrpc":"2.0","id":8,"error":{"code":-32600,`},
		{"a strange id", `{"id":{"a":1},"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
	} {
		t.Run(test.name, func(t *testing.T) {
			begun, proceed := make(chan bool), make(chan bool)
			slow, err := runtime.Implement("slow", func(context.Context, struct{}) (string, error) {
				begun <- true
				<-proceed
				return "done", nil
			})
			if err != nil {
				t.Fatal(err)
			}
			o := ours()
			o.Tools = append(o.Tools, slow)
			in, toServer := io.Pipe()
			var out lockedBuffer
			served := make(chan error, 1)
			go func() { served <- mcp.Serve(t.Context(), in, &out, o) }()
			if _, err := io.WriteString(toServer, begin+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}`+"\n\n"+
				test.line+"\n"+`{"jsonrpc":"2.0","id":3,"method":"ping"}`); err != nil {
				t.Fatal(err)
			}
			<-begun
			_ = toServer.Close()
			close(proceed)
			if err := <-served; err != nil {
				t.Error(err)
			}
			for _, want := range []string{`"id":1,"result"`, test.want, `"id":2,"result":{"content":[{"type":"text","text":"done"}]`, `"id":3,"result"`} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %s in\n%s", want, out.String())
				}
			}
		})
	}
}

// A lockedBuffer is written by a server.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (*lockedBuffer) Close() error { return nil }

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func TestALargeMessageEndsTheServer(t *testing.T) {
	var out lockedBuffer
	err := mcp.Serve(t.Context(), io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"+strings.Repeat("x", mcp.MaxMessage+1))), &out, mcp.ServeOptions{})
	if err == nil || err.Error() != "the exchange with the client failed: a message has more than 8388608 bytes" {
		t.Error(err)
	}
	if !strings.Contains(out.String(), `"id":1,"result"`) {
		t.Errorf("got %s", out.String())
	}
}
