// Package runtime holds what a run needs at run time: tools and the library
// they stand in, the schemas that guard them, conversations, the models that
// answer, and the errors of a run.
//
// A tool has two halves. A [Contract] says what a tool promises; it comes from
// a gram file and is plain data. A [Tool] is the Go function that keeps the
// promise; it never leaves the process. The halves meet by name when a run
// starts:
//
//	var lib runtime.Library
//	lib, err := runtime.AddFunc(lib, "add", "Adds two numbers",
//		func(_ context.Context, in struct{ A, B int }) (int, error) { return in.A + in.B, nil })
//	…
//	tools, err := lib.Bind(contracts, nil)
//
// The package knows nothing of the gram language, and it does not run agents:
// the loop between a model and its tools is package interp.
package runtime
