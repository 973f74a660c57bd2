package openai

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/runtime"
)

// A fault is the failure of one attempt. Its text does not contain the key.
type fault struct {
	status   int               // 0: there was no response
	text     string            // for people
	kind     runtime.ErrorKind // "" where there is no other reason than that the request failed
	retries  int               // how often the request can be repeated
	after    time.Duration     // how long the server asks to wait before that
	attempts int
	err      error
}

// Error returns the text, with the number of attempts when there were several.
func (f *fault) Error() string {
	if f.attempts > 1 {
		return fmt.Sprintf("%s (tried %d times)", f.text, f.attempts)
	}
	return f.text
}

// Unwrap returns the cause, which is safe to show.
func (f *fault) Unwrap() error { return f.err }

// shownBodyFault returns the fault of a body that is not a chat completion.
func shownBodyFault(body []byte, what string, key apiKey) *fault {
	return &fault{status: http.StatusOK, text: "the response " + what + ": " + key.show(string(body), 200)}
}

// statusFault returns the fault of a response whose status is not success.
func statusFault(resp *http.Response, body []byte, key apiKey) *fault {
	if resp.StatusCode >= 400 {
		return apiFault(resp.StatusCode, readAPIError(body), resp.Header, key)
	}
	return &fault{status: resp.StatusCode, text: "the server redirects to " + redirectTarget(resp, key) +
		", which is refused so that the key reaches no other host; set the base URL to the final address"}
}

// bodyFault returns the fault of a body that has status success but, because of
// err, is not a chat completion.
func bodyFault(resp *http.Response, body []byte, err error, key apiKey) *fault {
	status := resp.StatusCode
	trimmed := bytes.TrimSpace(body)
	if len(trimmed) == 0 {
		return &fault{status: status, text: "the body is empty", retries: 2}
	}
	if trimmed[0] == '<' {
		return shownBodyFault(body, "is a web page instead of JSON; check the base URL", key)
	}
	if e := readAPIError(body); e.found {
		if code, err := strconv.Atoi(e.code); err == nil && code >= 400 && code <= 599 {
			status = code // OpenRouter has the status in the body
		}
		f := apiFault(status, e, resp.Header, key)
		f.retries = min(f.retries, 2)
		if status < 300 && !e.final() && f.kind == "" {
			f.retries = 2
		}
		return f
	}
	what := responseError("is not JSON")
	errors.As(err, &what)
	f := shownBodyFault(body, string(what), key)
	f.retries = 2
	return f
}

// redirectTarget returns the scheme and the host of a redirect.
func redirectTarget(resp *http.Response, key apiKey) string {
	u, err := resp.Location()
	if err != nil {
		return "nowhere"
	}
	return key.hide(excerpt.Printable(u.Scheme+"://"+u.Host, 200))
}

// apiFault returns the fault of an error that the server reports.
func apiFault(status int, e apiError, h http.Header, key apiKey) *fault {
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

// connectionFault returns the fault of a request without a response. It is
// retried if the connection broke, but not if none could be made.
func connectionFault(err error, key apiKey) *fault {
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
