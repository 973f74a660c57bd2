package process

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// A TooLongError reports a program that wrote too much and was stopped.
type TooLongError struct{ Most int }

// Error returns the limit.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("wrote more than %d bytes to stdout and was stopped", e.Most)
}

// Run starts a program, hands it its input, and returns what it wrote to
// stdout, at most so many bytes. When ctx ends, the program and its group are
// killed and the error is that of ctx. Otherwise it is a [*TooLongError], an
// [*ExitError], or the reason why the program did not start.
func Run(ctx context.Context, c Command, stdin []byte, most int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	life, kill := context.WithCancel(ctx)
	defer kill()
	out := &limitedOutput{left: most, full: kill}
	stdout, toStdout, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("a pipe: %w", err)
	}
	defer stdout.Close()
	child, err := c.start(life, bytes.NewReader(stdin), toStdout) // it need not read all of its input
	_ = toStdout.Close()                                          // the child has its own by now
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		drain(out, stdout)
	}()
	err = child.wait(read)
	if stdout.SetReadDeadline(time.Now().Add(drainPeriod)) != nil { // a process outside of the group may hold the pipe
		_ = stdout.Close()
	}
	<-read
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case out.left < 0:
		return nil, &TooLongError{most}
	}
	return out.text.Bytes(), err
}

// drain writes what comes out of a pipe until its end. After the deadline of the pipe, it ends
// once nothing more comes: on a busy machine, the deadline can pass before what is there was read.
func drain(out *limitedOutput, from *os.File) {
	buffer := make([]byte, 32<<10)
	for late, empty := 0, 0; late < maxLate && empty < maxEmpty; {
		n, err := from.Read(buffer)
		_, _ = out.Write(buffer[:n])
		switch {
		case n > 0:
			empty = 0
		case errors.Is(err, os.ErrDeadlineExceeded):
			late++
			empty++
			_ = from.SetReadDeadline(time.Now().Add(lastMoment))
		case err != nil:
			return
		}
	}
}

// What is read of a pipe after its deadline.
const (
	lastMoment = 50 * time.Millisecond // for more to come
	maxEmpty   = 3                     // deadlines in a row at which nothing came
	maxLate    = 8                     // deadlines
)

// A limitedOutput keeps what is written to it, and calls full when that is too much.
type limitedOutput struct {
	text bytes.Buffer
	left int
	full func()
}

// Write never fails.
func (o *limitedOutput) Write(p []byte) (int, error) {
	if o.left -= len(p); o.left < 0 {
		o.full()
		return len(p), nil
	}
	return o.text.Write(p)
}
