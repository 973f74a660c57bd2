package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/runtime"
)

// needsResponses reports whether OpenAI serves the model, or its tools, by the Responses
// API alone. The old functions are no tools there.
func (m *Model) needsResponses(r *runtime.Request) bool {
	known, ok := m.provider.Model(strings.TrimPrefix(r.Model, m.provider.Name+"/"))
	return ok && (known.OnlyResponses || known.ResponsesTools && len(r.Tools) > 0 && !m.legacy)
}

// generateResponses is [Model.Generate] by the Responses API.
func (m *Model) generateResponses(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	p, body, err := m.responsesBody(r, false)
	if err != nil {
		return nil, err
	}
	response, err := m.http.Generate(ctx, r, func() (*runtime.Response, error) {
		req, err := m.responsesCall(ctx, body)
		if err != nil {
			return nil, err
		}
		resp, text, err := m.http.Whole(req)
		if err != nil {
			return nil, err
		}
		return m.readResponsesOutput(resp, text)
	})
	if err != nil {
		return nil, err
	}
	m.restore(p, response)
	return response, nil
}

// streamResponses is [Model.Stream] by the Responses API.
func (m *Model) streamResponses(ctx context.Context, r *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	p, body, err := m.responsesBody(r, true)
	if err != nil {
		return nil, err
	}
	response, err := m.http.Stream(ctx, r, yield, func(ctx context.Context, yield modelhttp.Yield) (*runtime.Response, error) {
		req, err := m.responsesCall(ctx, body)
		if err != nil {
			return nil, err
		}
		resp, err := m.http.Open(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		return m.readResponsesEvents(resp, p, yield)
	})
	if err != nil {
		return nil, err
	}
	m.restore(p, response)
	return response, streamAnswer(r, response, yield)
}

func (m *Model) responsesBody(r *runtime.Request, stream bool) (*plan, []byte, error) {
	tools, err := m.toolbox.Lower(r.Tools)
	if err != nil {
		return nil, nil, err
	}
	p := &plan{request: r, tools: tools}
	req, err := m.responsesRequest(p)
	if err != nil {
		return nil, nil, err
	}
	req.Stream = stream
	body, err := json.Marshal(req)
	return p, body, err
}

// responsesCall returns one attempt at a request.
func (m *Model) responsesCall(ctx context.Context, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.base+"/responses", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+m.http.Key())
	return req, nil
}

// readResponsesOutput reads a response in one piece.
func (m *Model) readResponsesOutput(resp *http.Response, body []byte) (*runtime.Response, error) {
	var out responsesOutput
	if decodeDeviating(body, &out) != nil {
		return nil, m.http.BodyFault(resp, body, "is not JSON of the Responses API")
	}
	return m.convertResponsesOutput(resp, body, &out)
}

// readUnstreamedOutput reads the response of a server that does not stream.
func (m *Model) readUnstreamedOutput(resp *http.Response, events *modelhttp.EventReader, p *plan, yield modelhttp.Yield) (*runtime.Response, error) {
	body, err := events.Whole()
	if err != nil {
		return nil, err
	}
	out, err := m.readResponsesOutput(resp, body)
	if err != nil || out.Content == "" || !p.request.Output.IsText() {
		return out, err
	}
	return out, yield(runtime.Delta{Kind: runtime.DeltaText, Text: out.Content})
}

// readResponsesEvents reads a stream to the event that has the whole response.
func (m *Model) readResponsesEvents(resp *http.Response, p *plan, yield modelhttp.Yield) (*runtime.Response, error) {
	events := modelhttp.NewEventReader(resp.Body)
	if !events.IsStream() {
		return m.readUnstreamedOutput(resp, events, p, yield)
	}
	calls := map[int]int{} // index of a call, by that of its item
	for {
		event, err := events.Next()
		if errors.Is(err, io.EOF) {
			return nil, modelhttp.EndFault()
		}
		if err != nil {
			return nil, err
		}
		var e responsesEvent
		if decodeDeviating(event.Data, &e) != nil {
			return nil, m.http.BodyFault(resp, event.Data, "has an event that is not JSON")
		}
		switch e.Type {
		case openai.ResponseStreamEventCompleted, openai.ResponseStreamEventIncomplete, openai.ResponseStreamEventFailed:
			return m.convertResponsesOutput(resp, event.Data, &e.Response)
		}
		if e.Type == openai.ResponseStreamEventError || len(e.Error) > 0 && string(e.Error) != "null" {
			return nil, m.http.BodyFault(resp, event.Data, "reports an error")
		}
		d, ok := e.delta(calls)
		d.Name = p.tools.Own(d.Name)
		if ok && (d.Kind != runtime.DeltaText || p.request.Output.IsText()) {
			if err := yield(d); err != nil {
				return nil, err
			}
		}
	}
}

