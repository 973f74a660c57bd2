package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// httpLimits are the limits of a server over HTTP.
type httpLimits struct {
	requests int           // handled at once; more are refused
	sessions int           // open at once; more are refused
	body     time.Duration // for a request with its body to arrive
	idle     time.Duration // a connection without a request
	session  time.Duration // a session without a request
}

var defaultHTTPLimits = httpLimits{requests: 64, sessions: 64, body: 30 * time.Second, idle: 2 * time.Minute, session: 10 * time.Minute}

// minToken is the length of the shortest token.
const minToken = 16

// ServeHTTP offers tools over streamable HTTP until ctx ends. Without a token, the
// address of the listener must be one of loopback; with one, each request must have it
// as a bearer token. Pages from elsewhere are refused. A call is cancelled when the
// client that made it is gone. It closes the listener.
func ServeHTTP(ctx context.Context, l net.Listener, o ServeOptions) error {
	return serveHTTP(ctx, l, o, defaultHTTPLimits)
}

func serveHTTP(ctx context.Context, l net.Listener, o ServeOptions, limits httpLimits) error {
	defer l.Close()
	address, ok := l.Addr().(*net.TCPAddr)
	switch {
	case o.Token != "" && len(o.Token) < minToken:
		return fmt.Errorf("the token has %d bytes; it must have at least %d", len(o.Token), minToken)
	case o.Token == "" && (!ok || !address.IP.IsLoopback()):
		return fmt.Errorf("without a token, tools are served only to this machine, on 127.0.0.1 or ::1, not on %s", l.Addr())
	}
	gate, server, err := newGate(ctx, o, limits)
	if err != nil {
		return err
	}
	web := &http.Server{
		Handler:           http.NewCrossOriginProtection().Handler(gate),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       limits.idle,
		MaxHeaderBytes:    64 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	defer context.AfterFunc(ctx, func() { _ = web.Close() })()
	if o.Ready != nil {
		o.Ready()
	}
	err = web.Serve(l)
	closeSessions(server)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Handler returns a handler that offers tools over streamable HTTP, until ctx ends. Whom it
// lets in is up to the caller; Token and Ready have no meaning. The context of a call has the
// values of that of its request.
func Handler(ctx context.Context, o ServeOptions) (http.Handler, error) {
	o.Token = ""
	gate, server, err := newGate(ctx, o, defaultHTTPLimits)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { closeSessions(server) })
	return gate, nil
}

// closeSessions ends all sessions of a server, without waiting for their calls.
func closeSessions(server *sdk.Server) {
	for session := range server.Sessions() {
		go session.Close() // which waits for its calls
	}
}

// newGate returns the handler of a server.
func newGate(ctx context.Context, o ServeOptions, limits httpLimits) (*gate, *sdk.Server, error) {
	calls := newCalls(ctx)
	server, err := newServer(o, calls)
	if err != nil {
		return nil, nil, err
	}
	newSession := func(*http.Request) *sdk.Server {
		open := 0
		for range server.Sessions() {
			open++
		}
		if open >= limits.sessions {
			return nil
		}
		return server
	}
	handler := sdk.NewStreamableHTTPHandler(newSession, &sdk.StreamableHTTPOptions{SessionTimeout: limits.session, MaxRequestBodyBytes: MaxMessage})
	return &gate{
		next: handler, calls: calls, limits: limits, slots: make(chan struct{}, limits.requests),
		token: sha256.Sum256([]byte("Bearer " + o.Token)), open: o.Token == "",
	}, server, nil
}

// A gate lets requests pass to a server.
type gate struct {
	next   http.Handler
	calls  *calls
	limits httpLimits
	slots  chan struct{}     // one for each request
	token  [sha256.Size]byte // of the header with it
	open   bool              // no token is needed
}

// ServeHTTP reads the body in time, and passes the request on.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	given := sha256.Sum256([]byte(r.Header.Get("Authorization")))
	switch {
	case !g.open && subtle.ConstantTimeCompare(given[:], g.token[:]) == 0:
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
		return
	case r.Method != http.MethodPost && r.Method != http.MethodDelete:
		w.Header().Set("Allow", "POST, DELETE") // the server sends nothing by itself
		http.Error(w, "only POST and DELETE are supported", http.StatusMethodNotAllowed)
		return
	}
	select {
	case g.slots <- struct{}{}:
		defer func() { <-g.slots }()
	default:
		http.Error(w, fmt.Sprintf("more than %d requests at once", g.limits.requests), http.StatusServiceUnavailable)
		return
	}
	reading := http.NewResponseController(w)
	_ = reading.SetReadDeadline(time.Now().Add(g.limits.body)) // every connection of net/http has one
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxMessage))
	if err != nil {
		w.Header().Set("Connection", "close") // what is left of the body is not read
		status := http.StatusRequestTimeout
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, "the body cannot be read", status)
		return
	}
	_ = reading.SetReadDeadline(time.Time{})
	r.Body = io.NopCloser(bytes.NewReader(body))
	defer g.calls.cameWith(r)()
	g.next.ServeHTTP(w, r)
}
