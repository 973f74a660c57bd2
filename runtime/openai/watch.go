package openai

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// The limits of [Options.StartTimeout] and [Options.Timeout] where these are 0.
const (
	DefaultStartTimeout = 10 * time.Minute
	DefaultTimeout      = 30 * time.Minute
)

const (
	maxResponse = 8 << 20 // bytes of a response, after decompression
	idleLimit   = 2 * time.Minute
)

// limits are how long a server may take.
type limits struct {
	start time.Duration // until a response begins
	whole time.Duration // until it is complete
	idle  time.Duration // between two parts of its body
}

// limitsOf returns the limits of a model. Models that reason for minutes send nothing
// until they are done, since responses are not streamed.
func limitsOf(o *Options) limits {
	return limits{start: cmp.Or(max(o.StartTimeout, 0), DefaultStartTimeout), whole: cmp.Or(max(o.Timeout, 0), DefaultTimeout), idle: idleLimit}
}

// A watch ends a request that takes too long.
type watch struct {
	limits
	timer *time.Timer
	begin time.Time
	body  io.Reader // nil until the response begins
	read  int       // bytes of the body
}

func (t *transport) newWatch(cancel context.CancelFunc) *watch {
	return &watch{limits: t.limits, timer: time.AfterFunc(min(t.limits.start, t.limits.whole), cancel), begin: time.Now()}
}

// reason returns why the request was ended.
func (w *watch) reason() string {
	switch {
	case time.Since(w.begin) >= w.whole:
		return fmt.Sprintf("the response is not complete after %s", w.whole)
	case w.body == nil:
		return fmt.Sprintf("the response did not begin within %s", w.start)
	}
	return "the response stopped in the middle"
}

var errTooLarge = errors.New("the response is larger than 8 MiB")

// readBody reads the whole body, so that the connection can be used again,
// unless it is too large or stalls.
func (w *watch) readBody(resp *http.Response) ([]byte, error) {
	defer resp.Body.Close()
	w.body = resp.Body
	w.extend()
	body, err := io.ReadAll(w)
	return bytes.TrimPrefix(body, []byte("\ufeff")), err
}

// Read reads the body of the response.
func (w *watch) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if w.read += n; w.read > maxResponse {
		return n, errTooLarge
	}
	if err == nil {
		w.extend()
	}
	return n, err
}

// extend lets the body take its time for the next part.
func (w *watch) extend() { w.timer.Reset(min(w.idle, time.Until(w.begin.Add(w.whole)))) }
