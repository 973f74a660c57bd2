// Package modelfake is the APIs of the providers, for tests. A [Dialect] writes a
// [Reply] as its provider does, whole or as a stream, and finds what its provider refuses
// in a request. The bodies are those of the documents that each dialect names.
//
// A [Server] has them behind net/http, over connections in memory: so the time limits of
// a client can be tested in a bubble of [testing/synctest].
package modelfake

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A Reply is what a model says.
type Reply struct {
	Reasoning, Text, Refusal string

	Calls  []Call
	Finish Finish
	Usage  string // JSON of the counts; "" for the usual ones
}

// A Call is a call of a tool. Args are as the model wrote them, which may not be JSON.
type Call struct{ ID, Name, Args string }

// A Finish is why a model stopped. Any other word stands on the wire as it is.
type Finish string

// The reasons. "" is that of a complete reply.
const (
	Complete Finish = ""
	Length   Finish = "length"
	Filtered Finish = "filtered"
)

// An ErrorKind is an error that each provider reports in its own form.
type ErrorKind int

// The errors.
const (
	BadRequest ErrorKind = iota
	BadKey
	NoPermission
	NoModel
	NoMoney
	TooLong
	FilteredRequest
	RateLimited
	Overloaded
	Internal
)

// A Dialect is the API of a provider.
type Dialect struct {
	Name, Provider, Model string

	// Whole returns the body of a reply, and Events the data of the events of its stream.
	Whole  func(Reply) string
	Events func(Reply) []string

	// Error returns the body of an error, and the status that comes with it.
	Error func(kind ErrorKind, message string) (status int, body string)

	// EventError returns the event of a stream that reports an error of the server.
	EventError string

	// Refusals returns why the provider refuses a request with that key.
	Refusals func(r *http.Request, key string, body []byte) []string

	// Nothings are bodies of success without a reply.
	Nothings []string

	// NamedEvents says that an event has its type as its name. Done is the event after the
	// last, which has no JSON; "" without one.
	NamedEvents bool
	Done        string
}

// Dialects are all of them.
func Dialects() []*Dialect { return []*Dialect{Chat(), Responses(), Messages(), Gemini()} }

// Stream returns events as the provider writes them.
func (d *Dialect) Stream(events ...string) string {
	var out strings.Builder
	for _, data := range events {
		if d.NamedEvents {
			var e struct{ Type string }
			json.Unmarshal([]byte(data), &e) // some faults are no JSON
			fmt.Fprintf(&out, "event: %s\n", cmp.Or(e.Type, "message"))
		}
		fmt.Fprintf(&out, "data: %s\n\n", data)
	}
	return out.String()
}

// Events of a whole stream, with its end mark.
func (d *Dialect) streamOf(reply Reply) string {
	events := d.Events(reply)
	if d.Done != "" {
		events = append(events, d.Done)
	}
	return d.Stream(events...)
}

// A Request is one that a [Server] has got.
type Request struct {
	*http.Request
	Body   string
	Stream bool // it asks for a stream
}

// A Step responds to one request.
type Step func(w http.ResponseWriter, r *Request)

// Reply returns a step with a reply, whole or as a stream as it is asked for.
func (d *Dialect) Reply(reply Reply) Step {
	return d.Edited(reply, func(wire string) string { return wire })
}

// Edited is [Dialect.Reply] with a change of what stands on the wire.
func (d *Dialect) Edited(reply Reply, edit func(wire string) string) Step {
	return func(w http.ResponseWriter, r *Request) {
		if r.Stream {
			write(w, "text/event-stream", edit(d.streamOf(reply)))
		} else {
			write(w, "application/json", edit(d.Whole(reply)))
		}
	}
}

// Fails returns a step with an error of the provider.
func (d *Dialect) Fails(kind ErrorKind, message string, headers ...string) Step {
	status, body := d.Error(kind, message)
	return Raw(status, body, headers...)
}

