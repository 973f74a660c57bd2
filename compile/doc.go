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
// takes them, and reports what the provider of an agent would refuse; package
// target knows what that is. The files that a file imports are in the Options:
// package project reads them.
//
// It is pure: no files, no network, no goroutines, nothing remembered between
// two calls. It knows which tools a file describes, never what runs behind
// them; that is package runtime.
package compile
