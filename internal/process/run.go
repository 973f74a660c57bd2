package process

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
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
	child, err := c.start(life, bytes.NewReader(stdin), out) // it need not read all of its input
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	err = child.wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case out.left < 0:
		return nil, &TooLongError{most}
	}
	return out.text.Bytes(), err
}

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
