package modelhttp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/runtime"
)

// A Fault is the failure of one attempt. Its text does not contain the key.
type Fault struct {
	Status int               // 0: there was no response
	Kind   runtime.ErrorKind // "" where there is no other reason than that the request failed

	text     string        // for people
	retries  int           // how often the request can be repeated
	after    time.Duration // how long the server asks to wait before that
	attempts int
	brokeOff bool // a part of the response came
	unsent   bool // there was no connection for the request
	refused  bool // the request itself is wrong
	err      error
}

// mayBeCharged reports whether the provider may have done the work that was asked for:
// where the response broke off or cannot be used, or a proxy gave up waiting for it.
func (f *Fault) mayBeCharged() bool {
	switch f.Status {
	case 0:
		return !f.unsent
	case http.StatusRequestTimeout, http.StatusBadGateway, http.StatusGatewayTimeout, 520, 522, 524: // the last three of Cloudflare
		return true
	}
	return f.Status < 300
}

// Error returns the text, with the number of attempts when there were several.
func (f *Fault) Error() string {
	if f.attempts > 1 {
		return fmt.Sprintf("%s (tried %d times)", f.text, f.attempts)
	}
	return f.text
}

// Unwrap returns the cause, which is safe to show.
func (f *Fault) Unwrap() error { return f.err }

// shownBodyFault returns the fault of a body that is no response of a model.
func (c *Client) shownBodyFault(body []byte, what string) *Fault {
	return &Fault{Status: http.StatusOK, text: "the response " + what + ": " + c.key.show(string(body), 200)}
}

// statusFault returns the fault of a response whose status is not success.
func (c *Client) statusFault(resp *http.Response, body []byte) *Fault {
	if resp.StatusCode >= 400 {
		return c.apiFault(resp.StatusCode, readAPIError(body), resp.Header)
	}
	return &Fault{Status: resp.StatusCode, text: "the server redirects to " + c.redirectTarget(resp) +
		", which is refused so that the key reaches no other host; set the base URL to the final address"}
}

// BodyFault returns the fault of a body, or of an event of a stream, that came with
// status success but is no response of a model: it reports an error, or cannot be
// used because of what, such as "has no choices".
func (c *Client) BodyFault(resp *http.Response, body []byte, what string) *Fault {
	status := resp.StatusCode
	trimmed := bytes.TrimSpace(body)
	if len(trimmed) == 0 {
		return &Fault{Status: status, text: "the body is empty", retries: 2}
	}
	if trimmed[0] == '<' {
		return c.shownBodyFault(body, "is a web page instead of JSON; check the base URL")
	}
	if e := readAPIError(body); e.found {
		if code, err := strconv.Atoi(e.code); err == nil && code >= 400 && code <= 599 {
			status = code // OpenRouter has the status in the body
		}
		f := c.apiFault(status, e, resp.Header)
		f.retries = min(f.retries, 2)
		if status < 300 && !e.final() && e.reason(status) == "" {
			f.retries = 2
		}
		return f
	}
	f := c.shownBodyFault(body, what)
	f.retries = 2
	return f
}

// redirectTarget returns the scheme and the host of a redirect.
func (c *Client) redirectTarget(resp *http.Response) string {
	u, err := resp.Location()
	if err != nil {
		return "nowhere"
	}
	return c.key.hide(excerpt.Printable(u.Scheme+"://"+u.Host, 200))
}

// apiFault returns the fault of an error that the server reports.
func (c *Client) apiFault(status int, e apiError, h http.Header) *Fault {
	f := &Fault{Status: status, text: c.key.show(e.text, 500), Kind: e.reason(status)}
	if f.text == "" {
		f.text = strings.ToLower(http.StatusText(status))
	}
	switch {
	case e.final(), f.Kind != "": // the same request would fail again
	case status == http.StatusRequestTimeout, status == http.StatusConflict,
		status == http.StatusTooManyRequests, status >= 500:
		f.retries = always
	}
	if f.Kind == "" {
		f.Kind, f.refused = e.busy(status), e.refuses(status)
	}
	if f.after = max(retryAfter(h, time.Now()), e.after); f.after > c.maxWait && f.retries > 0 {
		f.text += fmt.Sprintf("; the server asks to wait %s: try again then", f.after.Round(time.Second))
		f.retries = 0
	}
	return f
}

