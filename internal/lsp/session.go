package lsp

import (
	"context"
	"log"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/gram-lang/gramc/internal/models"
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

// A client is what is fixed for a session: the capabilities and the encoding of
// the client.
type client struct {
	encoding     encoding
	capabilities clientCapabilities
	examinations *atomic.Int64
	colouring    *colouring
	models       *models.Table // nil is the built-in one
}

// nextExamination returns a number that no examination has.
func (c *client) nextExamination() int { return int(c.examinations.Add(1)) }

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
