package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gram-lang/gramc/runtime"
)

// How many calls a server makes side by side. Others wait.
const (
	maxCalls       = 16
	maxClientCalls = 8
)

// calls are the calls that a server is making.
type calls struct {
	life  context.Context // of the server: the SDK does not cancel the calls of one that ends
	slots chan struct{}   // one for each call

	mu       sync.Mutex
	clients  map[*sdk.ServerSession]*clientCalls
	requests map[string]context.Context // of HTTP, by their ids
	lastID   int
}

// clientCalls are the calls of one client.
type clientCalls struct {
	slots chan struct{}
	count int // waiting ones included
}

func newCalls(life context.Context) *calls {
	return &calls{
		life: life, slots: make(chan struct{}, maxCalls),
		clients: map[*sdk.ServerSession]*clientCalls{}, requests: map[string]context.Context{},
	}
}

// requestHeader has the id of a request. The SDK hands on the headers of the request
// that a call came with, but not its context.
const requestHeader = "Gramc-Request"

// cameWith notes a request, whose end cancels the calls in it, until done is called.
func (c *calls) cameWith(r *http.Request) (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastID++
	id := strconv.Itoa(c.lastID)
	r.Header.Set(requestHeader, id)
	c.requests[id] = r.Context()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.requests, id)
	}
}

// requestValues is a context with the values of another one.
type requestValues struct {
	context.Context
	values context.Context
}

// Value returns a value of the request, or else of the call.
func (r *requestValues) Value(key any) any {
	if value := r.values.Value(key); value != nil {
		return value
	}
	return r.Context.Value(key)
}

// begin waits until a call may be made. The context ends with the request of the call
// and with the server too. The caller calls end.
func (c *calls) begin(ctx context.Context, r *sdk.CallToolRequest) (_ context.Context, end func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	detach := context.AfterFunc(c.life, cancel)
	c.mu.Lock()
	if r.Extra != nil && r.Extra.Header.Get(requestHeader) != "" {
		if request := c.requests[r.Extra.Header.Get(requestHeader)]; request != nil {
			context.AfterFunc(request, cancel)
			ctx = &requestValues{ctx, request}
		} else {
			cancel() // the request is over
		}
	}
	client := c.clients[r.Session]
	if client == nil {
		client = &clientCalls{slots: make(chan struct{}, maxClientCalls)}
		c.clients[r.Session] = client
	}
	client.count++
	c.mu.Unlock()
	var taken []chan struct{}
	end = func() {
		for _, slots := range taken {
			<-slots
		}
		detach()
		cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		if client.count--; client.count == 0 {
			delete(c.clients, r.Session)
		}
	}
	for _, slots := range []chan struct{}{client.slots, c.slots} {
		select {
		case slots <- struct{}{}:
			taken = append(taken, slots)
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		end()
		return nil, nil, ctx.Err()
	}
	return ctx, end, nil
}

func serveCall(ctx context.Context, t runtime.Tool, args json.RawMessage, structured bool) *sdk.CallToolResult {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	result, err := t.Invoke(ctx, args, 0)
	if err != nil {
		return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
	}
	text := string(result)
	var plain *string
	if json.Unmarshal(result, &plain) == nil && plain != nil {
		text = *plain
	}
	served := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	if structured {
		served.StructuredContent = result
	}
	return served
}
