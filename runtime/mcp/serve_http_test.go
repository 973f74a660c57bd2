package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gram-lang/gramc/runtime"
)

// A workshop has a tool that waits.
type workshop struct {
	started  chan struct{}
	release  chan struct{}
	stopped  chan struct{}
	now, top atomic.Int32
}

func (w *workshop) tool(t *testing.T) runtime.Tool {
	tool, err := runtime.Func("work", "Works", func(ctx context.Context, _ struct{}) (string, error) {
		now := w.now.Add(1)
		defer w.now.Add(-1)
		for top := w.top.Load(); now > top && !w.top.CompareAndSwap(top, now); top = w.top.Load() {
		}
		w.started <- struct{}{}
		select {
		case <-w.release:
			return "done", nil
		case <-ctx.Done():
			w.stopped <- struct{}{}
			return "", ctx.Err()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// serving serves a workshop until the test ends, and returns the address.
func serving(t *testing.T, token string, limits httpLimits) (*workshop, string) {
	w := &workshop{started: make(chan struct{}, 1000), release: make(chan struct{}), stopped: make(chan struct{}, 1000)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	o := ServeOptions{Name: "workshop", Version: "1", Token: token, Tools: []runtime.Tool{w.tool(t)}}
	go func() { served <- serveHTTP(ctx, l, o, limits) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; !errors.Is(err, context.Canceled) {
			t.Errorf("the server ended with %v", err)
		}
	})
	return w, l.Addr().String()
}

func work(t *testing.T, address string) runtime.Tool {
	t.Helper()
	s, err := Connect(t.Context(), Server{Name: "workshop", URL: "http://" + address, ConnectTimeout: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	tools, _, err := s.Tools()
	if err != nil {
		t.Fatal(err)
	}
	return tools[0].Tool
}

func TestCallsAreLimitedByClientAndTogether(t *testing.T) {
	for clients, want := range map[int]int32{1: maxClientCalls, 3: maxCalls} {
		w, address := serving(t, "", defaultHTTPLimits)
		var calls sync.WaitGroup
		for range clients {
			tool := work(t, address)
			for range 2 * maxClientCalls {
				calls.Go(func() {
					if got, err := tool.Invoke(t.Context(), []byte("{}"), time.Minute); err != nil {
						t.Errorf("got %s, %v", got, err)
					}
				})
			}
		}
		for range want {
			<-w.started
		}
		select {
		case <-w.started:
			t.Errorf("%d clients: more than %d calls at once", clients, want)
		case <-time.After(200 * time.Millisecond):
		}
		close(w.release)
		calls.Wait()
		if got := w.top.Load(); got != want {
			t.Errorf("%d clients: %d calls at once, want %d", clients, got, want)
		}
	}
}

func TestACallEndsWithItsClient(t *testing.T) {
	w, address := serving(t, "", defaultHTTPLimits)
	tool := work(t, address)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-w.started
		cancel()
	}()
	if _, err := tool.Invoke(ctx, []byte("{}"), time.Minute); err == nil {
		t.Error("the call did not fail")
	}
	<-w.stopped
	// A client that says nothing, and is gone.
	session := post(t, address, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`).Header.Get("Mcp-Session-Id")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"work","arguments":{}}}`
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMcp-Session-Id: %s\r\nContent-Length: %d\r\n\r\n%s",
		address, session, len(call), call)
	<-w.started
	_ = conn.Close()
	select {
	case <-w.stopped:
	case <-time.After(runtime.DefaultToolTimeout / 2):
		t.Error("the call goes on")
	}
}

// The SDK may start a call when its request is over.
func TestACallWhoseRequestIsOverIsNotMade(t *testing.T) {
	c := newCalls(t.Context())
	over := httptest.NewRequest(http.MethodPost, "/", nil)
	c.cameWith(over)()
	call := &sdk.CallToolRequest{Extra: &sdk.RequestExtra{Header: over.Header}}
	if _, _, err := c.begin(t.Context(), call); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	_, end, err := c.begin(t.Context(), &sdk.CallToolRequest{}) // over stdio
	if err != nil {
		t.Fatal(err)
	}
	end()
}

func post(t *testing.T, address, token, body string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func TestSlowBodiesAndIdleConnectionsEnd(t *testing.T) {
	limits := defaultHTTPLimits
	limits.body, limits.idle = 100*time.Millisecond, 100*time.Millisecond
	_, address := serving(t, "", limits)
	for _, sent := range []string{
		"POST / HTTP/1.1\r\nHost: " + address + "\r\nContent-Length: 100\r\n\r\n{",
		"DELETE / HTTP/1.1\r\nHost: " + address + "\r\n\r\n", // answered, and then nothing more
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		_, _ = io.WriteString(conn, sent)
		if answer, err := io.ReadAll(conn); err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 4")) {
			t.Errorf("%.10q: got %q, %v", sent, answer, err)
		}
	}
}

func TestTooManySessionsAreRefused(t *testing.T) {
	limits := defaultHTTPLimits
	limits.sessions = 1
	_, address := serving(t, "", limits)
	work(t, address)
	if _, err := Connect(t.Context(), Server{Name: "second", URL: "http://" + address}); err == nil {
		t.Error("there are two sessions")
	}
}

func TestTooManyRequestsAreRefused(t *testing.T) {
	started, release := make(chan bool), make(chan bool)
	g := &gate{
		next: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			started <- true
			<-release
		}),
		calls: newCalls(t.Context()), limits: defaultHTTPLimits, slots: make(chan struct{}, 2), open: true,
	}
	request := func() int {
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(ping)))
		return w.Code
	}
	done := make(chan int, 2)
	for range 2 {
		go func() { done <- request() }()
		<-started
	}
	if got := request(); got != http.StatusServiceUnavailable {
		t.Errorf("got %d", got)
	}
	close(release)
	for range 2 {
		if got := <-done; got != http.StatusOK {
			t.Errorf("got %d", got)
		}
	}
	go func() { <-started }()
	if got := request(); got != http.StatusOK {
		t.Errorf("got %d after the others", got)
	}
}

func TestATokenOpensTheServer(t *testing.T) {
	const token = "0123456789abcdef"
	_, address := serving(t, token, defaultHTTPLimits)
	for given, want := range map[string]int{"": http.StatusUnauthorized, token + "0": http.StatusUnauthorized, token[1:]: http.StatusUnauthorized, token: http.StatusOK} {
		if resp := post(t, address, given, ping); resp.StatusCode != want {
			t.Errorf("%q: got %s", given, resp.Status)
		}
	}
	for token, want := range map[string]string{"": "without a token", "short": "the token has 5 bytes"} {
		l, err := net.Listen("tcp", ":0")
		if err != nil {
			t.Fatal(err)
		}
		if err := ServeHTTP(t.Context(), l, ServeOptions{Token: token}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v", token, err)
		}
	}
}
