// Package runtime has the parts of a run: tools and libraries of them, the
// schemas of their arguments and results, conversations, the interface of models,
// and the errors of a run.
//
// A tool has two parts. A [Contract] describes the tool; it comes from a gram file
// and is plain data. A [Tool] is the Go function that implements it. They are
// bound by name before a run:
//
//	var lib runtime.Library
//	lib, err := runtime.AddFunc(lib, "add", "Adds two numbers",
//		func(_ context.Context, in struct{ A, B int }) (int, error) { return in.A + in.B, nil })
//	…
//	tools, err := lib.Bind(contracts, nil)
//
// The package does not depend on the gram language, and it does not run agents:
// package interp does.
package runtime
