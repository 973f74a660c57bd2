package modelhttp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// maxEvent is how many bytes an event of a stream may have. OpenAI's Responses API
// ends a stream with an event that has the whole response.
const maxEvent = MaxResponse

// How long, and how many bytes of, the rest of a stream is read after its end mark.
const (
	drainLimit = 50 * time.Millisecond
	drainSize  = 4 << 10
)

var errLargeEvent = errors.New("an event of the stream is larger than 8 MiB")

// A streamBody is the body of a response that is read as it arrives. It ends with
// a [*Fault] if it takes too long or has too long a line; what it reads it does
// not keep.
type streamBody struct {
	client *Client
	limits timeLimits
	status int
	begin  time.Time // of the request
	body   io.ReadCloser
	timer  *time.Timer
	late   atomic.Bool  // the timer ended the body
	begun  *atomic.Bool // the caller has got something from it; see [Client.Stream]
	line   int          // bytes since the last end of a line
	err    error
}

// begunKey is the key, in the context of a request, of whether its response has begun.
type begunKey struct{}

func (c *Client) openStream(resp *http.Response, ctx context.Context, begin time.Time) *streamBody {
	s := &streamBody{client: c, limits: c.limits, status: resp.StatusCode, begin: begin, body: resp.Body}
	s.begun, _ = ctx.Value(begunKey{}).(*atomic.Bool)
	s.timer = time.AfterFunc(time.Hour, func() {
		s.late.Store(true)
		s.body.Close()
	})
	s.timer.Stop()
	return s
}

// left returns how long the next part may take. Until a model says something, it may
// be reasoning, even if the server has begun to respond.
func (s *streamBody) left() time.Duration {
	part := s.client.Idle
	if s.begun != nil && !s.begun.Load() {
		part = max(part, time.Until(s.begin.Add(s.limits.start)))
	}
	return min(part, time.Until(s.begin.Add(s.limits.whole)))
}

// Read implements [io.Reader]. Its error is [io.EOF] or a [*Fault].
func (s *streamBody) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	s.timer.Reset(s.left()) // the time in which the caller uses what it read does not count
	n, err := s.body.Read(p)
	s.timer.Stop()
	if end := bytes.LastIndexByte(p[:n], '\n'); end >= 0 {
		s.line = n - end - 1
	} else if s.line += n; s.line > maxEvent {
		err = errLargeEvent
	}
	switch {
	case err == nil:
		return n, nil
	case s.late.Load():
		s.err = s.client.limits.late(s.begin, s.begun == nil || s.begun.Load())
	case err == io.EOF:
		s.err = io.EOF
	default:
		s.err = s.client.readFault(s.status, err, s.begin)
	}
	return n, s.err
}

// Close ends the request. What a server still sends is read for a moment, so that
// the connection can be used again after an end mark.
func (s *streamBody) Close() error {
	if s.err == nil {
		drain := time.AfterFunc(drainLimit, func() { s.body.Close() })
		io.CopyN(io.Discard, s.body, drainSize)
		drain.Stop()
	}
	return s.body.Close()
}
