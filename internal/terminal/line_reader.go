package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/interp"
)

// A lineReader reads what the user writes, line by line.
type lineReader struct {
	in         io.Reader
	out        io.Writer        // gets prompts and questions
	interrupts <-chan os.Signal // Ctrl-C; nil where it ends the context

	lines <-chan string // of in; nil before the first is read
}

const maxLine = 1 << 20 // bytes

// start starts to read, and goes on until the process ends: a terminal cannot be
// asked to stop.
func (l *lineReader) start() {
	if l.lines != nil {
		return
	}
	lines := make(chan string, 1000)
	l.lines = lines
	go func() {
		defer close(lines)
		s := bufio.NewScanner(l.in)
		s.Buffer(nil, maxLine)
		for s.Scan() {
			lines <- s.Text()
		}
	}()
}

// read reads a line; [io.EOF] is the end, and [ErrInterrupted] Ctrl-C.
func (l *lineReader) read(ctx context.Context, prompt string) (string, error) {
	l.start()
	fmt.Fprint(l.out, prompt)
	select {
	case line, open := <-l.lines:
		if !open {
			return "", io.EOF
		}
		return line, nil
	case <-l.interrupts:
		return "", ErrInterrupted
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// settle is how long a question waits for lines that were typed before it: they
// cannot be an answer to what had not been shown.
const settle = 50 * time.Millisecond

// skipTyped discards the lines that were typed until now.
func (l *lineReader) skipTyped(ctx context.Context) error {
	l.start()
	settled := time.After(settle)
	for lines := l.lines; ; {
		select {
		case _, open := <-lines:
			if !open {
				lines = nil
			}
		case <-settled:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// askUser shows a call and waits for the answer.
func (l *lineReader) askUser(ctx context.Context, q *interp.ApprovalRequest) (answer, error) {
	if err := l.skipTyped(ctx); err != nil {
		return answer{}, err
	}
	shown, whole := visible.Arguments(q.Args)
	fmt.Fprintf(l.out, "%s wants to call %s with\n%s", visible.Exactly(q.Agent), visible.Exactly(q.Tool), shown)
	prompt := "Allow this call? [y]es, [n]o, [a]lways this tool, [e]dit: "
	if !whole {
		prompt = "Allow this call, although not all of it is shown? yes, [n]o: "
	}
	for {
		line, err := l.read(ctx, prompt)
		switch {
		case errors.Is(err, io.EOF):
			fmt.Fprintln(l.out, "no")
			return answer{}, nil
		case errors.Is(err, ErrInterrupted):
			fmt.Fprintln(l.out)
			return answer{}, fmt.Errorf("the question was not answered: %w", context.Canceled)
		case err != nil:
			return answer{}, err
		}
		switch line = strings.ToLower(strings.TrimSpace(line)); {
		case line == "yes" || whole && line == "y":
			return answer{yes: true}, nil
		case line == "n" || line == "no":
			return answer{}, nil
		case whole && (line == "a" || line == "always"):
			return answer{yes: true, always: true}, nil
		case whole && (line == "e" || line == "edit"):
			args, err := l.editArgs(ctx, q)
			if err != nil || args != nil {
				return answer{yes: true, args: args}, err
			}
		}
	}
}

// editArgs reads other arguments for a call; nil if the user gives none.
func (l *lineReader) editArgs(ctx context.Context, q *interp.ApprovalRequest) ([]byte, error) {
	fmt.Fprintf(l.out, "now: %s\n", compactJSON([]byte(editable(q.Args))))
	for {
		line, err := l.read(ctx, "arguments in one line of JSON, or nothing to go back: ")
		if errors.Is(err, io.EOF) || errors.Is(err, ErrInterrupted) {
			return nil, nil // back to the question, where the end of the input means no
		}
		if err != nil || strings.TrimSpace(line) == "" {
			return nil, err
		}
		args, err := changedArgs(q, line)
		if err == nil {
			return args, nil
		}
		fmt.Fprintln(l.out, safe(err.Error()))
	}
}
