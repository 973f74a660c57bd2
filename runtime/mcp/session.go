package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gram-lang/gramc/internal/process"
)

// DefaultConnectTimeout is how long a server may take to start and to list
// its tools.
const DefaultConnectTimeout = 10 * time.Second

// closeTimeout is how long the end of a session may take, in addition to that of
// a process.
const closeTimeout = 500 * time.Millisecond

// handshake is the protocol version that is offered first. Every server supports
// its handshake, and some exit at that of a later one.
const handshake = "2025-11-25"

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
}

// A Session is a connection to a server that has listed its tools. It is safe for
// concurrent use.
type Session struct {
	server  Server
	client  *sdk.ClientSession
	pipes   *pipes // nil over HTTP
	end     context.CancelFunc
	offered []offer
}

// Connect starts a server or connects to one, and lists its tools. The
// session is independent of ctx; close it.
func Connect(ctx context.Context, c Server) (*Session, error) {
	timeout := cmp.Or(c.ConnectTimeout, DefaultConnectTimeout)
	limited, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("it did not respond within %v", timeout))
	defer cancel()
	s, err := connect(limited, c, handshake)
	if serverError(err) != nil {
		s, err = connect(limited, c, "") // a server that supports only later handshakes
	}
	if err != nil {
		return nil, fmt.Errorf("MCP server %q: %w", c.Name, err)
	}
	return s, nil
}

func connect(ctx context.Context, c Server, version string) (*Session, error) {
	life, end := context.WithCancel(context.Background())
	s := &Session{server: c, end: end}
	transport, err := s.transport(life)
	if err != nil {
		end()
		return nil, err
	}
	defer context.AfterFunc(ctx, s.kill)() // what waits for the server must not wait longer
	client := sdk.NewClient(&sdk.Implementation{Name: "gramc", Version: "1"}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, // no roots, no sampling, no elicitation
	})
	asking, a := withResponse(ctx)
	s.client, err = client.Connect(asking, transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		err = s.explain(ctx, a, err)
	} else {
		err = s.list(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Session) transport(life context.Context) (sdk.Transport, error) {
	c := s.server
	switch {
	case len(c.Command) > 0 && c.URL != "":
		return nil, errors.New("it has both a command and a url")
	case c.URL != "":
		return overHTTP(life, c)
	case len(c.Command) == 0:
		return nil, errors.New("it has neither a command nor a url")
	}
	if err := process.CheckEnvironment(c.Env); err != nil {
		return nil, err
	}
	command, err := process.Command{Args: c.Command, Dir: c.Dir, Env: c.Env}.Resolve(c.Base)
	if err != nil {
		return nil, err
	}
	s.pipes, err = startPipes(command)
	return s.pipes, err
}

// kill ends the connection at once.
func (s *Session) kill() {
	s.end()
	if s.pipes != nil {
		s.pipes.process.Kill()
	}
}

// Close ends the session, and the process of the server with everything that
// it started. It takes less than two seconds.
func (s *Session) Close() {
	if s.pipes != nil {
		s.pipes.process.Close()
	}
	if s.client != nil {
		closed := make(chan struct{})
		go func() {
			_ = s.client.Close() // the session is over in any case
			close(closed)
		}()
		select {
		case <-closed:
		case <-time.After(closeTimeout):
		}
	}
	s.end()
}

// serverError returns the error with which the server responded, or nil. The SDK uses
// the same type for requests that did not reach the server.
func serverError(err error) *jsonrpc.Error {
	var response *jsonrpc.Error
	if errors.As(err, &response) && response.Message != "rejected by transport" {
		return response
	}
	return nil
}

// explain returns why a request failed, in more detail than the SDK.
func (s *Session) explain(ctx context.Context, a *response, err error) error {
	switch {
	case ctx.Err() != nil:
		return s.addOutput(context.Cause(ctx))
	case serverError(err) != nil:
		return err
	case a.failed() != nil:
		return a.failed()
	case s.pipes == nil:
		var unreachable *url.Error
		if errors.As(err, &unreachable) { // without the URL, which may contain a key
			return fmt.Errorf("it cannot be reached: %w", unreachable.Err)
		}
		return err
	case !s.pipes.broke(err):
		return err
	}
	if failure := s.pipes.err(); !errors.Is(failure, io.EOF) {
		return s.addOutput(failure)
	}
	if err := s.pipes.process.Err(); err != nil {
		return s.addNoise(fmt.Errorf("it %w", err)) // has the end of stderr
	}
	return s.addOutput(errors.New("it ended"))
}

// addOutput adds what the process wrote to stderr, or to stdout between messages.
func (s *Session) addOutput(err error) error {
	if s.pipes == nil {
		return err
	}
	if text := s.pipes.process.Stderr(); text != "" {
		return fmt.Errorf("%w; it wrote to stderr: %s", err, text)
	}
	return s.addNoise(err)
}

func (s *Session) addNoise(err error) error {
	if noise := s.pipes.noisy(); noise != "" {
		return fmt.Errorf("%w; it wrote to stdout, which is not an MCP message: %q", err, noise)
	}
	return err
}

// list requests all tools, page by page.
func (s *Session) list(ctx context.Context) error {
	cursor, size := "", 0
	for range maxPages {
		asking, a := withResponse(ctx)
		page, err := s.client.ListTools(asking, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return s.explain(ctx, a, err)
		}
		raw := a.result(page)
		var list struct{ Tools []offer }
		if err := json.Unmarshal(raw, &list); err != nil {
			return fmt.Errorf("its list of tools cannot be read: %w", err)
		}
		s.offered = append(s.offered, list.Tools...)
		if size += len(raw); size > MaxMessage {
			return fmt.Errorf("its list of tools has more than %d bytes", MaxMessage)
		}
		if page.NextCursor == "" {
			return nil
		}
		cursor = page.NextCursor
	}
	return fmt.Errorf("its list of tools has more than %d pages", maxPages)
}
