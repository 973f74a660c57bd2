package modelhttp

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// The limits of [Options.StartTimeout] and [Options.Timeout] where these are 0.
const (
	DefaultStartTimeout = 10 * time.Minute
	DefaultTimeout      = 30 * time.Minute
)

// MaxResponse is how many bytes of a response are kept: of a whole body after
// decompression, or of the pieces of a stream.
const MaxResponse = 8 << 20

// timeLimits are how long a server may take.
type timeLimits struct {
	start time.Duration // until a response begins
	whole time.Duration // until it is complete
}

// limitsOf returns the limits of a client. Models that reason for minutes send nothing
// until they are done.
func limitsOf(o *Options) timeLimits {
	return timeLimits{start: cmp.Or(max(o.StartTimeout, 0), DefaultStartTimeout), whole: cmp.Or(max(o.Timeout, 0), DefaultTimeout)}
}

// A watch reads the body of a response, and ends it if it takes too long.
type watch struct {
	timeLimits
	idle  time.Duration // between two parts of its body
	begin time.Time     // of the request
	body  io.ReadCloser
	timer *time.Timer
	late  atomic.Bool // the timer ended the body
	read  int         // bytes of the body
}

var (
	errTooLarge = errors.New("the response is larger than 8 MiB")
	errTooSlow  = errors.New("the response takes too long")
)

// late returns the fault of a request that took too long.
func (l timeLimits) late(begin time.Time, begun bool) *Fault {
	switch {
	case time.Since(begin) >= l.whole:
		return &Fault{text: fmt.Sprintf("the response is not complete after %s", l.whole)}
	case !begun:
		return &Fault{text: fmt.Sprintf("the response did not begin within %s", l.start)}
	}
	return &Fault{text: "the response stopped in the middle"}
}

// readBody reads the whole body, so that the connection can be used again, unless
// it is too large or too slow.
func (l timeLimits) readBody(resp *http.Response, begin time.Time, idle time.Duration) ([]byte, error) {
	defer resp.Body.Close()
	w := &watch{timeLimits: l, idle: idle, begin: begin, body: resp.Body}
	w.timer = time.AfterFunc(w.left(), func() {
		w.late.Store(true)
		w.body.Close()
	})
	body, err := io.ReadAll(w)
	w.timer.Stop()
	if w.late.Load() && err != nil && err != errTooLarge {
		return nil, errTooSlow
	}
	return bytes.TrimPrefix(body, []byte("\ufeff")), err
}

// left returns how long the next part of the body may take.
func (w *watch) left() time.Duration { return min(w.idle, time.Until(w.begin.Add(w.whole))) }

// Read implements [io.Reader].
func (w *watch) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if w.read += n; w.read > MaxResponse {
		return n, errTooLarge
	}
	if err == nil {
		w.timer.Reset(w.left())
	}
	return n, err
}
