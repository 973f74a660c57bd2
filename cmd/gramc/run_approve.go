package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/interp"
)

// An approver asks the user whether calls may be made. It is used by one
// goroutine.
type approver struct {
	in     io.Reader
	out    io.Writer
	always []string // tools that need not be asked for; "all" means every tool

	lines <-chan string // of in; nil before the first question
}

// approver returns the function that decides for the user; nil when there is no
// terminal to ask at and nothing is approved.
func (r *runner) approver() func(context.Context, *interp.ApprovalRequest) (bool, error) {
	a := &approver{in: r.in, out: r.err, always: slices.Clone(r.approve)}
	if isTerminal(r.in) && isTerminal(r.err) && !r.readsStdin {
		return a.ask
	}
	if len(a.always) == 0 {
		return nil
	}
	return func(_ context.Context, q *interp.ApprovalRequest) (bool, error) {
		if approves(a.always, q.Tool) {
			return true, nil
		}
		r.note(fmt.Sprintf("%s is not called: it needs approval, and there is no terminal to ask at; allow it with --approve %s",
			cleanLine(q.Tool), cleanLine(q.Tool)))
		return false, nil
	}
}

// approves reports whether calls of a tool are allowed by a list of names.
func approves(always []string, tool string) bool {
	return slices.Contains(always, tool) || slices.Contains(always, "all")
}

// settle is how long a question waits for input that was typed before it: that
// cannot be an answer to what had not been shown.
const settle = 50 * time.Millisecond

// ask shows a call and waits for the answer.
func (a *approver) ask(ctx context.Context, q *interp.ApprovalRequest) (bool, error) {
	if approves(a.always, q.Tool) {
		return true, nil
	}
	if err := a.skipTyped(ctx); err != nil {
		return false, err
	}
	shown, whole := visible.Arguments(q.Args)
	fmt.Fprintf(a.out, "%s wants to call %s with\n%s", visible.Exactly(q.Agent), visible.Exactly(q.Tool), shown)
	question, yes := "Allow this call? [y]es, [n]o, [a]lways this tool: ", []string{"y", "yes"}
	if !whole {
		question, yes = "Allow this call, although not all of it is shown? yes, [n]o: ", []string{"yes"}
	}
	for {
		fmt.Fprint(a.out, question)
		answer, open, err := a.line(ctx)
		if err != nil {
			return false, err
		}
		switch answer = strings.ToLower(strings.TrimSpace(answer)); {
		case slices.Contains(yes, answer):
			return true, nil
		case answer == "n" || answer == "no":
			return false, nil
		case whole && (answer == "a" || answer == "always"):
			a.always = append(a.always, q.Tool)
			return true, nil
		}
		if !open {
			fmt.Fprintln(a.out, "no")
			return false, nil
		}
	}
}

// skipTyped discards the lines that were typed before a question.
func (a *approver) skipTyped(ctx context.Context) error {
	if a.lines == nil {
		lines := make(chan string, 1000)
		a.lines = lines
		go func() { // reads until the process ends: a terminal cannot be asked to stop
			defer close(lines)
			for s := bufio.NewScanner(a.in); s.Scan(); {
				lines <- s.Text()
			}
		}()
	}
	settled := time.After(settle)
	for lines := a.lines; ; {
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

// line waits for the next line, or for the end of the context. Open is false
// after the last one.
func (a *approver) line(ctx context.Context) (text string, open bool, err error) {
	select {
	case text, open = <-a.lines:
		return text, open, nil
	case <-ctx.Done():
		return "", false, ctx.Err()
	}
}
