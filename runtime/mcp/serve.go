package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gram-lang/gramc/runtime"
)

// ServeOptions are the tools and the identity of a server.
type ServeOptions struct {
	Name    string // of the server
	Version string
	Tools   []runtime.Tool // bound to their contracts, if they adopt them
	Token   string         // that clients over HTTP must have; may be empty on loopback
	Ready   func()         // called when HTTP is about to be served; may be nil
}

// Serve offers tools over a pair of streams, until in ends or ctx does. The end of ctx
// cancels the calls that are going on; that of in leaves them 10 seconds. A line that is
// not a message is answered with an error. The arguments of each call are validated; a
// failed call is reported in its result.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, o ServeOptions) error {
	server, err := newServer(o, newCalls(ctx))
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() {
		served <- server.Run(ctx, newServeStdioTransport(in, out))
	}()
	select {
	case err = <-served:
	case <-ctx.Done():
		select {
		case err = <-served:
		case <-time.After(closeTimeout): // a client that reads nothing keeps the results of calls waiting
			err = ctx.Err()
		}
	}
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil && ctx.Err() == nil:
		return fmt.Errorf("the exchange with the client failed: %w", err)
	}
	return err
}

func newServer(o ServeOptions, c *calls) (*sdk.Server, error) {
	server := sdk.NewServer(&sdk.Implementation{Name: o.Name, Version: o.Version},
		&sdk.ServerOptions{Capabilities: &sdk.ServerCapabilities{}})
	for _, t := range o.Tools {
		if err := serveTool(server, t, c); err != nil {
			return nil, fmt.Errorf("tool %q: %w", t.Name(), err)
		}
	}
	return server, nil
}

// serveTool offers one tool. The SDK panics at schemas that it does not accept.
func serveTool(server *sdk.Server, t runtime.Tool, c *calls) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("it cannot be offered: %v", v)
		}
	}()
	if len(t.Input()) == 0 {
		return errors.New("it has no schema; bind it first")
	}
	var input map[string]json.RawMessage
	if err := json.Unmarshal(t.Input(), &input); err != nil {
		return err
	}
	offered := &sdk.Tool{Name: t.Name(), Description: t.Description(), InputSchema: t.Input()}
	if _, ok := input["type"]; !ok {
		input["type"] = json.RawMessage(`"object"`)
		offered.InputSchema = input
	}
	if t.Repeat() == runtime.RepeatSafe {
		offered.Annotations = &sdk.ToolAnnotations{IdempotentHint: true}
	}
	structured := servesObject(t.Output())
	if structured {
		offered.OutputSchema = t.Output()
	}
	server.AddTool(offered, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ctx, end, err := c.begin(ctx, r)
		if err != nil {
			return nil, err
		}
		defer end()
		if key, _ := r.Params.Meta[keyOfCalls].(string); key != "" {
			ctx = runtime.WithCallKey(ctx, key)
		}
		return serveCall(ctx, t, r.Params.Arguments, structured), nil
	})
	return nil
}

// servesObject reports whether a schema is that of objects: older clients support no
// other structured results.
func servesObject(schema json.RawMessage) bool {
	var s struct{ Type any }
	return json.Unmarshal(schema, &s) == nil && s.Type == "object"
}
