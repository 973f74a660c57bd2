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
	maxAfter   = 60 * time.Second // the longest wait that a server may ask for
	always     = 1 << 30          // retries of a fault that only the option limits
)

// pause returns how long to wait after that many attempts: what the server
// asked for, or a random part of 0.5, 1, 2, 4, 8 seconds, so that many clients
// do not come back together.
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

// refusal makes a fault of a response whose status is not success.
func refusal(resp *http.Response, body []byte, key secret) *fault {
	if resp.StatusCode >= 400 {
		return refused(resp.StatusCode, describe(body), resp.Header, key)
	}
	return &fault{status: resp.StatusCode, text: "the server redirects to " + target(resp, key) +
		", which is refused so that the key reaches no other host; set the base URL to the final address"}
}

// unusable makes a fault of a body that comes with success and, because of err,
// is no chat completion.
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
			status = code // some gateways send 200 and the status inside
		}
		f := refused(status, e, resp.Header, key)
		f.retries = min(f.retries, 2)
		if status < 300 && !e.final() {
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

// target returns scheme and host that a redirect leads to.
func target(resp *http.Response, key secret) string {
	u, err := resp.Location()
	if err != nil {
		return "nowhere"
	}
	return key.hide(excerpt.Printable(u.Scheme+"://"+u.Host, 200))
}

// refused makes a fault of an error that the server reports.
func refused(status int, e apiError, h http.Header, key secret) *fault {
	f := &fault{status: status, text: key.show(e.text, 500), code: e.code}
	if f.text == "" {
		f.text = strings.ToLower(http.StatusText(status))
	}
	switch {
	case e.final():
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

// retryAfter reads how long the server wants us to stay away; 0 means that it
// does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return duration(ms / 1000)
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(text, 64); err == nil {
		return duration(s)
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

func duration(seconds float64) time.Duration {
	const most = 365 * 24 * 3600
	if !(seconds > 0) { // also NaN
		return 0
	}
	return time.Duration(min(seconds, most) * float64(time.Second))
}

// connectionFault makes a fault of a request without an answer. A connection
// that breaks is worth a new one; one that cannot be made is not.
func connectionFault(err error, key secret) *fault {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // leave out the address: failure names it
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
