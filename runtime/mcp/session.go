package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// DefaultConnectTimeout is how long a server may take to start and to list
// its tools.
const DefaultConnectTimeout = 10 * time.Second

// A Server describes how to reach an MCP server: by Command or by URL.
type Server struct {
	Name string // for messages

	Command []string // the program and its arguments; see process.Find
	Base    string   // the folder that relative paths start at
	Dir     string   // the folder to run in; empty means Base
	Env     []string // more variables, "NAME=value"; see process.Environment

	URL        string            // of the streamable HTTP transport
	Headers    map[string]string // sent to the host of URL alone
	HTTPClient *http.Client      // nil is one that connects to every address

	Allow  []string // the only tools to take, as the server names them; nil means all
	Prefix string   // put before the name of each tool

	ConnectTimeout time.Duration // 0 means DefaultConnectTimeout

	Restarted func(cause error) // called after a new connection replaced one that broke; may be nil
}

// A Session is a connection to a server that has listed its tools. One that breaks
// is replaced once, by the next call. It is safe for concurrent use.
type Session struct {
	server  Server
	offered []toolOffer
	life    context.Context
	end     context.CancelFunc

	lock chan struct{} // holds a value while conn is used
	conn *connection
}

// Close ends the session, and the process of the server with everything that
// it started. It takes less than two seconds.
func (s *Session) Close() {
	s.end()
	s.lock <- struct{}{}
	s.conn.close()
	<-s.lock
}

// connection returns the connection for a call. One that broke is replaced; but when no
// call has succeeded with it, a process is the last one, and so is a service that responds
// with what is not a message: a server that fails whenever it is used is not started
// again and again. Calls made meanwhile wait for the same
// connection.
func (s *Session) connection(ctx context.Context) (*connection, error) {
	select {
	case s.lock <- struct{}{}:
		defer func() { <-s.lock }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	broken := s.conn.broken()
	if broken == nil || s.life.Err() != nil || !s.conn.replaceable() {
		return s.conn, broken
	}
	s.conn.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	conn, offered, err := s.server.connect(ctx)
	if err != nil {
		s.conn.proven = ctx.Err() != nil // the next call may have more time
		return nil, fmt.Errorf("%w; connecting again failed: %w", broken, err)
	}
	s.conn = conn
	if !slices.EqualFunc(offered, s.offered, func(a, b toolOffer) bool { return a.json.Compact() == b.json.Compact() }) {
		conn.fail(errors.New("its list of tools changed when it was started again"))
		return nil, conn.broken()
	}
	if s.server.Restarted != nil {
		s.server.Restarted(broken)
	}
	return conn, nil
}
