package lsp

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

// Nobody needs to read that the editor was closed while something was sent.
func TestTheEndIsNotLogged(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	var logged strings.Builder
	s := newSession(Options{}, log.New(&logged, "", 0))
	s.conn = jsonrpc2.NewConn(t.Context(), newStream(ours), s.handler(t.Context()))
	if err := s.conn.Close(); err != nil {
		t.Fatal(err)
	}
	s.publishTo(t.Context(), publishParams{URI: "untitled:x"})
	s.reply(t.Context(), jsonrpc2.ID{Num: 1}, nil, nil)
	if logged.Len() > 0 {
		t.Errorf("logged is %q", logged.String())
	}
	s.noteFailure(t.Context(), "a response was not sent", io.ErrShortWrite)
	if logged.String() != "a response was not sent: short write\n" {
		t.Errorf("logged is %q", logged.String())
	}
}

// A bug is an error of the one request that it is in, and a notification that it
// is in is left out. Everything else goes on.
func TestABugEndsNothingElse(t *testing.T) {
	ours, theirs := net.Pipe()
	s := newSession(Options{}, log.New(io.Discard, "", 0))
	s.features["gram/bug"] = feature{method: "gram/bug", handle: func(context.Context, *snapshot, json.RawMessage) (any, error) { panic("a bug") }}
	s.notifications["gram/bug"] = func(_ context.Context, s *session, _ json.RawMessage) error {
		s.update(func(*snapshot) { panic("a bug") })
		return nil
	}
	server := jsonrpc2.NewConn(t.Context(), newStream(ours), s.handler(t.Context()))
	defer server.Close()
	client := jsonrpc2.NewConn(t.Context(), newStream(theirs), jsonrpc2.HandlerWithError(
		func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return nil, nil }))
	defer client.Close()
	call := func(method string, want int64) {
		t.Helper()
		var got int64
		if err, failed := client.Call(t.Context(), method, map[string]any{"textDocument": map[string]string{"uri": "untitled:x"}}, nil).(*jsonrpc2.Error); failed {
			got = err.Code
		}
		if got != want {
			t.Errorf("%s: code %d, want %d", method, got, want)
		}
	}
	call("initialize", 0)
	call("gram/bug", jsonrpc2.CodeInternalError)
	if err := client.Notify(t.Context(), "gram/bug", struct{}{}); err != nil {
		t.Fatal(err)
	}
	call("gram/text", 0)
	call("shutdown", 0)
}
