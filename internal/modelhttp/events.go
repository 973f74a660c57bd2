package modelhttp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// An Event is one event of a stream of server-sent events.
type Event struct {
	Type string // "" where the server gives none
	Data []byte // valid until the next event is read
}

// An EventReader reads server-sent events, as
// https://html.spec.whatwg.org/multipage/server-sent-events.html defines them, but
// lines do not end with a lone CR, and the last event needs no blank line after it.
// Fields other than event and data, and events without data, are skipped. An event
// has at most [MaxResponse] bytes.
type EventReader struct {
	lines *bufio.Reader
	line  []byte // a line that does not fit the buffer of lines
	data  []byte
	begun bool
}

// usualEvent is how many bytes nearly all events of a stream do not have. A server has thousands of
// streams, which wait most of the time.
const usualEvent = 1 << 10

// NewEventReader returns a reader of body. [Client.Open] limits how long it takes.
func NewEventReader(body io.Reader) *EventReader {
	return &EventReader{lines: bufio.NewReaderSize(body, usualEvent)}
}

// IsStream reports whether the body has events, and is not a text in one piece, as of a
// server that does not stream: JSON, a web page, nothing. It is called before Next.
func (r *EventReader) IsStream() bool {
	for i := 1; ; i++ {
		start, err := r.lines.Peek(i)
		if err != nil {
			return !errors.Is(err, io.EOF) // other errors are those of Next
		}
		switch c := start[i-1]; c {
		case ' ', '\t', '\r', '\n', 0xef, 0xbb, 0xbf: // and a byte order mark
		default:
			return strings.IndexByte(":deir", c) >= 0 // a comment, data, event, id or retry
		}
	}
}

// Whole returns a body that is no stream, without a byte order mark. The error is a
// [*Fault], also if it has more than [MaxResponse] bytes.
func (r *EventReader) Whole() ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r.lines, MaxResponse+1))
	if err == nil && len(text) > MaxResponse {
		err = LargeFault()
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), err
}

// Next returns the next event. The error is that of the body: [io.EOF] at its end,
// or a [*Fault].
func (r *EventReader) Next() (Event, error) {
	var e Event
	r.data = r.data[:0]
	for found := false; ; {
		line, err := r.readLine()
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case len(line) == 0 && found:
			e.Data = r.data
			return e, nil
		case len(line) == 0:
			e.Type = ""
		case string(name) == "event":
			e.Type = string(value)
		case string(name) == "data":
			if found {
				r.data = append(r.data, '\n')
			}
			found = true
			if r.data = append(r.data, value...); len(r.data) > maxEvent {
				return Event{}, largeFault(errLargeEvent)
			}
		}
		if err == io.EOF && found {
			e.Data = r.data
			return e, nil
		}
		if err != nil {
			return Event{}, err
		}
	}
}

// readLine returns the next line without its end. With an error, it is what came
// before the error.
func (r *EventReader) readLine() ([]byte, error) {
	line, err := r.lines.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.line = r.line[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			if r.line = append(r.line, line...); len(r.line) > maxEvent {
				return nil, largeFault(errLargeEvent)
			}
			line, err = r.lines.ReadSlice('\n')
		}
		r.line = append(r.line, line...)
		line = r.line
	}
	if !r.begun {
		r.begun = true
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), err
}
