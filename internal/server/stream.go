package server

import (
	"errors"
	"net/http"
	"sync"
	"time"
)

// An eventStream writes server-sent events. A client that does not take them in time ends
// it. Its methods may be called side by side.
type eventStream struct {
	onFailure func(error)

	mu      sync.Mutex
	w       http.ResponseWriter
	control *http.ResponseController
	started bool
	failed  bool
	alive   *time.Timer
	silence time.Duration
	text    []byte // of an event, which the next one overwrites
}

// newEventStream returns a stream of which nothing is sent yet. After a time of
// silence it sends comments, which clients ignore and proxies take as a sign of life. The
// function is called once if the client does not take what is sent.
func newEventStream(w http.ResponseWriter, silence time.Duration, onFailure func(error)) *eventStream {
	s := &eventStream{onFailure: onFailure, w: w, control: http.NewResponseController(w), silence: silence}
	s.alive = time.AfterFunc(silence, func() { s.event("", nil) })
	return s
}

// begun reports whether something was sent, so that the status cannot be changed.
func (s *eventStream) begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.started
}

// data sends an event whose data is one line.
func (s *eventStream) data(line []byte) { s.event("", line) }

// event sends an event with an ID, from which a client that has lost the connection goes on; it
// may be empty. Without a line it sends a comment.
func (s *eventStream) event(id string, line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = s.text[:0]
	if id != "" {
		s.text = append(append(append(s.text, "id: "...), id...), '\n')
	}
	if line == nil {
		s.text = append(s.text, ": keep-alive\n\n"...)
	} else {
		s.text = append(append(append(s.text, "data: "...), line...), "\n\n"...)
	}
	s.write()
}

var errClientGone = errors.New("the client is gone")

// write sends the text. The lock is held.
func (s *eventStream) write() {
	if s.failed {
		return
	}
	if !s.started {
		s.started = true
		h := s.w.Header()
		h.Set("Content-Type", "text/event-stream; charset=utf-8")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Accel-Buffering", "no")
	}
	s.alive.Reset(s.silence)
	_, err := s.w.Write(s.text)
	if err == nil {
		err = s.control.Flush()
	}
	if err != nil {
		s.failed = true
		s.onFailure(errClientGone)
	}
}

// close ends the stream. Nothing is written afterwards.
func (s *eventStream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = true
	s.alive.Stop()
}
