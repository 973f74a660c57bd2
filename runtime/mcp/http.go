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
	client.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
		ctx, cancel := context.WithCancel(r.Context())
		context.AfterFunc(life, cancel)
		r = r.Clone(ctx)
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
		resp.Body = keep(responseOf(r.Context()), resp, cancel)
		return resp, nil
	})
	return &sdk.StreamableClientTransport{
		Endpoint: c.URL, HTTPClient: client, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: MaxMessage,
	}, nil
}

// A body is the body of a response, limited in size. A copy goes to the response
// of the request.
type body struct {
	io.Reader
	io.Closer
	cancel context.CancelFunc
}

// Close closes the body and cancels the request.
func (b *body) Close() error {
	defer b.cancel()
	return b.Closer.Close()
}

func keep(a *response, resp *http.Response, cancel context.CancelFunc) io.ReadCloser {
	from := resp.Body
	limited := &limitedReader{from: from, left: MaxMessage, response: a}
	b := &body{Reader: limited, Closer: from, cancel: cancel}
	switch {
	case a == nil:
	case resp.StatusCode >= 400:
		start := make([]byte, 1000)
		n, _ := io.ReadFull(limited, start)
		text := fmt.Sprintf("it responded with HTTP %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
		if n > 0 {
			text += fmt.Sprintf(": %q", excerpt.Short(string(start[:n]), 200))
		}
		a.fail(errors.New(text))
		b.Reader = io.MultiReader(bytes.NewReader(start[:n]), limited)
	default:
		b.Reader = io.TeeReader(limited, a)
	}
	return b
}

// A limitedReader fails after too many bytes.
type limitedReader struct {
	from     io.Reader
	left     int
	response *response // gets the failure; may be nil
}

func (r *limitedReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if r.left -= n; r.left < 0 {
		err = fmt.Errorf("it sent more than %d bytes in one response", MaxMessage)
		if r.response != nil {
			r.response.fail(err)
		}
		return 0, err
	}
	return n, err
}
