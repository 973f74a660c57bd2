package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/gram-lang/gramc/internal/modelhttp"
)

// ask sends a request once, and returns the reply that comes as a whole.
func (m *Model) ask(ctx context.Context, params anthropic.MessageNewParams) (*reply, error) {
	var resp *http.Response
	var body []byte
	send := modelhttp.Doer(func(req *http.Request) (_ *http.Response, err error) {
		resp, body, err = m.client.Whole(req)
		if resp != nil {
			resp.Header.Set("Content-Type", "application/json") // the SDK would not read another
		}
		return resp, err
	})
	message, err := m.messages.New(ctx, params, option.WithHTTPClient(send))
	if resp == nil {
		return nil, err
	}
	return m.read(resp, body, message, err)
}

// read returns the reply in a whole body. It was decoded to message, unless err says that
// it could not.
func (m *Model) read(resp *http.Response, body []byte, message *anthropic.Message, err error) (*reply, error) {
	switch {
	case err != nil:
		return nil, m.fault(resp, body, "is not JSON")
	case message == nil || !message.JSON.Content.Valid(): // null, or another object
		return nil, m.fault(resp, body, "has no content")
	}
	return replyOf(message), nil
}

// fault returns the fault of a body, or of an event, that is no message. What it says
// of itself takes the place of a status of success
// (https://platform.claude.com/docs/en/api/errors).
func (m *Model) fault(resp *http.Response, body []byte, what string) error {
	var e struct {
		Error struct {
			Type string `json:"type"`
		} `json:"error"`
	}
	statuses := map[string]int{
		"invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
		"not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500,
		"timeout_error": 504, "overloaded_error": 529,
	}
	named := *resp
	if json.Unmarshal(body, &e) == nil {
		named.StatusCode = cmp.Or(statuses[e.Error.Type], resp.StatusCode)
	}
	return m.client.BodyFault(&named, body, what)
}

// askStream sends a request once, and gives the reply to out while it comes.
func (m *Model) askStream(ctx context.Context, params anthropic.MessageNewParams, out *pieces) (*reply, error) {
	var resp *http.Response
	send := modelhttp.Doer(func(req *http.Request) (_ *http.Response, err error) {
		resp, err = m.client.Open(req)
		return resp, err
	})
	stream := m.messages.NewStreaming(ctx, params, option.WithHTTPClient(send))
	if resp == nil {
		return nil, stream.Err()
	}
	defer stream.Close()
	events := modelhttp.NewEventReader(resp.Body)
	if !events.IsStream() {
		return m.askedWhole(resp, events, out)
	}
	return m.readStream(resp, events, out)
}

// readStream reads a stream to its end mark. Proxies leave out the names of events, which
// the reader of the SDK needs.
func (m *Model) readStream(resp *http.Response, events *modelhttp.EventReader, out *pieces) (*reply, error) {
	a := &assembly{out: out}
	for {
		e, err := events.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, modelhttp.EndFault()
		case err != nil:
			return nil, err
		}
		var event anthropic.MessageStreamEventUnion
		switch err := json.Unmarshal(e.Data, &event); {
		case err != nil:
			return nil, m.client.BodyFault(resp, e.Data, "has an event that is not JSON")
		case e.Type == "error", event.Type == "error":
			return nil, m.fault(resp, e.Data, "has an error")
		}
		if done, err := a.add(&event); done || err != nil {
			return &a.reply, err
		}
	}
}

// askedWhole reads the body of a server that does not stream.
func (m *Model) askedWhole(resp *http.Response, events *modelhttp.EventReader, out *pieces) (*reply, error) {
	body, err := events.Whole()
	if err != nil {
		return nil, err
	}
	message := &anthropic.Message{}
	r, err := m.read(resp, body, message, json.Unmarshal(body, message))
	if err != nil {
		return nil, err
	}
	return r, out.all(r.blocks)
}
