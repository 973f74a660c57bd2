package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/mcp"
)

func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	// A server with one tool, on this machine.
	add, err := runtime.Func("add", "Adds two numbers",
		func(_ context.Context, in struct{ A, B int }) (int, error) { return in.A + in.B, nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() {
		_ = mcp.ServeHTTP(ctx, l, mcp.ServeOptions{Name: "sums", Version: "1", Tools: []runtime.Tool{add}})
	}()

	// A client of it.
	session, err := mcp.Connect(ctx, mcp.Server{Name: "sums", URL: "http://" + l.Addr().String(), Prefix: "sums_"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	tools, _, err := session.Tools()
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := tools[0].Invoke(ctx, json.RawMessage(`{"A":2,"B":3}`), 0)
	fmt.Println(tools[0].Name(), string(result), err)
	// Output: sums_add "5" <nil>
}