// A responsesEvent is an event of a stream.
type responsesEvent struct {
	Type        openai.ResponseStreamEventType `json:"type"`
	Response    responsesOutput                `json:"response"`
	Item        openai.ResponseOutputItem      `json:"item"`
	OutputIndex int                            `json:"output_index"`
	Delta       string                         `json:"delta"`
	Error       json.RawMessage                `json:"error"`
}

// delta returns the piece of the response in an event. It counts the calls.
func (e *responsesEvent) delta(calls map[int]int) (runtime.Delta, bool) {
	switch e.Type {
	case openai.ResponseStreamEventOutputTextDelta:
		return runtime.Delta{Kind: runtime.DeltaText, Text: e.Delta}, true
	case openai.ResponseStreamEventReasoningSummaryTextDelta, openai.ResponseStreamEventReasoningTextDelta:
		return runtime.Delta{Kind: runtime.DeltaReasoning, Text: e.Delta}, true
	case openai.ResponseStreamEventOutputItemAdded:
		if e.Item.Type != "function_call" {
			break
		}
		calls[e.OutputIndex] = len(calls)
		return runtime.Delta{Kind: runtime.DeltaCall, Call: calls[e.OutputIndex], Name: e.Item.Name}, true
	case openai.ResponseStreamEventFunctionArgumentsDelta:
		call, ok := calls[e.OutputIndex]
		return runtime.Delta{Kind: runtime.DeltaArguments, Call: call, Text: e.Delta}, ok
	}
	return runtime.Delta{}, false
}

// A responsesOutput is a response, with its items as they came.
type responsesOutput struct {
	Status     openai.ResponseStatus            `json:"status"`
	Error      *openai.ResponseError            `json:"error"`
	Incomplete openai.ResponseIncompleteDetails `json:"incomplete_details"`
	Output     []json.RawMessage                `json:"output"`
	Usage      responsesUsage                   `json:"usage"`
}

// convertResponsesOutput returns a response that has ended, whose text is in body.
func (m *Model) convertResponsesOutput(resp *http.Response, body []byte, in *responsesOutput) (*runtime.Response, error) {
	switch {
	case in.Error != nil:
		return nil, m.http.BodyFault(resp, responsesErrorBody(*in.Error), "reports an error")
	case in.Status != openai.ResponseStatusCompleted && in.Status != openai.ResponseStatusIncomplete:
		return nil, m.http.BodyFault(resp, body, "has not been completed")
	case in.Output == nil:
		return nil, m.http.BodyFault(resp, body, "has no output")
	}
	out := &runtime.Response{Finish: "stop", Usage: in.Usage.convert()}
	reasoned := false
	for _, text := range in.Output {
		var item openai.ResponseOutputItem
		if decodeDeviating(text, &item) != nil || item.Type == "" {
			return nil, m.http.BodyFault(resp, body, "has an item that cannot be read")
		}
		reasoned = addResponsesItem(out, &item) || reasoned
	}
	if len(out.Calls) > 0 {
		out.Finish = "tool_calls"
	}
	switch in.Incomplete.Reason {
	case "max_output_tokens":
		out.Finish = "length"
	case "content_filter":
		out.Finish = "content_filter"
	}
	var err error
	if reasoned {
		out.Extra, err = json.Marshal(map[string][]json.RawMessage{m.provider.Name: in.Output})
	}
	return out, err
}

// addResponsesItem adds an item to a response, and reports whether it must be sent again
// as it is.
func addResponsesItem(out *runtime.Response, item *openai.ResponseOutputItem) bool {
	switch item.Type {
	case "function_call":
		out.Calls = append(out.Calls, runtime.Call{ID: item.CallID, Name: item.Name, Args: json.RawMessage(item.Arguments)})
	case "reasoning":
		for _, part := range item.Summary {
			out.Reasoning += part.Text
		}
		return true
	}
	for _, part := range item.Content {
		switch part.Type {
		case "output_text":
			out.Content += part.Text
		case "refusal":
			out.Refusal += part.Refusal
		}
	}
	return false
}

// A responsesUsage is what the Responses API counts.
type responsesUsage struct {
	Input        count `json:"input_tokens"`
	Output       count `json:"output_tokens"`
	Total        count `json:"total_tokens"`
	InputDetails struct {
		Cached  count `json:"cached_tokens"`
		Written count `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
	OutputDetails struct {
		Reasoning count `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
}

func (u *responsesUsage) convert() runtime.Usage {
	counts := usage{Input: u.Input, Output: u.Output, Total: u.Total}
	counts.InputDetails.Cached, counts.OutputDetails.Reasoning = u.InputDetails.Cached, u.OutputDetails.Reasoning
	out := counts.convert()
	out.CacheWrite = int64(max(u.InputDetails.Written, 0))
	return out
}

// responsesErrorBody returns an error as the API writes it in a body of its own.
func responsesErrorBody(e openai.ResponseError) []byte {
	body, err := json.Marshal(struct {
		Error openai.ResponseError `json:"error"`
	}{e})
	if err != nil {
		panic("openai: " + err.Error()) // it has strings only
	}
	return body
}
