// Package runtime holds what a run needs: tools and libraries of tools, the
// schemas that validate their calls, conversations, models, and the errors of a
// run.
//
// A tool has two halves. A [Contract] is what an agent expects of it: name,
// description and schemas, plain data from a gram file. A [Tool] is a Go function
// with its own name, description and schemas. [Library.Bind] finds the tool for
// each contract by name, and proves that it takes every call that the contract
// allows:
//
//	var lib runtime.Library
//	lib, err := runtime.AddFunc(lib, "add", "Adds two numbers",
//		func(_ context.Context, in struct{ A, B int }) (int, error) { return in.A + in.B, nil })
//	…
//	bindings, err := lib.Bind(contracts, nil)
//
// The package knows nothing about gram, and it does not run agents: the loop
// between a model and its tools is package interp.
package runtime
