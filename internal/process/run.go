package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
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
	p, err := Start(c)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, p.Kill)()
	go func() {
		_, _ = p.Stdin.Write(stdin) // a program need not read all of its input
		_ = p.Stdin.Close()
	}()
	out := make(chan []byte, 1)
	go func() {
		text, _ := io.ReadAll(io.LimitReader(p.Stdout, int64(most)+1)) // what ended it is known from the process
		if len(text) > most {
			p.Kill()
			_, _ = io.Copy(io.Discard, p.Stdout)
		}
		out <- text
	}()
	select {
	case <-p.done:
	case <-ctx.Done():
		p.ended(gracePeriod) // it was killed
		return nil, ctx.Err()
	}
	text := <-out
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case len(text) > most:
		return nil, &TooLongError{most}
	}
	return text, p.err
}

// A Set remembers the runs that are going on, so that a program that is about
// to end can end them first. The zero Set is empty. It may be shared, and a
// nil *Set remembers nothing.
type Set struct {
	mu     sync.Mutex
	closed bool
	over   chan struct{} // closed by Close; made by the first run
	runs   sync.WaitGroup
}

// Run is [Run], until the set is closed.
func (s *Set) Run(ctx context.Context, c Command, stdin []byte, most int) ([]byte, error) {
	if s == nil {
		return Run(ctx, c, stdin, most)
	}
	over, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer s.runs.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-over:
			cancel()
		case <-ctx.Done():
		}
	}()
	return Run(ctx, c, stdin, most)
}

func (s *Set) enter() (<-chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errors.New("no program is started any more: the end has begun")
	}
	if s.over == nil {
		s.over = make(chan struct{})
	}
	s.runs.Add(1)
	return s.over, nil
}

// Close kills what still runs and waits for its end. Nothing is started later.
func (s *Set) Close() {
	s.mu.Lock()
	if !s.closed && s.over != nil {
		close(s.over)
	}
	s.closed = true
	s.mu.Unlock()
	s.runs.Wait()
}
