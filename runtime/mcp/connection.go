package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gram-lang/gramc/internal/process"
)

// closeTimeout is how long the end of a session may take, in addition to that of
// a process.
const closeTimeout = 500 * time.Millisecond

// handshake is the protocol version that is offered first. Every server supports
// its handshake, and some exit at that of a later one.
const handshake = "2025-11-25"

// A connection is one run of a server, or one session with it over HTTP.
type connection struct {
	client *sdk.ClientSession
	pipes  *stdioPipes // nil over HTTP
	end    context.CancelFunc

	mu      sync.Mutex
	failure error // why it cannot be used any more; nil while it can
	proven  bool  // a call succeeded, or it is the first connection of a session
	garbled bool  // the server responded to a call with what is not a message
}

// openConnection starts a server or connects to one.
func (c Server) openConnection(ctx context.Context, version string) (*connection, error) {
	life, end := context.WithCancel(context.Background())
	conn := &connection{end: end}
	transport, err := conn.transport(life, c)
	if err != nil {
		end()
		return nil, err
	}
	defer context.AfterFunc(ctx, conn.kill)() // what waits for the server must not wait longer
	client := sdk.NewClient(&sdk.Implementation{Name: "gramc", Version: "1"}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, // no roots, no sampling, no elicitation
	})
	asking, a := withRecordedResponse(ctx)
	conn.client, err = client.Connect(asking, transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		err = conn.explain(ctx, a, err)
		conn.close()
		return nil, err
	}
	return conn, nil
}

func (c *connection) transport(life context.Context, s Server) (sdk.Transport, error) {
	switch {
	case len(s.Command) > 0 && s.URL != "":
		return nil, errors.New("it has both a command and a url")
	case s.URL != "":
		return overHTTP(life, s)
	case len(s.Command) == 0:
		return nil, errors.New("it has neither a command nor a url")
	}
	command, err := process.Command{Args: s.Command, Dir: s.Dir, Env: s.Env}.Resolve(s.Base)
	if err != nil {
		return nil, err
	}
	if c.pipes, err = startStdioPipes(command); err != nil {
		return nil, err
	}
	return &recorder{Transport: c.pipes}, nil
}

// kill ends the connection at once.
func (c *connection) kill() {
	c.end()
	if c.pipes != nil {
		c.pipes.process.Kill()
	}
}

// close ends the connection, and the process with everything that it started.
func (c *connection) close() {
	if c.pipes != nil {
		c.pipes.process.Close()
	}
	if c.client != nil {
		closed := make(chan struct{})
		go func() {
			_ = c.client.Close() // the session is over in any case
			close(closed)
		}()
		select {
		case <-closed:
		case <-time.After(closeTimeout):
		}
	}
	c.end()
}

// broken returns why the connection cannot be used any more, or nil.
func (c *connection) broken() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil && c.pipes != nil {
		select {
		case <-c.pipes.ended:
			c.failure = c.whyEnded()
		default:
		}
	}
	return c.failure
}

// replaceable reports whether another connection may be better when this one broke.
func (c *connection) replaceable() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.proven || c.pipes == nil && !c.garbled
}

func (c *connection) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		c.failure = err
	}
}

// connectionError returns the error with which the server responded, or nil. The SDK uses
// the same type for requests that it could not send.
func connectionError(err error) *jsonrpc.Error {
	var response *jsonrpc.Error
	if errors.As(err, &response) && response.Message != notSent {
		return response
	}
	return nil
}

// notSent is how the SDK says that a request failed and the session did not.
const notSent = "rejected by transport"

// notDecoded is how the SDK says that a response over HTTP is not a message.
const notDecoded = "failed to decode"

// explain returns why a request failed, in more detail than the SDK.
func (c *connection) explain(ctx context.Context, a *recordedResponse, err error) error {
	switch {
	case ctx.Err() != nil:
		return c.addOutput(context.Cause(ctx))
	case connectionError(err) != nil:
		return err
	case a.failed() != nil:
		err = a.failed()
	case c.pipes == nil:
		var unreachable *url.Error
		if errors.As(err, &unreachable) { // without the URL, which may contain a key
			err = fmt.Errorf("it cannot be reached: %w", unreachable.Err)
		}
	case c.pipes.broke(err):
		return c.broken()
	}
	return err
}

