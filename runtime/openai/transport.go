package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/provider/chat"
	"github.com/gram-lang/gramc/runtime"
)

const dialLimit = 10 * time.Second

// A modelTransport sends the requests of a model.
type modelTransport struct {
	send    func(*http.Request) (*http.Response, error) // once, without redirects
	key     apiKey
	retries int
	limits  timeLimits
	own     bool                                       // the HTTP client is ours
	wait    func(context.Context, time.Duration) error // sleep, replaced in tests
	close   func()                                     // closes idle connections
}

func newTransport(o *Options, key apiKey) *modelTransport {
	t := &modelTransport{key: key, retries: 3, limits: limitsOf(o), wait: retrySleep, close: func() {}}
	if o.MaxRetries != nil {
		t.retries = max(*o.MaxRetries, 0)
	}
	if o.HTTPClient != nil {
		client := *o.HTTPClient
		// Go would send the key along to a new host.
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		t.send = client.Do
		return t
	}
	client := &http.Transport{ // it follows no redirects by itself
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: dialLimit}).DialContext,
		TLSHandshakeTimeout:    dialLimit,
		ResponseHeaderTimeout:  min(t.limits.start, t.limits.whole),
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    64,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
	}
	t.send, t.close, t.own = client.RoundTrip, client.CloseIdleConnections, true
	return t
}

// An exchange is one request of go-openai and its response.
type exchange struct {
	*modelTransport
	add  chat.Additions
	sent bool           // go-openai made a request
	resp *http.Response // with success; its body is used up
	body []byte         // of resp
}

// exchangeKey is the key of the [exchange] in the context of its request.
type exchangeKey struct{}

// Do is what the client of go-openai sends its requests with. It does what
// go-openai lacks: it limits and keeps the response, and adds to the request
// what is not left to go-openai. It sends a request once. Its error is a
// [*fault], as is every status but success.
func (t *modelTransport) Do(req *http.Request) (*http.Response, error) {
	x := req.Context().Value(exchangeKey{}).(*exchange)
	x.sent = true
	if err := x.complete(req); err != nil {
		return nil, connectionFault(err, t.key)
	}
	begin := time.Now()
	resp, err := t.send(req)
	if err != nil {
		if t.own && isTimeout(err) {
			return nil, t.limits.late(begin, false)
		}
		return nil, connectionFault(err, t.key)
	}
	body, err := t.limits.readBody(resp, begin)
	switch {
	case errors.Is(err, errTooLarge):
		return nil, &fault{status: resp.StatusCode, text: err.Error()}
	case errors.Is(err, errTooSlow):
		return nil, t.limits.late(begin, true)
	case err != nil:
		f := connectionFault(err, t.key)
		if !isTimeout(err) {
			f.retries = always // the connection broke; nothing of the body was used
		}
		return nil, f
	case resp.StatusCode >= 300:
		return nil, statusFault(resp, body, t.key)
	}
	x.resp, x.body = resp, body
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// isTimeout reports whether a connection was too slow, other than in being made.
func isTimeout(err error) bool {
	var slow net.Error
	var op *net.OpError
	return errors.As(err, &slow) && slow.Timeout() && !(errors.As(err, &op) && op.Op == "dial")
}

// read returns the response that go-openai decoded to c, unless err says that
// it could not. Then it reads the body again, more leniently.
func (x *exchange) read(c openai.ChatCompletionResponse, err error) (*runtime.Response, error) {
	if x.resp == nil {
		return nil, err
	}
	// go-openai stops at the end of the first value.
	if err == nil && isComplete(&c) && bytes.HasSuffix(bytes.TrimSpace(x.body), []byte("}")) {
		return convertResponse(&c, extrasOf(x.body)), nil
	}
	rewritten, err := rewriteDeviations(x.body)
	if err != nil {
		return nil, bodyFault(x.resp, x.body, err, x.key)
	}
	return convertResponse(rewritten, extrasOf(x.body)), nil
}

// complete adds to req what go-openai could not.
func (x *exchange) complete(req *http.Request) error {
	body := make([]byte, req.ContentLength, int(req.ContentLength)+x.add.Size())
	if _, err := io.ReadFull(req.Body, body); err != nil {
		return err
	}
	body, err := x.add.To(body)
	if err != nil {
		return err
	}
	req.ContentLength = int64(len(body))
	// Of this type, net/http knows that it can send the header along with it.
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, err = req.GetBody()
	return err
}
