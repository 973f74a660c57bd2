package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/runtime"
)

// Stream is [Model.Generate] that yields the pieces of the response as they arrive.
// Arguments are yielded as the provider writes them. An answer that is held to a
// schema is yielded in one piece, since its form can change at the end; it is not
// streamed by a provider that cannot do both.
func (m *Model) Stream(ctx context.Context, r *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	if m.needsResponses(r) {
		return m.streamResponses(ctx, r, yield)
	}
	if m.provider.SchemaWhole && !r.Output.IsText() && m.takesSchemaFormat(r) {
		response, err := m.Generate(ctx, r)
		if err != nil {
			return nil, err
		}
		return response, streamAnswer(r, response, yield)
	}
	p, err := m.plan(r)
	if err != nil {
		return nil, err
	}
	if !m.provider.NoStreamUsage {
		p.chat.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	response, err := m.http.Stream(ctx, r, yield, func(ctx context.Context, yield modelhttp.Yield) (*runtime.Response, error) {
		x := &exchange{model: r.Model, add: p.add, stream: true}
		if err := m.open(ctx, x, p); x.resp == nil {
			return m.read(x, openai.ChatCompletionResponse{}, err)
		}
		defer x.resp.Body.Close()
		return m.readStream(x, p, yield)
	})
	if err != nil {
		return nil, err
	}
	m.restore(p, response)
	return response, streamAnswer(r, response, yield)
}

// open sends a request whose response is read as it arrives. It is no part of what waits for the
// response: the request is large, and would lie on the stack meanwhile.
func (m *Model) open(ctx context.Context, x *exchange, p *plan) error {
	// Its reader takes the end of a connection for the end of a response.
	_, err := m.client.CreateChatCompletionStream(context.WithValue(ctx, exchangeKey{}, x), p.chat)
	return err
}

// streamAnswer yields an answer that is held to a schema.
func streamAnswer(r *runtime.Request, response *runtime.Response, yield modelhttp.Yield) error {
	if r.Output.IsText() || response.Content == "" {
		return nil
	}
	return yield(runtime.Delta{Kind: runtime.DeltaText, Text: response.Content})
}

// readStream reads the response of an exchange.
func (m *Model) readStream(x *exchange, p *plan, yield modelhttp.Yield) (*runtime.Response, error) {
	events := modelhttp.NewEventReader(x.resp.Body)
	if !events.IsStream() {
		return m.readUnstreamed(x, events, yield)
	}
	s := &assembly{plan: p, yield: yield}
	for {
		e, err := events.Next()
		switch {
		case errors.Is(err, io.EOF):
			if s.finish == "" {
				return nil, modelhttp.EndFault()
			}
			return s.response()
		case err != nil:
			return nil, err
		case string(bytes.TrimSpace(e.Data)) == "[DONE]":
			if s.finish == "" && !s.begun() {
				return nil, m.http.BodyFault(x.resp, e.Data, "has no choices")
			}
			return s.response()
		}
		if err := m.addEvent(s, x.resp, &e); err != nil {
			return nil, err
		}
	}
}

// readUnstreamed reads the response of a server that does not stream.
func (m *Model) readUnstreamed(x *exchange, events *modelhttp.EventReader, yield modelhttp.Yield) (*runtime.Response, error) {
	var err error
	if x.body, err = events.Whole(); err != nil {
		return nil, err
	}
	response, err := m.read(x, openai.ChatCompletionResponse{}, errNotDecoded)
	if err != nil || response.Content == "" {
		return response, err
	}
	return response, yield(runtime.Delta{Kind: runtime.DeltaText, Text: response.Content})
}

var errNotDecoded = errors.New("not decoded by go-openai")

// addEvent adds an event to s. What events may look like is in the table of
// deviations.
func (m *Model) addEvent(s *assembly, resp *http.Response, e *modelhttp.Event) error {
	var c chunk
	if decodeDeviating(e.Data, &c) != nil {
		if bytes.IndexByte(e.Data, '\n') < 0 {
			return m.http.BodyFault(resp, e.Data, "has an event that is not JSON")
		}
		for line := range bytes.SplitSeq(e.Data, []byte("\n")) {
			if err := m.addEvent(s, resp, &modelhttp.Event{Type: e.Type, Data: line}); err != nil {
				return err
			}
		}
		return nil
	}
	if e.Type == "error" || len(c.Error) > 0 && string(c.Error) != "null" {
		return m.http.BodyFault(resp, e.Data, "reports an error")
	}
	return s.add(&c)
}
