package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// A session is the connection with one client.
type session struct {
	opts   Options
	log    *log.Logger
	conn   *jsonrpc2.Conn // set by the first message
	exited chan struct{}
	ending sync.Once

	features      map[string]feature      // by method
	notifications map[string]notification // by method
	wake          chan struct{}           // signals a new snapshot to the publisher
	publishing    sync.Once
	asked         atomic.Int64  // how often the client was asked for the settings
	turns         chan struct{} // holds one for each request that is being worked at; see inTurn

	mu      sync.Mutex
	phase   phase
	pending map[jsonrpc2.ID]context.CancelFunc // of the requests that are not answered
	current *snapshot                          // nil before initialize
}

// A phase is how far a session has come.
type phase uint8

const (
	phaseNew phase = iota
	phaseRunning
	phaseShutDown
)

func newSession(o Options, logger *log.Logger) *session {
	s := &session{
		opts: o, log: logger, exited: make(chan struct{}), wake: make(chan struct{}, 1), turns: make(chan struct{}, maxWorking),
		pending: map[jsonrpc2.ID]context.CancelFunc{}, features: map[string]feature{},
	}
	for _, f := range features() {
		s.features[f.method] = f
	}
	s.notifications = notifications()
	return s
}

// exit ends the session.
func (s *session) exit() { s.ending.Do(func() { close(s.exited) }) }

func (s *session) isShutDown() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.phase == phaseShutDown
}

// snapshot returns the state of this moment.
func (s *session) snapshot() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// update makes the next snapshot and wakes the publisher.
func (s *session) update(change func(next *snapshot)) {
	s.advance(change)
	select {
	case s.wake <- struct{}{}:
	default: // it is awake
	}
}

// advance makes the next snapshot. A change that fails makes none.
func (s *session) advance(change func(next *snapshot)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := s.current.next()
	change(next)
	s.current = next
}

// findFiles finds the gram files in the background. Documents with names
// that were unknown before are examined again then.
func (s *session) findFiles() {
	go func() {
		defer s.recovered("the search for gram files")
		current := s.snapshot()
		listed := map[string]bool{}
		for _, path := range current.listing.find() {
			listed[path] = true
		}
		current.disk.keep(listed)
		for _, d := range current.searched() {
			d.exports() // parses it
		}
		s.update(func(*snapshot) {})
	}()
}

// call sends the client a request, in a goroutine of its own: the goroutine
// that reads would wait for itself.
func (s *session) call(ctx context.Context, method string, params any) {
	go func() {
		s.noteFailure(ctx, method, s.conn.Call(ctx, method, params, nil))
	}()
}

// watchParent ends the session when the process of the client has ended.
func (s *session) watchParent(ctx context.Context, pid int) {
	if pid <= 0 || runtime.GOOS == "windows" { // where a process cannot be asked
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(parentInterval):
		}
		parent, err := os.FindProcess(pid)
		if err == nil {
			err = parent.Signal(syscall.Signal(0))
		}
		if err != nil && !os.IsPermission(err) {
			s.log.Printf("the client process %d has ended", pid)
			s.exit()
			return
		}
	}
}

// recovered logs a panic in background work.
func (s *session) recovered(what string) {
	if bug := recover(); bug != nil {
		s.log.Printf("internal error in %s: %v\n%s", what, bug, debug.Stack())
	}
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
