package mcp

import (
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

// A result is the result of a call.
type result struct {
	server            string
	Content           []content
	StructuredContent json.RawMessage
	IsError           bool
}

// A content is one part of a result.
type content struct {
	Type     string
	Text     string
	Data     string // base64
	MIMEType string `json:"mimeType"`
	URI      string
	Resource struct {
		URI      string
		MIMEType string `json:"mimeType"`
		Text     *string
		Blob     string // base64
	}
}

// call calls a tool of the server.
func (s *Session) call(ctx context.Context, remote string, args json.RawMessage) (*result, error) {
	asking, a := withAnswer(ctx)
	answered, err := s.client.CallTool(asking, &sdk.CallToolParams{Name: remote, Arguments: args})
	if err != nil {
		return nil, s.callFailed(ctx, a, err)
	}
	raw := a.result()
	if raw == nil {
		if raw, err = json.Marshal(answered); err != nil {
			return nil, err
		}
	}
	r := &result{server: s.server.Name}
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, fmt.Errorf("MCP server %q: its response cannot be read: %w", s.server.Name, err)
	}
	return r, nil
}

func (s *Session) callFailed(ctx context.Context, a *answer, err error) error {
	if answer := serverError(err); answer != nil {
		kind := runtime.ToolExecution
		if answer.Code == jsonrpc.CodeInvalidParams {
			kind = runtime.ToolValidation
		}
		return &runtime.ToolError{
			Kind: kind, Message: fmt.Sprintf("MCP server %q: %s", s.server.Name, excerpt.Short(answer.Message, maxErrorText)), Err: err,
		}
	}
	return fmt.Errorf("MCP server %q: %w", s.server.Name, s.explain(ctx, a, err))
}

// value returns the result as a contract expects it: as text, or as JSON if it
// expects more.
func (r *result) value(c runtime.Contract) (json.RawMessage, error) {
	text := r.text()
	structured := !isNull(r.StructuredContent)
	if r.IsError {
		if text == "" && structured {
			text = string(r.StructuredContent)
		}
		if text == "" {
			text = "the tool failed without a message"
		}
		return nil, &runtime.ToolError{Kind: runtime.ToolExecution, Message: excerpt.Short(text, maxErrorText)}
	}
	switch {
	case structured && (c.WantsMoreThanText() || len(r.Content) == 0):
		return r.StructuredContent, nil
	case !c.WantsMoreThanText() || wantsString(c):
		return plainjson.String(text), nil
	case json.Valid([]byte(text)):
		return json.RawMessage(text), nil
	}
	return nil, &runtime.ToolError{
		Kind:    runtime.ToolValidation,
		Message: fmt.Sprintf("MCP server %q responded with text where JSON is expected: %q", r.server, excerpt.Short(text, 200)),
	}
}

// wantsString reports whether a contract expects a string with constraints.
func wantsString(c runtime.Contract) bool {
	var schema struct{ Type any }
	return json.Unmarshal(c.Output, &schema) == nil && schema.Type == "string"
}

// text returns the parts that are text, with a note for each other part.
func (r *result) text() string {
	parts := make([]string, len(r.Content))
	for i, c := range r.Content {
		parts[i] = c.text()
	}
	return strings.Join(parts, "\n")
}

func (c *content) text() string {
	switch {
	case c.Type == "text":
		return c.Text
	case c.Type == "resource" && c.Resource.Text != nil:
		return *c.Resource.Text
	case c.Type == "resource":
		return leftOut("resource", c.Resource.MIMEType, c.Resource.Blob)
	case c.Type == "resource_link":
		return fmt.Sprintf("[link to %s]", c.URI)
	}
	return leftOut(c.Type, c.MIMEType, c.Data)
}

// leftOut returns the note for a part that is not text.
func leftOut(what, mime, base64 string) string {
	if mime != "" {
		what += " " + mime
	}
	return fmt.Sprintf("[%s, %d bytes left out]", what, len(strings.TrimRight(base64, "="))*3/4)
}
