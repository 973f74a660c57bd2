package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"
	protocol "github.com/tliron/glsp/protocol_3_16"
)

// The codes of errors that jsonrpc2 does not name.
const (
	codeNotInitialized  = -32002
	codeCancelled       = -32800
	codeContentModified = -32801 // a document is not as it was when the client asked
	codeFailed          = -32803
)

// A feature is a request that the server handles.
type feature struct {
	method  string
	handle  handler
	declare func(*capabilities) // nil when nothing is to be declared
}

// A handler returns the result of a request on the snapshot of its arrival.
type handler func(ctx context.Context, s *snapshot, params json.RawMessage) (any, error)

// requestHandler makes a handler of a function with parameters and a result of its own.
func requestHandler[P, R any](f func(context.Context, *snapshot, *P) (R, error)) handler {
	return func(ctx context.Context, s *snapshot, raw json.RawMessage) (any, error) {
		params := new(P)
		if err := json.Unmarshal(raw, params); err != nil {
			return nil, handlerParamsError(err)
		}
		return f(ctx, s, params)
	}
}

// documentHandler makes a handler of a function about one document. Without it the
// result is null.
func documentHandler[P, R any](f func(context.Context, *snapshot, *document, *P) (R, error)) handler {
	return func(ctx context.Context, s *snapshot, raw json.RawMessage) (any, error) {
		var about struct {
			TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
		}
		if err := json.Unmarshal(raw, &about); err != nil {
			return nil, handlerParamsError(err)
		}
		d := s.document(about.TextDocument.URI)
		if d == nil {
			return nil, nil
		}
		return requestHandler(func(ctx context.Context, s *snapshot, params *P) (R, error) { return f(ctx, s, d, params) })(ctx, s, raw)
	}
}

func handlerParamsError(err error) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "the parameters cannot be read: " + err.Error()}
}

// A handlerFunc is a jsonrpc2.Handler that has a context of its own.
type handlerFunc func(conn *jsonrpc2.Conn, r *jsonrpc2.Request)

// Handle calls the function.
func (f handlerFunc) Handle(_ context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) { f(conn, r) }

// handler returns what receives the messages of a session until ctx ends.
func (s *session) handler(ctx context.Context) jsonrpc2.Handler {
	return handlerFunc(func(conn *jsonrpc2.Conn, r *jsonrpc2.Request) { s.handle(ctx, conn, r) })
}

// handle receives a message, on the goroutine that reads.
func (s *session) handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if s.conn == nil { // before there is any other goroutine
		s.conn = conn
	}
	if r.Notif {
		s.handleNotification(ctx, r)
		return
	}
	if err := s.handleRequest(ctx, r); err != nil {
		s.reply(ctx, r.ID, nil, err)
	}
}

// handleRequest starts to handle a request. The error is the reason why it does not.
func (s *session) handleRequest(ctx context.Context, r *jsonrpc2.Request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.features[r.Method]
	switch {
	case r.Method == "initialize" && s.phase != phaseNew:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "already initialized"}
	case r.Method == "initialize":
		result, err := s.initialize(ctx, handlerParams(r))
		if err == nil {
			s.reply(ctx, r.ID, result, nil)
		}
		return err
	case s.phase == phaseNew:
		return &jsonrpc2.Error{Code: codeNotInitialized, Message: "not initialized"}
	case s.phase == phaseShutDown:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is shut down; only exit is allowed"}
	case r.Method == "shutdown":
		s.phase = phaseShutDown
		s.reply(ctx, r.ID, nil, nil)
		return nil
	case !ok:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: fmt.Sprintf("unknown method %.100q", r.Method)}
	case s.pending[r.ID] != nil:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "a request with this id is still pending"}
	}
	working, cancel := context.WithCancel(ctx)
	s.pending[r.ID] = cancel
	snap := s.current
	go func() {
		defer cancel()
		result, err := s.inTurn(working, known, snap, handlerParams(r))
		if s.settle(r.ID) {
			s.reply(ctx, r.ID, result, err)
		}
	}()
	return nil
}

// handlerParams returns the parameters of a message, an empty object when there are
// none.
func handlerParams(r *jsonrpc2.Request) json.RawMessage {
	if r.Params == nil || bytes.Equal(*r.Params, []byte("null")) {
		return json.RawMessage("{}")
	}
	return *r.Params
}

// maxWorking is how many requests are handled at the same time. Each can be
// about another version of a large document, which costs many times its text.
const maxWorking = 8

// handleCancel replies to a request at once; its work ends when it notices.
func handleCancel(ctx context.Context, s *session, raw json.RawMessage) error {
	var p struct {
		ID jsonrpc2.ID `json:"id"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return err
	}
	if s.settle(p.ID) {
		s.reply(ctx, p.ID, nil, &jsonrpc2.Error{Code: codeCancelled, Message: "cancelled"})
	}
	return nil
}

// A notification is applied on the goroutine that reads.
type notification func(ctx context.Context, s *session, params json.RawMessage) error

// notificationHandler makes a notification of a function with parameters of its own.
func notificationHandler[P any](f func(context.Context, *session, *P)) notification {
	return func(ctx context.Context, s *session, raw json.RawMessage) error {
		params := new(P)
		if err := json.Unmarshal(raw, params); err != nil {
			return err
		}
		f(ctx, s, params)
		return nil
	}
}

// handleNotification applies a notification. One that cannot be read is ignored, and so
// are all before initialize and after shutdown.
func (s *session) handleNotification(ctx context.Context, r *jsonrpc2.Request) {
	defer s.recovered(r.Method)
	if r.Method == "exit" {
		s.exit()
		return
	}
	s.mu.Lock()
	running := s.phase == phaseRunning
	s.mu.Unlock()
	apply := s.notifications[r.Method]
	if apply == nil || !running {
		return
	}
	if err := apply(ctx, s, handlerParams(r)); err != nil {
		s.log.Printf("%s is ignored: %v", r.Method, err)
	}
}
