package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// A roundTripper is a function that is an [http.RoundTripper].
type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// overHTTP returns a transport to the URL of a server. All of its requests end
// with life.
func overHTTP(life context.Context, c Server) (sdk.Transport, error) {
	home, err := url.Parse(c.URL)
	if err != nil || home.Host == "" || home.Scheme != "http" && home.Scheme != "https" {
		return nil, errors.New("its url is not an http or https address") // not shown: it may hold a key
	}
	client := &http.Client{}
	if c.HTTPClient != nil {
		*client = *c.HTTPClient
	}
	next := client.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	recorder := &recorder{Transport: &sdk.StreamableClientTransport{
		Endpoint: c.URL, HTTPClient: client, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: MaxMessage,
	}}
	client.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
		ctx, cancel := context.WithCancel(r.Context())
		context.AfterFunc(life, cancel)
		r = r.Clone(ctx)
		if version := recorder.protocolVersion(); version != "" && r.Header.Get(versionHeader) == "" {
			r.Header.Set(versionHeader, version)
		}
		if r.URL.Scheme == home.Scheme && r.URL.Host == home.Host { // never where a redirect leads
			for name, value := range c.Headers {
				r.Header.Set(name, value)
			}
		}
		resp, err := next.RoundTrip(r)
		if err != nil {
			cancel()
			return nil, err
		}
		resp.Body = limitHTTPBody(recordedResponseOf(r.Context()), resp, cancel)
		return resp, nil
	})
	return recorder, nil
}

// versionHeader has the version of the protocol. The SDK sets it on connections of
// its own, and not where a recorder stands between.
const versionHeader = "Mcp-Protocol-Version"

// A limitedBody is the body of a response. It fails after too many bytes.
type limitedBody struct {
	io.ReadCloser
	left     int
	response *recordedResponse // gets the failure
	cancel   context.CancelFunc
}

// limitHTTPBody limits the body of a response, and notes the start of one that reports a
// failure.
func limitHTTPBody(a *recordedResponse, resp *http.Response, cancel context.CancelFunc) io.ReadCloser {
	if a == nil {
		a = new(recordedResponse) // of a notification, for which nobody waits
	}
	a.mu.Lock()
	a.status = resp.StatusCode
	a.mu.Unlock()
	b := &limitedBody{resp.Body, MaxMessage, a, cancel}
	if resp.StatusCode < 400 {
		return b
	}
	start := make([]byte, 1000)
	n, _ := io.ReadFull(b, start)
	text := fmt.Sprintf("it responded with HTTP %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if n > 0 {
		text += fmt.Sprintf(": %q", excerpt.Short(string(start[:n]), 200))
	}
	a.fail(errors.New(text))
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(start[:n]), b), b}
}

// Read reads from the body.
func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		err = fmt.Errorf("it sent more than %d bytes in one response", MaxMessage)
		b.response.fail(err)
		return 0, err
	}
	return n, err
}

// Close closes the body and cancels the request.
func (b *limitedBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
