package modelhttp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

const dialLimit = 10 * time.Second

// A Client sends the requests of a model. It can be shared.
type Client struct {
	// Sleep waits before a request is repeated. Tests replace it.
	Sleep func(context.Context, time.Duration) error
	// Idle is how long a response may pause after it has begun. Tests change it.
	Idle time.Duration

	provider, variables, base string

	key     apiKey
	send    func(*http.Request) (*http.Response, error) // once, without redirects
	own     bool                                        // the HTTP client is ours
	retries int
	maxWait time.Duration
	limits  timeLimits
	close   func() // closes idle connections
}

// New returns a Client for a provider, whose API has the base URL. The error is a
// [*runtime.Error] of kind [runtime.KindConfiguration] if the key or the base URL cannot
// be used.
func New(p *models.Provider, base string, o *Options) (*Client, error) {
	key, variables := strings.TrimSpace(o.APIKey), strings.Join(p.Keys, " or ")
	if key == "" && variables != "" {
		return nil, runtime.Errorf(runtime.KindConfiguration,
			"no API key for %s: set the environment variable %s, or use --offline to run without a model", p.Name, variables)
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, runtime.Errorf(runtime.KindConfiguration,
			"the API key for %s contains a line break or another control character: check %s", p.Name, variables)
	}
	c := &Client{
		Sleep: retrySleep, Idle: time.Minute,
		provider: p.Name, variables: variables, base: base,
		key: newAPIKey(key), retries: 3, maxWait: cmp.Or(max(o.MaxWait, 0), time.Minute), limits: limitsOf(o), close: func() {},
	}
	if err := checkURL(base); err != nil {
		shown, _, _ := strings.Cut(base, "?")
		shown = shown[strings.LastIndexByte(shown, '@')+1:] // without a password
		return nil, runtime.Errorf(runtime.KindConfiguration, "base URL %q: %w", c.key.hide(shown), err)
	}
	if o.MaxRetries != nil {
		c.retries = max(*o.MaxRetries, 0)
	}
	c.connect(o.HTTPClient)
	return c, nil
}

// connect sets how requests are sent.
func (c *Client) connect(given *http.Client) {
	if given != nil {
		client := *given
		// Go would send the key along to a new host.
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		c.send = client.Do
		return
	}
	transport := &http.Transport{ // it follows no redirects by itself
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: dialLimit}).DialContext,
		TLSHandshakeTimeout:    dialLimit,
		ResponseHeaderTimeout:  min(c.limits.start, c.limits.whole),
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    64,
		MaxResponseHeaderBytes: 64 << 10,
		WriteBufferSize:        1 << 10, // each connection keeps it; larger bodies are written without it
		ForceAttemptHTTP2:      true,
	}
	c.send, c.close, c.own = transport.RoundTrip, transport.CloseIdleConnections, true
}

// checkURL returns what is wrong with a base URL.
func checkURL(base string) error {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return errors.New("not a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("must start with http:// or https://")
	case u.Host == "":
		return errors.New("has no host")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("must have no user, query or fragment")
	}
	return nil
}

// Key returns the key without whitespace around it, "" if there is none.
func (c *Client) Key() string {
	if len(c.key.forms) == 0 {
		return ""
	}
	return c.key.forms[0]
}

// BaseURL returns the base URL.
func (c *Client) BaseURL() string { return c.base }

// Close closes the connections that are not in use, unless they are those of
// [Options.HTTPClient]. The client can still be used.
func (c *Client) Close() error {
	c.close()
	return nil
}

// String returns the provider and the base URL, for logs.
func (c *Client) String() string { return c.key.hide(c.provider + " at " + c.base) }

// Whole sends a request once and returns the response and its whole body, which can also
// be read from the response. Its error is a [*Fault], as is every status but success.
func (c *Client) Whole(req *http.Request) (*http.Response, []byte, error) {
	begin := time.Now()
	resp, err := c.exchange(req, begin)
	if err != nil {
		return nil, nil, err
	}
	body, err := c.limits.readBody(resp, begin, c.Idle)
	if err != nil {
		return nil, nil, c.readFault(resp.StatusCode, err, begin)
	}
	if resp.StatusCode >= 300 {
		return nil, nil, c.statusFault(resp, body)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, body, nil
}

// Open is [Client.Whole] for a response that is read as it arrives. The errors of its
// body are of type [*Fault] too. The caller closes the body.
func (c *Client) Open(req *http.Request) (*http.Response, error) {
	begin := time.Now()
	resp, err := c.exchange(req, begin)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 300 {
		body, err := c.limits.readBody(resp, begin, c.Idle)
		if err != nil {
			return nil, c.readFault(resp.StatusCode, err, begin)
		}
		return nil, c.statusFault(resp, body)
	}
	resp.Body = c.openStream(resp, req.Context(), begin)
	return resp, nil
}

// A Doer sends requests for the SDK of a provider, such as one that calls
// [Client.Open].
type Doer func(*http.Request) (*http.Response, error)

// Do calls d.
func (d Doer) Do(req *http.Request) (*http.Response, error) { return d(req) }

// exchange sends a request and returns the beginning of the response.
func (c *Client) exchange(req *http.Request, begin time.Time) (*http.Response, error) {
	resp, err := c.send(req)
	switch {
	case err == nil:
		return resp, nil
	case c.own && clientTimedOut(err):
		return nil, c.limits.late(begin, false)
	}
	return nil, c.connectionFault(err)
}

// readFault returns the fault of a body that could not be read.
func (c *Client) readFault(status int, err error, begin time.Time) *Fault {
	switch {
	case errors.Is(err, errTooLarge), errors.Is(err, errLargeEvent):
		return &Fault{Status: status, text: err.Error()}
	case errors.Is(err, errTooSlow):
		return c.limits.late(begin, true)
	}
	f := c.connectionFault(err)
	f.brokeOff = true
	if !clientTimedOut(err) {
		f.retries = always // the connection broke; nothing was done with the body
	}
	return f
}

// clientTimedOut reports whether a connection was too slow, other than in being made.
func clientTimedOut(err error) bool {
	var slow net.Error
	var op *net.OpError
	return errors.As(err, &slow) && slow.Timeout() && !(errors.As(err, &op) && op.Op == "dial")
}
