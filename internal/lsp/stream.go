package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// The limits of one message.
const (
	maxHeader  = 8 << 10
	maxContent = 128 << 20 // the text of the largest file, however it is escaped
)

// A stream reads and writes the frames of the base protocol. It responds to
// frames that are no messages, and skips them.
type stream struct {
	in  *bufio.Reader
	out io.Writer

	queue  chan []byte // frames to write, so that a slow reader does not stop ours
	closed chan struct{}
	once   sync.Once
	wrote  chan struct{} // closed when everything is written
}

// maxQueue is how many frames may wait for the client to read them.
const maxQueue = 1024

func newStream(rw io.ReadWriter) *stream {
	s := &stream{
		in: bufio.NewReaderSize(rw, maxHeader), out: rw,
		queue: make(chan []byte, maxQueue), closed: make(chan struct{}), wrote: make(chan struct{}),
	}
	go s.write()
	return s
}

// write writes frames until the stream is closed.
func (s *stream) write() {
	defer close(s.wrote)
	for {
		var frame []byte
		select {
		case frame = <-s.queue:
		default:
			select {
			case frame = <-s.queue:
			case <-s.closed:
				return
			}
		}
		if _, err := s.out.Write(frame); err != nil {
			return
		}
	}
}

// WriteObject sends a message.
func (s *stream) WriteObject(v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return err
	}
	frame := append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(content)), content...)
	select {
	case <-s.wrote:
		return io.ErrClosedPipe
	case s.queue <- frame:
		return nil
	}
}

// Close ends the stream, and what waits is still written.
func (s *stream) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

// ReadObject reads the next message into v, which jsonrpc2 gives.
func (s *stream) ReadObject(v any) error {
	for {
		content, err := s.frame()
		if err != nil {
			return err
		}
		id, problem := inspectStreamMessage(content)
		if problem == nil {
			if err := json.Unmarshal(content, v); err == nil {
				return nil
			}
			problem = &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "this is neither a request nor a response"}
		}
		response := struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Error   *jsonrpc2.Error `json:"error"`
		}{"2.0", id, problem}
		if err := s.WriteObject(response); err != nil {
			return err
		}
	}
}

// inspectStreamMessage returns the problem of a message before it is decoded, and the id for
// the response, null if there is none.
func inspectStreamMessage(content []byte) (id json.RawMessage, problem *jsonrpc2.Error) {
	id = json.RawMessage("null")
	content = bytes.TrimSpace(content)
	envelope := struct {
		ID json.RawMessage `json:"id"`
	}{json.RawMessage("null")}
	switch {
	case !json.Valid(content):
		return id, &jsonrpc2.Error{Code: jsonrpc2.CodeParseError, Message: "the message is not JSON"}
	case content[0] == '[':
		return id, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "batches are not part of the language server protocol"}
	case json.Unmarshal(content, &envelope) != nil:
		return id, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the message is not an object"}
	case envelope.ID[0] == '"' || string(envelope.ID) == "null":
		return envelope.ID, nil
	}
	if _, err := strconv.ParseUint(string(envelope.ID), 10, 63); err != nil {
		if envelope.ID[0] == '{' || envelope.ID[0] == '[' {
			envelope.ID = id
		}
		return envelope.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the id is neither text nor a whole number from 0"}
	}
	return envelope.ID, nil
}

// frame reads the content of the next frame.
func (s *stream) frame() ([]byte, error) {
	size, err := s.header()
	if err != nil {
		return nil, err
	}
	if size > maxContent { // the frame is skipped, and reported as no JSON
		_, err := io.CopyN(io.Discard, s.in, size)
		return nil, err
	}
	var content bytes.Buffer // it grows with what comes, whatever the header says
	_, err = io.CopyN(&content, s.in, size)
	return content.Bytes(), err
}

// header reads the header of a frame and returns the length of its content. A
// header without one is skipped.
func (s *stream) header() (size int64, err error) {
	size, read := -1, 0
	for {
		line, err := s.in.ReadSlice('\n')
		if read += len(line); read > maxHeader || errors.Is(err, bufio.ErrBufferFull) {
			return 0, fmt.Errorf("the header of a message is longer than %d bytes", maxHeader)
		}
		if err != nil {
			return 0, err
		}
		name, value, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		switch {
		case name == "" && size >= 0:
			return size, nil
		case name == "": // no header at all: a stray line
			read = 0
		case strings.EqualFold(strings.TrimSpace(name), "Content-Length"):
			if n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64); err == nil && n >= 0 {
				size = n
			}
		}
	}
}
