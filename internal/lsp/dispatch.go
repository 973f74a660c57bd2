package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

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

// onRequest makes a handler of a function with parameters and a result of its own.
func onRequest[P, R any](f func(context.Context, *snapshot, *P) (R, error)) handler {
	return func(ctx context.Context, s *snapshot, raw json.RawMessage) (any, error) {
		params := new(P)
		if err := json.Unmarshal(raw, params); err != nil {
			return nil, invalidParams(err)
		}
		return f(ctx, s, params)
	}
}

// onDocument makes a handler of a function about one document. Without it the
// result is null.
func onDocument[P, R any](f func(context.Context, *snapshot, *document, *P) (R, error)) handler {
	return func(ctx context.Context, s *snapshot, raw json.RawMessage) (any, error) {
		var about struct {
			TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
		}
		if err := json.Unmarshal(raw, &about); err != nil {
			return nil, invalidParams(err)
		}
		d := s.document(about.TextDocument.URI)
		if d == nil {
			return nil, nil
		}
		return onRequest(func(ctx context.Context, s *snapshot, params *P) (R, error) { return f(ctx, s, d, params) })(ctx, s, raw)
	}
}

func invalidParams(err error) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "the parameters cannot be read: " + err.Error()}
}

// A handlerFunc is a jsonrpc2.Handler that has a context of its own.
type handlerFunc func(conn *jsonrpc2.Conn, r *jsonrpc2.Request)

// Handle calls the function.
func (f handlerFunc) Handle(_ context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) { f(conn, r) }

// handler returns what receives the messages of a session until ctx ends.
func (s *session) handler(ctx context.Context) jsonrpc2.Handler {
	return handlerFunc(func(conn *jsonrpc2.Conn, r *jsonrpc2.Request) { s.dispatch(ctx, conn, r) })
}

// dispatch receives a message, on the goroutine that reads.
func (s *session) dispatch(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if s.conn == nil { // before there is any other goroutine
		s.conn = conn
	}
	if r.Notif {
		s.dispatchNotification(ctx, r)
		return
	}
	if err := s.request(ctx, r); err != nil {
		s.reply(ctx, r.ID, nil, err)
	}
}

// request starts to handle a request. The error is the reason why it does not.
func (s *session) request(ctx context.Context, r *jsonrpc2.Request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.features[r.Method]
	switch {
	case r.Method == "initialize" && s.phase != phaseNew:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "already initialized"}
	case r.Method == "initialize":
		result, err := s.initialize(ctx, params(r))
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
		result, err := s.inTurn(working, known, snap, params(r))
		if s.settle(r.ID) {
			s.reply(ctx, r.ID, result, err)
		}
	}()
	return nil
}

// params returns the parameters of a message, an empty object when there are
// none.
func params(r *jsonrpc2.Request) json.RawMessage {
	if r.Params == nil || bytes.Equal(*r.Params, []byte("null")) {
		return json.RawMessage("{}")
	}
	return *r.Params
}

// maxWorking is how many requests are handled at the same time. Each can be
// about another version of a large document, which costs many times its text.
const maxWorking = 8

// inTurn runs a handler when fewer than maxWorking others run. One that is
// cancelled before never starts.
func (s *session) inTurn(ctx context.Context, f feature, snap *snapshot, raw json.RawMessage) (any, error) {
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.guarded(ctx, f, snap, raw)
}

// guarded runs a handler. A panic becomes an error of that request alone.
func (s *session) guarded(ctx context.Context, f feature, snap *snapshot, raw json.RawMessage) (result any, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			s.log.Printf("internal error in %s: %v\n%s", f.method, bug, debug.Stack())
			result, err = nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: fmt.Sprintf("internal error: %v; this is a bug of gram-lsp", bug)}
		}
	}()
	return f.handle(ctx, snap, raw)
}

// recovered logs a panic in background work.
func (s *session) recovered(what string) {
	if bug := recover(); bug != nil {
		s.log.Printf("internal error in %s: %v\n%s", what, bug, debug.Stack())
	}
}

// settle removes a request from the pending ones and reports whether it was
// there: the caller that removes it replies.
func (s *session) settle(id jsonrpc2.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	cancel := s.pending[id]
	delete(s.pending, id)
	if cancel != nil {
		cancel()
	}
	return cancel != nil
}

// cancelled replies to a request at once; its work ends when it notices.
func cancelled(ctx context.Context, s *session, raw json.RawMessage) error {
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

// reply sends the response to a request.
func (s *session) reply(ctx context.Context, id jsonrpc2.ID, result any, err error) {
	var wire *jsonrpc2.Error
	switch {
	case err == nil:
		err = s.conn.Reply(ctx, id, result)
	case errors.As(err, &wire):
		err = s.conn.ReplyWithError(ctx, id, wire)
	case errors.Is(err, context.Canceled):
		err = s.conn.ReplyWithError(ctx, id, &jsonrpc2.Error{Code: codeCancelled, Message: "cancelled"})
	default:
		err = s.conn.ReplyWithError(ctx, id, &jsonrpc2.Error{Code: codeFailed, Message: err.Error()})
	}
	s.noteFailure(ctx, "a response was not sent", err)
}

// noteFailure logs an error of the connection, unless the client has closed it.
func (s *session) noteFailure(ctx context.Context, what string, err error) {
	if err != nil && !errors.Is(err, jsonrpc2.ErrClosed) && ctx.Err() == nil {
		s.log.Printf("%s: %v", what, err)
	}
}

// A notification is applied on the goroutine that reads.
type notification func(ctx context.Context, s *session, params json.RawMessage) error

// notify makes a notification of a function with parameters of its own.
func notify[P any](f func(context.Context, *session, *P)) notification {
	return func(ctx context.Context, s *session, raw json.RawMessage) error {
		params := new(P)
		if err := json.Unmarshal(raw, params); err != nil {
			return err
		}
		f(ctx, s, params)
		return nil
	}
}

// dispatchNotification applies a notification. One that cannot be read is ignored, and so
// are all before initialize and after shutdown.
func (s *session) dispatchNotification(ctx context.Context, r *jsonrpc2.Request) {
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
	if err := apply(ctx, s, params(r)); err != nil {
		s.log.Printf("%s is ignored: %v", r.Method, err)
	}
}