// connectionFault returns the fault of a request without a response. It is
// retried if the connection broke, but not if none could be made.
func (c *Client) connectionFault(err error) *Fault {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the address, which failure names
	}
	f := &Fault{text: c.key.show(err.Error(), 500)}
	if c.key.hide(err.Error()) == err.Error() {
		f.err = err
	}
	var op *net.OpError
	f.unsent = errors.As(err, &op) && op.Op == "dial"
	switch {
	case f.unsent && c.variables == "" && c.provider != "": // it runs on this machine
		f.text += fmt.Sprintf("; check that %s is running there, and the base URL", c.provider)
	case f.unsent:
		f.text += "; check the base URL and the network"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed),
		errors.As(err, new(textproto.ProtocolError)): // in a header that is cut
		f.retries = always
	}
	return f
}

// EndFault returns the fault of a stream that ended before it was complete.
func EndFault() *Fault {
	return &Fault{text: "the response ended before it was complete", retries: always, brokeOff: true}
}

// LargeFault returns the fault of a response that has more than [MaxResponse] bytes.
func LargeFault() *Fault { return largeFault(errTooLarge) }

func largeFault(err error) *Fault { return &Fault{Status: http.StatusOK, text: err.Error()} }

// failure returns err, the error of a request for a model, for the person who
// started it.
func (c *Client) failure(ctx context.Context, model string, made runtime.Attempts, err error) error {
	err = c.explain(ctx, model, err)
	var known *runtime.Error
	if errors.As(err, &known) && known.Attempts == (runtime.Attempts{}) {
		known.Attempts = made
	}
	return err
}

func (c *Client) explain(ctx context.Context, model string, err error) error {
	base := c.key.hide(c.base)
	var known *runtime.Error
	var f *Fault
	switch stop := ctx.Err(); {
	case stop != nil:
		return runtime.Errorf(runtime.KindLLMAPI, "Network error: the request to %s was stopped: %w", base, stop)
	case errors.As(err, &known):
		return err
	case !errors.As(err, &f):
		return runtime.Errorf(runtime.KindLLMAPI, "the request to %s failed: %s", base, c.key.hide(err.Error()))
	}
	e := &runtime.Error{Kind: cmp.Or(f.Kind, runtime.KindLLMAPI), Message: fmt.Sprintf("API error: %d - %s", f.Status, f), Err: f, Wait: f.after, Refused: f.refused}
	if f.Status > 0 && f.Status < 300 { // an error with the status of success
		e.Message = fmt.Sprintf("API error of %s: %s", base, f)
	}
	switch {
	case f.brokeOff:
		e.Message = fmt.Sprintf("Network error with %s: %s", base, f)
	case f.Status == 0:
		e.Message = fmt.Sprintf("Network error: no response from %s: %s", base, f)
	case f.Kind == runtime.KindConfiguration && c.variables == "":
		e.Message = fmt.Sprintf("%s wants a key, and none is sent to it as a rule (%s)", c.provider, e.Message)
	case f.Kind == runtime.KindConfiguration:
		e.Message = fmt.Sprintf("invalid API key or no permission: %s refuses it; check %s (%s)", c.provider, c.variables, e.Message)
	case f.Kind == runtime.KindContextOverflow:
		e.Message = fmt.Sprintf("the conversation is too long for model %q (%s)", model, e.Message)
	case f.Kind == runtime.KindContentFilter:
		e.Message = fmt.Sprintf("a content filter refuses the conversation (%s)", e.Message)
	case f.Status == http.StatusNotFound:
		e.Message = strings.TrimSuffix(e.Message, ".") + fmt.Sprintf("; check the model %q and the base URL %s", model, base)
	}
	return e
}
