package openai

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gram-lang/gramc/internal/excerpt"
)

const (
	firstPause = 500 * time.Millisecond
	longPause  = 8 * time.Second
	maxAfter   = 60 * time.Second // the longest wait that a server can ask for
	always     = 1 << 30          // retries of a fault that only MaxRetries limits
)

// pause returns how long to wait after an attempt, counted from 1: what the
// server asked for, or a random part of 0.5, 1, 2, 4, 8 seconds, so that many
// clients do not return at the same time.
func pause(after time.Duration, attempt int) time.Duration {
	if after > 0 {
		return after
	}
	limit := longPause
	if attempt < 5 {
		limit = firstPause << (attempt - 1)
	}
	return rand.N(limit + 1)
}

// refusal returns the fault of a response whose status is not success.
func refusal(resp *http.Response, body []byte, key secret) *fault {
	if resp.StatusCode >= 400 {
		return refused(resp.StatusCode, describe(body), resp.Header, key)
	}
	return &fault{status: resp.StatusCode, text: "the server redirects to " + target(resp, key) +
		", which is refused so that the key reaches no other host; set the base URL to the final address"}
}

// unusable returns the fault of a body that has status success but, because of
// err, is not a chat completion.
func unusable(resp *http.Response, body []byte, err error, key secret) *fault {
	status := resp.StatusCode
	trimmed := bytes.TrimSpace(body)
	if len(trimmed) == 0 {
		return &fault{status: status, text: "the body is empty", retries: 2}
	}
	if trimmed[0] == '<' {
		return badBody(body, "is a web page instead of JSON; check the base URL", key)
	}
	if e := describe(body); e.found {
		if code, err := strconv.Atoi(e.code); err == nil && code >= 400 && code <= 599 {
			status = code // OpenRouter has the status in the body
		}
		f := refused(status, e, resp.Header, key)
		f.retries = min(f.retries, 2)
		if status < 300 && !e.final() && f.kind == "" {
			f.retries = 2
		}
		return f
	}
	what := responseError("is not JSON")
	errors.As(err, &what)
	f := badBody(body, string(what), key)
	f.retries = 2
	return f
}

// target returns the scheme and the host of a redirect.
func target(resp *http.Response, key secret) string {
	u, err := resp.Location()
	if err != nil {
		return "nowhere"
	}
	return key.hide(excerpt.Printable(u.Scheme+"://"+u.Host, 200))
}

// refused returns the fault of an error that the server reports.
func refused(status int, e apiError, h http.Header, key secret) *fault {
	f := &fault{status: status, text: key.show(e.text, 500), kind: e.reason(status)}
	if f.text == "" {
		f.text = strings.ToLower(http.StatusText(status))
	}
	switch {
	case e.final(), f.kind != "":
	case status == http.StatusRequestTimeout, status == http.StatusConflict,
		status == http.StatusTooManyRequests, status >= 500:
		f.retries = always
	}
	if f.after = retryAfter(h, time.Now()); f.after > maxAfter && f.retries > 0 {
		f.text += fmt.Sprintf("; the server asks to wait %s: try again then", f.after.Round(time.Second))
		f.retries = 0
	}
	return f
}

// retryAfter returns how long the server asks to wait; 0 if it does not.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const year = 365 * 24 * 3600
	seconds, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64)
	seconds /= 1000
	if err != nil {
		seconds, err = strconv.ParseFloat(h.Get("Retry-After"), 64)
	}
	if at, dateErr := http.ParseTime(h.Get("Retry-After")); err != nil && dateErr == nil {
		seconds = at.Sub(now).Seconds()
	}
	if !(seconds > 0) { // also NaN
		return 0
	}
	return time.Duration(min(seconds, year) * float64(time.Second))
}

// connectionFault returns the fault of a request without a response. It is
// retried if the connection broke, but not if none could be made.
func connectionFault(err error, key secret) *fault {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the address, which failure names
	}
	f := &fault{text: key.show(err.Error(), 500)}
	if key.hide(err.Error()) == err.Error() {
		f.err = err
	}
	var op *net.OpError
	switch {
	case errors.As(err, &op) && op.Op == "dial":
		f.text += "; check the base URL and the network"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed):
		f.retries = always
	}
	return f
}
