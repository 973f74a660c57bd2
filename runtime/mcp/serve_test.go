package mcp_test

import (
	"context"
	"errors"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/mcp"
)

type sum struct {
	A int `json:"a" jsonschema:"description=The first number"`
	B int `json:"b"`
}

type total struct {
	Total int `json:"total"`
}

// ours is a server of our own tools.
func ours() mcp.ServeOptions {
	var lib runtime.Library
	var err error
	add := func(next runtime.Library, failed error) {
		lib, err = next, errors.Join(err, failed)
	}
	add(runtime.AddFunc(lib, "add", "Adds two numbers",
		func(_ context.Context, in sum) (total, error) { return total{in.A + in.B}, nil }))
	add(runtime.AddFunc(lib, "greet", "Greets a person",
		func(_ context.Context, in struct{ Name string }) (string, error) { return "Hello, " + in.Name, nil }))
	add(runtime.AddFunc(lib, "fail", "Fails",
		func(context.Context, struct{}) (string, error) { return "", errors.New("out of order") }))
	if err != nil {
		panic(err)
	}
	o := mcp.ServeOptions{Name: "ours", Version: "1"}
	for _, name := range lib.Names() {
		t, _ := lib.Lookup(name)
		o.Tools = append(o.Tools, t)
	}
	return o
}
