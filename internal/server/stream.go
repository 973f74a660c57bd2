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
}

// newEventStream returns a stream of which nothing is sent yet. After a time of
// silence it sends comments, which clients ignore and proxies take as a sign of life. The
// function is called once if the client does not take what is sent.
func newEventStream(w http.ResponseWriter, silence time.Duration, onFailure func(error)) *eventStream {
	s := &eventStream{onFailure: onFailure, w: w, control: http.NewResponseController(w), silence: silence}
	s.alive = time.AfterFunc(silence, func() { s.write(": keep-alive\n\n") })
	return s
}

// begun reports whether something was sent, so that the status cannot be changed.
func (s *eventStream) begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.started
}

// data sends an event whose data is one line.
func (s *eventStream) data(line []byte) { s.write("data: " + string(line) + "\n\n") }

// event sends an event with an ID, from which a client that has lost the connection goes on; it
// may be empty.
func (s *eventStream) event(id string, line []byte) {
	if id != "" {
		id = "id: " + id + "\n"
	}
	s.write(id + "data: " + string(line) + "\n\n")
}

var errClientGone = errors.New("the client is gone")

func (s *eventStream) write(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
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
	_, err := s.w.Write([]byte(text))
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