// Raw returns a step with that status and body; headers are "Name: value".
func Raw(status int, body string, headers ...string) Step {
	return func(w http.ResponseWriter, _ *Request) {
		w.Header().Set("Content-Type", "application/json")
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func write(w http.ResponseWriter, contentType, body string) {
	w.Header().Set("Content-Type", contentType)
	io.WriteString(w, body)
	w.(http.Flusher).Flush()
}

// Breaks returns a step that sends raw bytes and ends the connection, or resets it.
func Breaks(text string, reset bool) Step {
	return func(w http.ResponseWriter, _ *Request) {
		conn, buffer, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		buffer.WriteString(text)
		buffer.Flush()
		if reset {
			conn.(*serverEnd).reset.Store(true)
		}
		conn.Close()
	}
}

// Hangs returns a step that sends the beginning of a response and then nothing.
func Hangs(contentType, text string) Step {
	return func(w http.ResponseWriter, r *Request) {
		if text != "" {
			write(w, contentType, text)
		}
		<-r.Context().Done()
	}
}

// A Server responds with its steps in order, and repeats the last.
type Server struct {
	t       testing.TB
	dialect *Dialect
	key     string
	http    http.Server
	pipes   pipes
	client  *http.Client

	mu    sync.Mutex
	steps []Step
	got   []string    // bodies
	times []time.Time // of the requests
}

// NewServer returns a server that expects requests with that key, and reports those that
// its provider would refuse. The caller closes it.
func NewServer(t testing.TB, d *Dialect, key string, steps ...Step) *Server {
	s := &Server{t: t, dialect: d, key: key, steps: steps, pipes: pipes{conns: make(chan net.Conn), closed: make(chan struct{})}}
	s.http.Handler = http.HandlerFunc(s.serve)
	s.client = &http.Client{Transport: &http.Transport{DialContext: s.pipes.dial}}
	go s.http.Serve(&s.pipes)
	return s
}

// Client returns a client whose every connection leads to s.
func (s *Server) Client() *http.Client { return s.client }

// Close ends all connections.
func (s *Server) Close() {
	s.client.CloseIdleConnections()
	s.http.Close()
}

// Bodies returns what was sent until now, and Times when.
func (s *Server) Bodies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.got...)
}

// Times returns when each request came.
func (s *Server) Times() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]time.Time(nil), s.times...)
}

// Continue sets the steps for the next requests, and forgets those before.
func (s *Server) Continue(steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps, s.got, s.times = steps, nil, nil
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	var asked struct{ Stream bool }
	if err := json.Unmarshal(body, &asked); err != nil {
		s.t.Errorf("the request is not JSON: %s", body)
	}
	s.mu.Lock()
	step := s.steps[min(len(s.got), len(s.steps)-1)]
	s.got, s.times = append(s.got, string(body)), append(s.times, time.Now())
	s.mu.Unlock()
	for _, why := range s.dialect.Refusals(r, s.key, body) {
		s.t.Errorf("%s refuses the request: %s\n%.2000s", s.dialect.Name, why, body)
	}
	step(w, &Request{r, string(body), asked.Stream || strings.HasSuffix(r.URL.Path, ":streamGenerateContent")})
}

// pipes are connections in memory.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	reset := new(atomic.Bool)
	select {
	case p.conns <- &serverEnd{server, reset}:
		return &clientEnd{client, reset}, nil
	case <-p.closed:
		return nil, &net.OpError{Op: "dial", Net: "pipe", Err: syscall.ECONNREFUSED}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements [net.Listener].
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements [net.Listener].
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "pipe"} }

// A serverEnd is that end of a connection which can reset it.
type serverEnd struct {
	net.Conn
	reset *atomic.Bool
}

// A clientEnd is the other end.
type clientEnd struct {
	net.Conn
	reset *atomic.Bool
}

// Read implements [io.Reader].
func (c *clientEnd) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == io.EOF && c.reset.Load() {
		err = &net.OpError{Op: "read", Net: "pipe", Err: syscall.ECONNRESET}
	}
	return n, err
}
