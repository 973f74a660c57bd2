// Package compile checks the agents, tools and libraries of a gram file and
// lowers them to a [Program], the plain data that an interpreter or an editor
// works with.
//
//	file, problems := grammar.Parse("hello.gram", text)
//	program, more := compile.File(file, nil)
//	if program != nil {
//		fmt.Println(program.Agents[0].Model) // OpenAI/gpt-5.4-mini
//	}
//
// It also makes the JSON Schemas of tools and reports what the provider of an
// agent would refuse, as package internal/provider knows it. [Options] holds the
// files that a file imports; package internal/workspace reads them.
//
// The packages below do the work: vocabulary has the table of properties, report
// collects diagnostics, lint checks any gram file, types lowers types and
// signatures, library lowers libraries. This package has the passes in order
// (compile.go) and the program.
//
// The package is pure: no files, no network, no goroutines, no state between
// calls. It knows which tools a file declares, not the code behind them; that is
// package runtime.
package compile
