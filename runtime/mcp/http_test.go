package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime/mcp"
)

// httpFake answers over HTTP, with a fault: in the handshake, the list, or a
// call, when the arguments ask for it.
func httpFake(t *testing.T, fault string, seen func(*http.Request)) mcp.Server {
	t.Helper()
	over := make(chan struct{})
	calls := 0 // since the last handshake
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if seen != nil {
			seen(r)
		}
		if fault == "hangs" {
			select {
			case <-over:
			case <-r.Context().Done():
			}
			return
		}
		var m request
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil {
			if fault == "deaf-closeTimeout" && r.Method == http.MethodDelete {
				<-over
			}
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		var args struct{ Z string }
		_ = json.Unmarshal(m.Params.Arguments, &args)
		switch {
		case fault+"/"+m.Method == "unauthorized/initialize":
			http.Error(w, "who are you?", http.StatusUnauthorized)
		case args.Z == "hangs":
			select {
			case <-over:
			case <-r.Context().Done():
			}
		case fault+"/"+m.Method == "page/initialize":
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>")
		case args.Z == "huge":
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"content":[{"type":"text","text":"`+strings.Repeat("x", 9<<20)+`"}]}}`)
		case args.Z == "cut":
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`)
		case args.Z == "batch":
			_, _ = fmt.Fprintf(w, `[{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}]`, m.ID)
		case args.Z == "null-id":
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"result":{"content":[]}}`)
		case args.Z == "null-event":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{\"content\":[]}}\n\n")
		case args.Z == "fails":
			http.Error(w, "the database is down", http.StatusInternalServerError)
		case args.Z == "busy":
			http.Error(w, "later", http.StatusServiceUnavailable)
		case fault == "forgets" && m.Method == "initialize":
			calls = 0
			w.Header().Set("Mcp-Session-Id", fmt.Sprint(m.ID))
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"fake","version":"1"}}}`, m.ID)
		case fault == "forgets" && m.Method == "tools/call" && calls > 0:
			http.Error(w, "no such session", http.StatusNotFound)
		case args.Z == "others-first":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{\"content\":[],\"structuredContent\":{\"right\":false}}}\n\n"+
				"data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"structuredContent\":{\"right\":true}}}\n\n", m.ID)
		case args.Z == "events":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, ": hello\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n"+
				"data: {\"jsonrpc\":\"2.0\",\"id\":%s,\ndata: \"result\":{\"content\":[],\"structuredContent\":{\"b\":9007199254740993,\"a\":1}}}\n\n", m.ID)
		case args.Z == "cut-events":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, ": hello\n\n")
		case args.Z == "endless-events":
			w.Header().Set("Content-Type", "text/event-stream")
			event := `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("x", 1<<16) + "\"}}\n\n"
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, event)
			}
		default:
			if m.Method == "tools/call" {
				calls++
			}
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, map[string]string{
				"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}`,
				"tools/list": `{"tools":[` + tool("echo") + `]}`,
				"tools/call": `{"content":[{"type":"text","text":"fine"}]}`,
			}[m.Method])
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(over) })
	return mcp.Server{Name: "web", URL: s.URL, ConnectTimeout: 2 * time.Second}
}

func TestFaultsOverHTTP(t *testing.T) {
	for fault, want := range map[string]string{
		"unauthorized": `it responded with HTTP 401 Unauthorized: "who are you?\n"`,
		"hangs":        "it did not respond within 300ms",
		"page":         `calling "initialize": `,
	} {
		c := httpFake(t, fault, nil)
		if fault == "hangs" {
			c.ConnectTimeout = 300 * time.Millisecond
		}
		_, err := mcp.Connect(t.Context(), c)
		if err == nil || !strings.HasPrefix(err.Error(), `MCP server "web": `+want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	c := httpFake(t, "", nil)
	c.URL = "http://127.0.0.1:1/?key=hunter2"
	if _, err := mcp.Connect(t.Context(), c); err == nil || !strings.HasPrefix(err.Error(), `MCP server "web": it cannot be reached: `) ||
		strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func TestFaultsOfCallsOverHTTP(t *testing.T) {
	for _, tt := range []struct{ fault, want string }{
		{"fine", `"fine"`},
		{"hangs", "timeout: timed out after 500ms; whether the call had an effect is unknown"},
		{"huge", `execution: MCP server "web": it sent more than 8388608 bytes in one response`},
		{"cut", `execution: MCP server "web": `},
		{"fails", `execution: MCP server "web": it responded with HTTP 500 Internal Server Error: "the database is down\n"`},
		{"busy", `execution: MCP server "web": it responded with HTTP 503 Service Unavailable: "later\n"`},
		{"events", `{"b":9007199254740993,"a":1}`},
		{"cut-events", `execution: MCP server "web": `},
		{"endless-events", `execution: MCP server "web": it sent more than 8388608 bytes in one response`},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			s := connect(t, httpFake(t, "", nil))
			if got := invoke(t.Context(), named(t, s, "echo").Tool, `{"z":`+quote(tt.fault)+`}`); !strings.HasPrefix(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestListKeepsTheOrderOfKeys(t *testing.T) {
	list, _, err := connect(t, httpFake(t, "", nil)).ListTools()
	if err != nil || !strings.Contains(string(list), `{"z":{"type":"string"},"a":{"type":"string"}}`) {
		t.Errorf("got %s, %v", list, err)
	}
}

func TestHeadersGoToTheServerAlone(t *testing.T) {
	strangers := make(chan http.Header, 10)
	stranger := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { strangers <- r.Header }))
	defer stranger.Close()
	redirecting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "secret" {
			t.Error("the server did not get the header")
		}
		http.Redirect(w, r, stranger.URL, http.StatusTemporaryRedirect)
	}))
	defer redirecting.Close()
	c := mcp.Server{Name: "web", URL: redirecting.URL, Headers: map[string]string{"X-Key": "secret", "Authorization": "Bearer secret"}}
	if _, err := mcp.Connect(t.Context(), c); err == nil {
		t.Error("it connected")
	}
	select {
	case h := <-strangers:
		if h.Get("X-Key") != "" || h.Get("Authorization") != "" {
			t.Error("the stranger got the headers")
		}
	default:
		t.Error("the redirect was not followed")
	}
}

func TestADeafGoodbyeIsShort(t *testing.T) {
	deleted := make(chan bool, 10)
	c := httpFake(t, "deaf-closeTimeout", func(r *http.Request) { deleted <- r.Method == http.MethodDelete })
	s, err := mcp.Connect(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	closed(t, s)
}
