package mcp

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A recordedResponse is the response to one request as it was written: the SDK decodes
// it into Go values and loses the order of keys and the digits of numbers. It is
// passed in the context of the request.
type recordedResponse struct {
	mu      sync.Mutex
	result  json.RawMessage
	status  int   // of HTTP
	failure error // why there is none
}

type responseKey struct{}

func withRecordedResponse(ctx context.Context) (context.Context, *recordedResponse) {
	a := new(recordedResponse)
	return context.WithValue(ctx, responseKey{}, a), a
}

// recordedResponseOf returns the response that a request waits for, or nil.
func recordedResponseOf(ctx context.Context) *recordedResponse {
	a, _ := ctx.Value(responseKey{}).(*recordedResponse)
	return a
}

func (a *recordedResponse) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.failure == nil {
		a.failure = err
	}
}

// failed returns the reason for a missing response, if it is known better here
// than in the SDK.
func (a *recordedResponse) failed() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failure
}

// recorded returns the result in the response.
func (a *recordedResponse) recorded() json.RawMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.result
}

// A recorder is a connection that keeps the responses to its requests.
type recorder struct {
	sdk.Transport
	sdk.Connection

	mu      sync.Mutex
	waiting map[any]*recordedResponse // by the id of the request
	version string                    // of the protocol, as the server wants it
}

// Connect connects the transport.
func (r *recorder) Connect(ctx context.Context) (conn sdk.Connection, err error) {
	r.waiting = map[any]*recordedResponse{}
	r.Connection, err = r.Transport.Connect(ctx)
	return r, err
}

// Write sends a message.
func (r *recorder) Write(ctx context.Context, msg jsonrpc.Message) error {
	if request, ok := msg.(*jsonrpc.Request); ok && request.IsCall() {
		if a := recordedResponseOf(ctx); a != nil {
			id := request.ID.Raw()
			r.mu.Lock()
			r.waiting[id] = a
			r.mu.Unlock()
			context.AfterFunc(ctx, func() {
				r.mu.Lock()
				defer r.mu.Unlock()
				delete(r.waiting, id)
			})
		}
	}
	return r.Connection.Write(ctx, msg)
}

// Read returns the next message. Some servers send back a numeric id as a string.
func (r *recorder) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := r.Connection.Read(ctx)
	response, ok := msg.(*jsonrpc.Response)
	if !ok {
		return msg, err
	}
	if text, ok := response.ID.Raw().(string); ok {
		if n, err := strconv.Atoi(text); err == nil {
			response.ID, _ = jsonrpc.MakeID(float64(n))
		}
	}
	id := response.ID.Raw()
	r.mu.Lock()
	defer r.mu.Unlock()
	if a := r.waiting[id]; a != nil {
		a.mu.Lock()
		a.result = response.Result
		a.mu.Unlock()
		delete(r.waiting, id)
	}
	if r.version == "" {
		var initialized struct{ ProtocolVersion string }
		_ = json.Unmarshal(response.Result, &initialized) // no other result has it
		r.version = initialized.ProtocolVersion
	}
	return response, err
}

// protocolVersion returns the version that the server chose, "" before it did.
func (r *recorder) protocolVersion() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.version
}
