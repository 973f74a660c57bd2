// Package terminal shows a conversation with an agent on a terminal: a prompt
// with history and completion, answers as they arrive, calls, and questions
// whether a call may be made.
//
//	t := terminal.New(&terminal.Options{In: os.Stdin, Out: os.Stdout})
//	s, err := session.New(agent, nil, bind) // with interp.Options{Stream: true, Approve: t.Approve}
//	err = t.Run(ctx, s)
//
// It never uses the alternate screen. What is finished is printed once, as by any
// other program, and can be scrolled back to and selected; only the few lines
// below it are painted again.
//
// Bubble Tea reads the keys and the size of the terminal. Its renderer is not
// used, since it delays everything to the next frame, which is up to 16 ms away,
// and prints lines again when the terminal is resized; see screen.go.
package terminal
