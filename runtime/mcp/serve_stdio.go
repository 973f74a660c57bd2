package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// lastCalls is how long the calls that are going on may take when no more messages can
// come. After that they are cancelled.
const lastCalls = 10 * time.Second

// A serveStdioTransport serves one client over a pair of streams, one message per line. That of
// the SDK ends at a line that is not a message, and loses the responses to messages
// before the end of the stream; this one answers with an error, and waits for them.
type serveStdioTransport struct {
	in  io.ReadCloser
	out io.WriteCloser

	lines  chan []byte
	ended  chan struct{} // closed after the last line
	end    error         // why there are no more lines, io.EOF at the end
	closed chan struct{}
	close  func() error

	writing sync.Mutex
	pending sync.WaitGroup // for the responses to requests
}

func newServeStdioTransport(in io.ReadCloser, out io.WriteCloser) *serveStdioTransport {
	t := &serveStdioTransport{in: in, out: out, lines: make(chan []byte), ended: make(chan struct{}), closed: make(chan struct{})}
	t.close = sync.OnceValue(func() error {
		close(t.closed)
		return errors.Join(in.Close(), out.Close())
	})
	return t
}

// Connect implements [sdk.Transport].
func (t *serveStdioTransport) Connect(context.Context) (sdk.Connection, error) {
	go t.scan()
	return t, nil
}

// scan reads lines until the stream ends. If a read is not ended by closing the stream,
// as one of a terminal, it stays behind.
func (t *serveStdioTransport) scan() {
	defer close(t.ended)
	s := bufio.NewScanner(t.in)
	s.Buffer(nil, MaxMessage)
	for s.Scan() {
		select {
		case t.lines <- bytes.Clone(s.Bytes()):
		case <-t.closed:
			t.end = io.EOF
			return
		}
	}
	switch t.end = s.Err(); {
	case t.end == nil:
		t.end = io.EOF
	case errors.Is(t.end, bufio.ErrTooLong):
		t.end = fmt.Errorf("a message has more than %d bytes", MaxMessage)
	}
}

// Read returns the next message. At the end it waits for the responses to those before.
func (t *serveStdioTransport) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case line := <-t.lines:
			msg, err := t.message(line)
			if msg != nil || err != nil {
				return msg, err
			}
		case <-t.ended:
			t.wait(ctx)
			return nil, t.end
		case <-t.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// message returns the message in a line; nil if it has none. The error is that of
// answering a line that is none.
func (t *serveStdioTransport) message(line []byte) (jsonrpc.Message, error) {
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(line, new(json.RawMessage)); err != nil {
		return nil, t.refuse(jsonrpc.CodeParseError, nil, "the line is not JSON: "+err.Error())
	}
	msg, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, t.refuse(jsonrpc.CodeInvalidRequest, line, "the line is not a message of JSON-RPC 2.0: "+err.Error())
	}
	if r, ok := msg.(*jsonrpc.Request); ok && r.IsCall() {
		t.pending.Add(1)
	}
	return msg, nil
}

// refuse answers a line that is not a message, with the id in it if it has one. The SDK
// writes no id where JSON-RPC wants null.
func (t *serveStdioTransport) refuse(code int, line []byte, reason string) error {
	var m struct{ ID json.RawMessage }
	if json.Unmarshal(line, &m) != nil || len(m.ID) == 0 || m.ID[0] == '{' || m.ID[0] == '[' {
		m.ID = json.RawMessage("null")
	}
	return t.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, m.ID, code, plainjson.String(reason)))
}

// wait waits until every request has its response.
func (t *serveStdioTransport) wait(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		t.pending.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(lastCalls):
	case <-t.closed:
	case <-ctx.Done():
	}
}

// Write sends a message. The SDK writes one response to each request.
func (t *serveStdioTransport) Write(_ context.Context, msg jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(msg)
	if err == nil {
		err = t.write(line)
	}
	if _, ok := msg.(*jsonrpc.Response); ok {
		t.pending.Done()
	}
	return err
}

func (t *serveStdioTransport) write(line []byte) error {
	t.writing.Lock()
	defer t.writing.Unlock()
	_, err := t.out.Write(append(line, '\n'))
	return err
}

// Close ends the exchange.
func (t *serveStdioTransport) Close() error { return t.close() }

// SessionID returns nothing: a pair of streams is its own session.
func (*serveStdioTransport) SessionID() string { return "" }
