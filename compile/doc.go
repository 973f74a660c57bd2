// Package compile says what a gram file means: it checks the agents and tools
// of a tree and lowers them to a Program, the plain data that an interpreter
// or an editor works with.
//
//	file, problems := grammar.Parse("hello.gram", text)
//	program, more := compile.File(file, nil)
//	if program != nil {
//		fmt.Println(program.Agents[0].Model) // OpenAI/gpt-4o-mini
//	}
//
// It also makes the JSON Schemas of a tool, as they are and as each provider
// takes them, and reports what the provider of an agent would refuse, which
// package provider knows. The files that a file imports are in the Options; package
// workspace reads them.
//
// The work is done in its rooms: package vocabulary is the table of what a file
// can say, package lint checks any gram file, package types reads types and
// signatures, and package library lowers libraries. This package has the passes in
// order (compile.go) and the program.
//
// It is pure: no files, no network, no goroutines, nothing remembered between
// two calls. It knows which tools a file describes, never what runs them;
// that is package runtime.
package compile