// whyEnded returns why a process has ended or was stopped.
func (c *connection) whyEnded() error {
	if failure := c.pipes.err(); !errors.Is(failure, io.EOF) {
		return c.addOutput(failure)
	}
	if err := c.pipes.process.Err(); err != nil {
		return c.addNoise(fmt.Errorf("it %w", err)) // has the end of stderr
	}
	return c.addOutput(errors.New("it ended"))
}

// addOutput adds what the process wrote to stderr, or to stdout between messages.
func (c *connection) addOutput(err error) error {
	if c.pipes == nil {
		return err
	}
	if text := c.pipes.process.Stderr(); text != "" {
		return fmt.Errorf("%w; it wrote to stderr: %s", err, text)
	}
	return c.addNoise(err)
}

func (c *connection) addNoise(err error) error {
	if noise := c.pipes.noisy(); noise != "" {
		return fmt.Errorf("%w; it wrote to stdout, which is not an MCP message: %q", err, noise)
	}
	return err
}

// list requests all tools, page by page.
func (c *connection) list(ctx context.Context) (offered []toolOffer, err error) {
	cursor, size := "", 0
	for range maxPages {
		asking, a := withRecordedResponse(ctx)
		page, err := c.client.ListTools(asking, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, c.explain(ctx, a, err)
		}
		raw := a.recorded()
		var list struct{ Tools []toolOffer }
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("its list of tools cannot be read: %w", err)
		}
		offered = append(offered, list.Tools...)
		if size += len(raw); size > MaxMessage {
			return nil, fmt.Errorf("its list of tools has more than %d bytes", MaxMessage)
		}
		if page.NextCursor == "" {
			return offered, nil
		}
		cursor = page.NextCursor
	}
	return nil, fmt.Errorf("its list of tools has more than %d pages", maxPages)
}

// A callOutcome is what is known of a call.
type callOutcome uint8

const (
	known   callOutcome = iota // the server has said it
	unsent                     // the server never got the call
	unknown                    // the server may have done it
)

// callTool calls a tool and returns the result as the SDK decoded it and as it was
// written.
func (c *connection) callTool(ctx context.Context, p *sdk.CallToolParams) (*sdk.CallToolResult, json.RawMessage, callOutcome, error) {
	asking, a := withRecordedResponse(ctx)
	r, err := c.client.CallTool(asking, p)
	if err == nil {
		c.mu.Lock()
		c.proven = true
		c.mu.Unlock()
		return r, a.recorded(), known, nil
	}
	explained := c.explain(ctx, a, err)
	switch {
	case connectionError(err) != nil || ctx.Err() != nil:
		return nil, nil, known, explained
	case errors.Is(err, sdk.ErrSessionMissing):
		c.fail(explained)
		return nil, nil, unsent, explained
	}
	var dial *net.OpError
	var response *jsonrpc.Error
	if !errors.As(err, &response) { // all others end a session
		c.fail(explained)
		c.mu.Lock()
		c.garbled = c.garbled || strings.Contains(err.Error(), notDecoded)
		c.mu.Unlock()
	}
	switch {
	case a.status >= 400:
		return nil, nil, known, explained
	case errors.As(err, &dial) && dial.Op == "dial":
		return nil, nil, unsent, explained
	}
	return nil, nil, unknown, explained
}

// Connect starts a server or connects to one, and lists its tools. The
// session is independent of ctx; close it.
func Connect(ctx context.Context, c Server) (*Session, error) {
	conn, offered, err := c.connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("MCP server %q: %w", c.Name, err)
	}
	conn.proven = true
	s := &Session{server: c, offered: offered, lock: make(chan struct{}, 1), conn: conn}
	s.life, s.end = context.WithCancel(context.Background())
	return s, nil
}

// connect returns a new connection, and the tools that the server lists.
func (c Server) connect(ctx context.Context) (*connection, []toolOffer, error) {
	timeout := cmp.Or(c.ConnectTimeout, DefaultConnectTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("it did not respond within %v", timeout))
	defer cancel()
	conn, err := c.openConnection(ctx, handshake)
	if connectionError(err) != nil {
		conn, err = c.openConnection(ctx, "") // a server that supports only later handshakes
	}
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, conn.kill) // what waits for the server must not wait longer
	defer stop()
	offered, err := conn.list(ctx)
	if err != nil {
		conn.close()
		return nil, nil, err
	}
	return conn, offered, nil
}
