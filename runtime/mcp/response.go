package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
)

// A response is the response to one request as it was written: the SDK decodes
// it into Go values and loses the order of keys and the digits of numbers. It is
// passed in the context of the request.
type response struct {
	mu      sync.Mutex
	message []byte // a JSON-RPC message, or a stream of events that holds one
	failure error  // why there is none
}

type responseKey struct{}

func withResponse(ctx context.Context) (context.Context, *response) {
	a := new(response)
	return context.WithValue(ctx, responseKey{}, a), a
}

// responseOf returns the response that a request waits for, or nil.
func responseOf(ctx context.Context) *response {
	a, _ := ctx.Value(responseKey{}).(*response)
	return a
}

// Write adds to the message, as it is read.
func (a *response) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.message = append(a.message, p...)
	return len(p), nil
}

func (a *response) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.failure == nil {
		a.failure = err
	}
}

// failed returns the reason for a missing response, if it is known better here
// than in the SDK.
func (a *response) failed() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failure
}

// result returns the result in the response, or else as the SDK decoded it.
func (a *response) result(decoded any) json.RawMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	if result := resultIn(a.message); result != nil {
		return result
	}
	if result := resultInEvents(a.message); result != nil {
		return result
	}
	result, err := json.Marshal(decoded)
	if err != nil {
		return nil
	}
	return result
}

// resultInEvents returns the first result in a stream of events, or nil.
func resultInEvents(message []byte) json.RawMessage {
	var data []byte
	for line := range bytes.Lines(append(message, "\n\n"...)) {
		line = bytes.TrimRight(line, "\r\n")
		if text, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(append(data, bytes.TrimPrefix(text, []byte(" "))...), '\n')
			continue
		}
		if len(line) == 0 {
			if result := resultIn(data); result != nil {
				return result
			}
			data = nil
		}
	}
	return nil
}

func resultIn(message []byte) json.RawMessage {
	var m struct{ Result json.RawMessage }
	if len(message) == 0 || json.Unmarshal(message, &m) != nil {
		return nil
	}
	return m.Result
}
