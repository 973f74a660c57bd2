// Package command makes tools of programs. A call starts the program, writes
// its arguments to stdin as JSON, and takes what comes from stdout as the
// result.
//
//	tool, err := command.New(command.Config{Name: "sayHello", Run: []string{"./say-hello"}, Base: folder})
//
// A program runs without a shell, unless one is asked for, in a process group
// that ends with it; see package process for what it gets to know of us.
package command
