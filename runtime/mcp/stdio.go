package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/process"
)

// Limits of the messages of a server.
const (
	MaxMessage = 8 << 20 // bytes of one message
	maxNoise   = 1 << 20 // bytes on stdout that are not messages
	maxAsked   = 64      // requests of the server that have no response yet
)

// A stdioPipes is a connection over the stdin and stdout of a process: one message
// per line. Other lines are skipped.
type stdioPipes struct {
	process  *process.Process
	incoming chan jsonrpc.Message
	ended    chan struct{} // closed after the last message
	writing  sync.Mutex

	mu      sync.Mutex
	failure error // why it ended; nil while it has not
	asked   int   // requests of the server that have no response yet
	noise   int
	example string // of noise
}

// Connect makes a pipes a transport for itself.
func (c *stdioPipes) Connect(context.Context) (sdk.Connection, error) { return c, nil }

func startStdioPipes(c process.Command) (*stdioPipes, error) {
	p, err := process.Start(c)
	if err != nil {
		return nil, err
	}
	conn := &stdioPipes{
		process:  p,
		incoming: make(chan jsonrpc.Message),
		ended:    make(chan struct{}),
	}
	go conn.read()
	return conn, nil
}

// read reads messages from stdout until it ends or exceeds a limit.
func (c *stdioPipes) read() {
	lines := bufio.NewScanner(c.process.Stdout)
	lines.Buffer(nil, MaxMessage)
	var failure error
	for failure == nil && lines.Scan() {
		failure = c.line(bytes.TrimSpace(lines.Bytes()))
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		failure = fmt.Errorf("it sent a message of more than %d bytes and was stopped", MaxMessage)
	case failure == nil:
		failure = c.atEnd()
	}
	c.mu.Lock()
	c.failure = failure
	c.mu.Unlock()
	close(c.ended)
	if failure != io.EOF {
		c.process.Kill()
	}
	_, _ = io.Copy(io.Discard, c.process.Stdout)
	_ = c.process.Stdout.Close()
}

// atEnd returns why stdout ended.
func (c *stdioPipes) atEnd() error {
	select {
	case <-c.process.Done():
		return io.EOF
	case <-time.After(closeTimeout):
		return errors.New("it closed its stdout")
	}
}

// line reads one line of stdout. Its error ends the connection.
func (c *stdioPipes) line(line []byte) error {
	if len(line) == 0 {
		return nil
	}
	msg, err := jsonrpc.DecodeMessage(bytes.Clone(line))
	if err != nil {
		if line[0] == '{' && bytes.Contains(line, []byte(`"jsonrpc"`)) {
			return fmt.Errorf("it sent a message that cannot be read and was stopped: %w", err)
		}
		return c.skip(line)
	}
	if request, ok := msg.(*jsonrpc.Request); ok {
		if !request.IsCall() {
			return nil // notifications are not used
		}
		c.mu.Lock()
		c.asked++
		asked := c.asked
		c.mu.Unlock()
		if asked > maxAsked {
			return fmt.Errorf("it sent more than %d requests without waiting for a response and was stopped", maxAsked)
		}
	}
	select {
	case c.incoming <- msg:
	case <-c.process.Done():
	}
	return nil
}

// skip ignores a line that is not a message, up to maxNoise bytes.
func (c *stdioPipes) skip(line []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.noise += len(line) + 1
	if c.example == "" {
		c.example = excerpt.Short(string(line), 200)
	}
	if c.noise > maxNoise {
		return fmt.Errorf("it wrote more than %d bytes to stdout that are not messages, for example %q, and was stopped",
			maxNoise, c.example)
	}
	return nil
}

// Read returns the next message.
func (c *stdioPipes) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.incoming:
		return msg, nil
	case <-c.ended:
		return nil, c.err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write sends a message. A server that does not read keeps it waiting, but not
// beyond the end of ctx.
func (c *stdioPipes) Write(ctx context.Context, msg jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if _, ok := msg.(*jsonrpc.Response); ok {
		c.mu.Lock()
		c.asked--
		c.mu.Unlock()
	}
	done := make(chan error, 1)
	go func() {
		c.writing.Lock()
		defer c.writing.Unlock()
		_, err := c.process.Stdin.Write(append(line, '\n'))
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-c.ended:
		return c.err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close starts to end the process. It does not wait: the SDK holds a lock.
func (c *stdioPipes) Close() error {
	go c.process.Close()
	return nil
}

// SessionID returns nothing: a process is its own session.
func (*stdioPipes) SessionID() string { return "" }

// broke reports whether a request failed because the connection ended, and waits
// until the reason is known.
func (c *stdioPipes) broke(err error) bool {
	var writing *fs.PathError
	if !errors.Is(err, sdk.ErrConnectionClosed) && !errors.As(err, &writing) && (c.err() == nil || !errors.Is(err, c.err())) {
		return false
	}
	select {
	case <-c.ended:
		return true
	case <-time.After(2 * closeTimeout):
		return false
	}
}

func (c *stdioPipes) err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// noisy returns an example of what the process wrote to stdout besides messages,
// or "".
func (c *stdioPipes) noisy() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.example
}
