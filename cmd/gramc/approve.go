package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
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

// approver returns who answers for the user; nil when nobody can be asked.
func (r *runner) approver() func(context.Context, *interp.ApprovalRequest) (bool, error) {
	a := &approver{in: r.in, out: r.err, always: slices.Clone(r.approve)}
	if isTerminal(r.in) && isTerminal(r.err) && !r.readsStdin {
		return a.ask
	}
	if len(a.always) == 0 {
		return nil
	}
	return func(_ context.Context, q *interp.ApprovalRequest) (bool, error) {
		if a.allows(q.Tool) {
			return true, nil
		}
		r.note(fmt.Sprintf("%s is not called: it needs approval, and there is no terminal to ask at; allow it with --approve %s",
			cleanLine(q.Tool), cleanLine(q.Tool)))
		return false, nil
	}
}

func (a *approver) allows(tool string) bool {
	return slices.Contains(a.always, tool) || slices.Contains(a.always, "all")
}

// maxAsked is how many bytes of the arguments a question shows. Who says yes to
// more would not have read it.
const maxAsked = 4000

// ask shows a call and waits for the answer.
func (a *approver) ask(ctx context.Context, q *interp.ApprovalRequest) (bool, error) {
	if a.allows(q.Tool) {
		return true, nil
	}
	fmt.Fprintf(a.out, "%s wants to call %s with\n%s", cleanLine(q.Agent), cleanLine(q.Tool), argumentLines(q.Args))
	for {
		fmt.Fprintf(a.out, "May it? [y]es, [n]o, [a]lways this tool: ")
		answer, open, err := a.line(ctx)
		if err != nil {
			return false, err
		}
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		case "a", "always":
			a.always = append(a.always, q.Tool)
			return true, nil
		}
		if !open {
			fmt.Fprintln(a.out, "no")
			return false, nil
		}
	}
}

// line waits for the next line, or for the end of the context. Open is false
// after the last one.
func (a *approver) line(ctx context.Context) (text string, open bool, err error) {
	if a.lines == nil {
		lines := make(chan string)
		a.lines = lines
		go func() { // reads until the process ends: a terminal cannot be asked to stop
			defer close(lines)
			for s := bufio.NewScanner(a.in); s.Scan(); {
				lines <- s.Text()
			}
		}()
	}
	select {
	case text, open = <-a.lines:
		return text, open, nil
	case <-ctx.Done():
		return "", false, ctx.Err()
	}
}

// argumentLines shows arguments one by one, as JSON, so that nothing can hide
// in them.
func argumentLines(args json.RawMessage) string {
	var values map[string]json.RawMessage
	if json.Unmarshal(args, &values) != nil || len(values) == 0 {
		return "  " + shortLine(string(args)) + "\n"
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&text, "  %s: %s\n", cleanLine(name), shortLine(string(values[name])))
	}
	return text.String()
}

// shortLine returns foreign text on a line, cut where nobody would read on.
func shortLine(text string) string {
	line := cleanLine(text)
	if len(line) <= maxAsked {
		return line
	}
	return fmt.Sprintf("%s… (%d bytes)", excerpt.Bytes(line, maxAsked), len(line))
}
