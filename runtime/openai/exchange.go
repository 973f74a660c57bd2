package openai

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/internal/provider/chat"
	"github.com/gram-lang/gramc/runtime"
)

// A transport is what the client of go-openai sends its requests with.
type transport struct{ *modelhttp.Client }

// An exchange is one request of go-openai and its response.
type exchange struct {
	model  string // as the request names it
	add    chat.Additions
	stream bool           // the response is read as it arrives
	sent   bool           // go-openai made a request
	resp   *http.Response // with success
	body   []byte         // of resp, unless it is a stream
}

// exchangeKey is the key of the [exchange] in the context of its request.
type exchangeKey struct{}

// Do sends a request once. It does what go-openai lacks: it keeps the response,
// and adds to the request what is not left to go-openai.
func (t transport) Do(req *http.Request) (*http.Response, error) {
	x := req.Context().Value(exchangeKey{}).(*exchange)
	x.sent = true
	err := x.complete(req)
	if err != nil {
		return nil, err
	}
	if x.stream {
		x.resp, err = t.Open(req)
	} else {
		x.resp, x.body, err = t.Whole(req)
	}
	return x.resp, err
}

// read returns the response that go-openai decoded to c, unless err says that
// it could not. Then it reads the body again, more leniently.
func (m *Model) read(x *exchange, c openai.ChatCompletionResponse, err error) (*runtime.Response, error) {
	switch {
	case !x.sent: // go-openai refused the model
		return nil, runtime.Errorf(runtime.KindLLMAPI, "model %q cannot be used: %w", x.model, err)
	case x.resp == nil:
		return nil, err
	}
	// go-openai stops at the end of the first value.
	if err == nil && deviationIsComplete(&c) && bytes.HasSuffix(bytes.TrimSpace(x.body), []byte("}")) {
		return convertResponse(&c, deviationExtras(x.body)), nil
	}
	rewritten, err := rewriteDeviations(x.body)
	if err != nil {
		what := responseError("is not JSON")
		errors.As(err, &what)
		return nil, m.http.BodyFault(x.resp, x.body, string(what))
	}
	return convertResponse(rewritten, deviationExtras(x.body)), nil
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
