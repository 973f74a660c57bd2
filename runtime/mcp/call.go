package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// maxErrorText is the number of characters of an error that are reported.
const maxErrorText = 4000

// call calls a tool of the server and returns its result as a contract expects
// it: as text, or as JSON if it expects more.
func (s *Session) call(ctx context.Context, tool *toolOffer, args json.RawMessage, c runtime.Contract) (json.RawMessage, error) {
	r, raw, err := s.callResult(ctx, tool, args, c.Repeat)
	if err != nil {
		return nil, s.callFailed(err)
	}
	var exact struct{ StructuredContent json.RawMessage }
	if err := json.Unmarshal(raw, &exact); err != nil {
		return nil, fmt.Errorf("MCP server %q: its response cannot be read: %w", s.server.Name, err)
	}
	structured, text := exact.StructuredContent, callText(r.Content)
	if toolIsNull(structured) {
		structured = nil
	}
	switch {
	case r.IsError:
		text = cmp.Or(text, string(structured), "the tool failed without a message")
		return nil, &runtime.ToolError{Kind: runtime.ToolExecution, Message: excerpt.Short(text, maxErrorText)}
	case structured != nil && (c.WantsMoreThanText() || len(r.Content) == 0):
		return structured, nil
	case !c.WantsMoreThanText() || callWantsString(c):
		return plainjson.String(text), nil
	case json.Valid([]byte(text)):
		return json.RawMessage(text), nil
	}
	return nil, &runtime.ToolError{
		Kind:    runtime.ToolValidation,
		Message: fmt.Sprintf("MCP server %q responded with text where JSON is expected: %q", s.server.Name, excerpt.Short(text, 200)),
	}
}

// callResult calls a tool. A call is made again, on a new connection, if the server cannot
// have done it, or may do it twice.
func (s *Session) callResult(ctx context.Context, tool *toolOffer, args json.RawMessage, repeat runtime.Repeat) (*sdk.CallToolResult, json.RawMessage, error) {
	for again := false; ; again = true {
		conn, err := s.connection(ctx)
		if err != nil {
			return nil, nil, err
		}
		r, raw, outcome, err := conn.callTool(ctx, &sdk.CallToolParams{Meta: callMeta(ctx), Name: tool.Name, Arguments: args})
		mayRepeat := outcome == unsent || outcome == unknown && repeat.Allows(ctx)
		switch {
		case mayRepeat && !again && conn.broken() != nil:
			continue
		case outcome == unknown:
			err = fmt.Errorf("%w%s", err, runtime.UnknownEffect)
		}
		return r, raw, err
	}
}

// keyOfCalls is the key in _meta that holds the idempotency key of a call. Keys without such a
// prefix are those of the protocol.
const keyOfCalls = "io.github.gram-lang/idempotency-key"

// callMeta returns what the server is given beside the arguments; nil if that is nothing.
func callMeta(ctx context.Context) (meta sdk.Meta) {
	add := func(name, value string) {
		if meta == nil {
			meta = sdk.Meta{}
		}
		meta[name] = value
	}
	if key := runtime.CallKey(ctx); key != "" {
		add(keyOfCalls, key)
	}
	runtime.TraceContextOf(ctx).Each(add)
	return meta
}

func (s *Session) callFailed(err error) error {
	if response := connectionError(err); response != nil {
		kind := runtime.ToolExecution
		if response.Code == jsonrpc.CodeInvalidParams {
			kind = runtime.ToolValidation
		}
		return &runtime.ToolError{
			Kind: kind, Message: fmt.Sprintf("MCP server %q: %s", s.server.Name, excerpt.Short(response.Message, maxErrorText)), Err: err,
		}
	}
	return fmt.Errorf("MCP server %q: %w", s.server.Name, err)
}

// callWantsString reports whether a contract expects a string with constraints.
func callWantsString(c runtime.Contract) bool {
	var schema struct{ Type any }
	return json.Unmarshal(c.Output, &schema) == nil && schema.Type == "string"
}

// callText returns the parts that are text, with a note for each other part.
func callText(content []sdk.Content) string {
	parts := make([]string, len(content))
	for i, c := range content {
		switch c := c.(type) {
		case *sdk.TextContent:
			parts[i] = c.Text
		case *sdk.ImageContent:
			parts[i] = leftOutOfCall("image", c.MIMEType, c.Data)
		case *sdk.AudioContent:
			parts[i] = leftOutOfCall("audio", c.MIMEType, c.Data)
		case *sdk.ResourceLink:
			parts[i] = fmt.Sprintf("[link to %s]", c.URI)
		case *sdk.EmbeddedResource:
			parts[i] = callResourceText(c.Resource)
		}
	}
	return strings.Join(parts, "\n")
}

func callResourceText(r *sdk.ResourceContents) string {
	switch {
	case r == nil:
		return leftOutOfCall("resource", "", nil)
	case r.Blob == nil:
		return r.Text
	}
	return leftOutOfCall("resource", r.MIMEType, r.Blob)
}

// leftOutOfCall returns the note for a part that is not text.
func leftOutOfCall(what, mime string, data []byte) string {
	if mime != "" {
		what += " " + mime
	}
	return fmt.Sprintf("[%s, %d bytes left out]", what, len(data))
}
