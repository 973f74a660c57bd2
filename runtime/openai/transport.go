package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

const (
	maxAnswer   = 8 << 20          // bytes of an answer, after decompression
	idleLimit   = 60 * time.Second // without a byte of the body
	headerLimit = 120 * time.Second
	dialLimit   = 10 * time.Second
)

// A transport sends one request of go-openai and everything it takes to get
// an answer: go-openai has no retries, no limits, and loses the headers that
// say when to come back. It hands on nothing but complete 2xx bodies that look
// like a chat completion.
type transport struct {
	send    func(*http.Request) (*http.Response, error) // once, without redirects
	key     secret
	retries int
	idle    time.Duration
	wait    func(context.Context, time.Duration) error // sleep, replaced in tests
}

func newTransport(c *http.Client, key secret, retries int) *transport {
	t := &transport{key: key, retries: retries, idle: idleLimit, wait: sleep}
	if c != nil {
		client := *c
		// Go would send the key along to a new host.
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		t.send = client.Do
		return t
	}
	t.send = (&http.Transport{ // it follows no redirects by itself
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: dialLimit}).DialContext,
		TLSHandshakeTimeout:    dialLimit,
		ResponseHeaderTimeout:  headerLimit,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    8,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
	}).RoundTrip
	return t
}

// An exchange is what Generate and the transport tell each other about one
// call, past go-openai. It travels in the context of the request.
type exchange struct {
	inserts []insert // to splice into the request, in order
	sent    bool     // the transport was reached
	answer  *runtime.Response
}

type exchangeKey struct{}

// Do sends req until there is an answer to hand on or no hope for one. Its
// error is a fault, or that of the context.
func (t *transport) Do(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	x := ctx.Value(exchangeKey{}).(*exchange)
	x.sent = true
	if err := splice(req, x.inserts); err != nil {
		return nil, connectionFault(err, t.key)
	}
	for attempt := 1; ; attempt++ {
		resp, answer, f := t.try(req)
		if f == nil {
			x.answer = answer
			resp.Body = io.NopCloser(strings.NewReader("{}")) // go-openai has nothing to read; see completion
			return resp, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.attempts = attempt
		if attempt > min(t.retries, f.retries) {
			return nil, f
		}
		d := pause(f.after, attempt)
		if end, ok := ctx.Deadline(); ok && time.Until(end) < d {
			return nil, f // waiting would only replace this error by a worse one
		}
		if err := t.wait(ctx, d); err != nil {
			return nil, err
		}
		again, err := req.GetBody()
		if err != nil {
			return nil, connectionFault(err, t.key)
		}
		req = req.WithContext(ctx) // a copy: the last attempt may still hold the old one
		req.Body = again
	}
}

// try sends req once.
func (t *transport) try(req *http.Request) (*http.Response, *runtime.Response, *fault) {
	resp, err := t.send(req)
	if err != nil {
		return nil, nil, connectionFault(err, t.key)
	}
	body, err := readBody(resp, t.idle)
	switch {
	case errors.Is(err, errTooLarge):
		return nil, nil, &fault{status: resp.StatusCode, text: err.Error()}
	case err != nil:
		f := connectionFault(err, t.key)
		var slow net.Error
		if err != errStalled && !(errors.As(err, &slow) && slow.Timeout()) {
			f.retries = always // it broke off; nothing of it was used
		}
		return nil, nil, f
	}
	answer, f := examine(resp, body, t.key)
	return resp, answer, f
}

var (
	errTooLarge = errors.New("the answer is larger than 8 MiB")
	errStalled  = errors.New("the answer stopped in the middle")
)

// readBody reads the whole body, so that the connection can be used again,
// unless it is too large or stalls.
func readBody(resp *http.Response, idle time.Duration) ([]byte, error) {
	defer resp.Body.Close()
	watch := time.AfterFunc(idle, func() { resp.Body.Close() })
	defer watch.Stop()
	size := min(max(resp.ContentLength, 511), 1<<20) // the length may be a lie, or unknown
	body := make([]byte, 0, size+1)
	for {
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
		n, err := resp.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case len(body) > maxAnswer:
			return nil, errTooLarge
		case err == io.EOF:
			return bytes.TrimPrefix(body, []byte("\ufeff")), nil
		case err != nil:
			if !watch.Stop() {
				return nil, errStalled
			}
			return nil, err
		}
		watch.Reset(idle)
	}
}

// An insert is the text to put in place of the next such marker.
type insert struct {
	marker string
	text   []byte
}

// splice replaces the markers in the body of req.
func splice(req *http.Request, inserts []insert) error {
	if len(inserts) == 0 {
		return nil
	}
	size := req.ContentLength
	for i := range inserts {
		size += int64(len(inserts[i].text))
	}
	body := make([]byte, req.ContentLength)
	if _, err := io.ReadFull(req.Body, body); err != nil {
		return err
	}
	out := make([]byte, 0, size)
	for i := range inserts {
		before, after, ok := bytes.Cut(body, []byte(inserts[i].marker))
		if !ok {
			panic("openai: no place for " + inserts[i].marker)
		}
		out = append(append(out, before...), inserts[i].text...)
		body = after
	}
	out = append(out, body...)
	req.ContentLength = int64(len(out))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(out)), nil }
	req.Body, _ = req.GetBody()
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
