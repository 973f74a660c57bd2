// Package command makes tools of programs. A call starts the program and writes
// the arguments to its stdin as JSON; its stdout is the result.
//
//	tool, err := command.New(command.Config{Name: "sayHello", Program: "./say-hello", Base: folder})
//
// A program runs without a shell, unless its config asks for one, in a process
// group that is killed with it; see package process for its environment.
package command
