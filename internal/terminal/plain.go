package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A plain is a conversation line by line.
type plain struct {
	*Terminal
	lines <-chan string
}

// runPlain is Run without a screen.
func (t *Terminal) runPlain(ctx context.Context) error {
	p := &plain{t, readLines(t.In)}
	t.ask = p.askUser
	p.print(t.Intro...)
	interrupted := false
	for prefill := ""; ; {
		p.print(t.notes()...)
		if prefill != "" {
			p.print("(it was: " + visible.Line(prefill) + ")")
			prefill = ""
		}
		text, err := p.read(ctx, "> ", "  ")
		switch {
		case errors.Is(err, ErrInterrupted):
			if interrupted {
				return err
			}
			interrupted = true
			p.print("", "Ctrl-C again ends the program")
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		interrupted = false
		if strings.TrimSpace(text) == "" {
			continue
		}
		o, ok := t.command(text)
		if !ok {
			o.send = text
		}
		p.print(o.lines...)
		if prefill = o.prefill; o.quit {
			return nil
		}
		if o.send != "" {
			if err := p.send(ctx, o.send); err != nil {
				return err
			}
		}
	}
}

// readLines reads lines until the process ends: a terminal cannot be asked to
// stop.
func readLines(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(in)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			lines <- s.Text()
		}
	}()
	return lines
}

func (p *plain) print(lines ...string) {
	for _, line := range lines {
		fmt.Fprintln(p.Out, line)
	}
}

// read reads a line, and those after it as long as they end in a backslash.
func (p *plain) read(ctx context.Context, prompt, next string) (text string, err error) {
	for {
		fmt.Fprint(p.Out, prompt)
		select {
		case line, open := <-p.lines:
			if !open {
				p.print("")
				return "", io.EOF
			}
			before, more := strings.CutSuffix(line, `\`)
			if text += before; !more {
				return text, nil
			}
			text, prompt = text+"\n", next
		case <-p.Interrupts:
			return "", ErrInterrupted
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// send sends a message and shows what comes back. Its errors end the
// conversation; others are shown.
func (p *plain) send(ctx context.Context, text string) error {
	message, _, err := withFiles(text, p.session.Model())
	if err != nil {
		p.print(p.failure(err).lines...)
		return nil
	}
	p.history.add(text)
	turn, cancel := context.WithCancel(ctx)
	defer cancel()
	stopped := make(chan struct{})
	defer close(stopped)
	go func() {
		select {
		case <-p.Interrupts:
			cancel()
		case <-stopped:
		}
	}()
	if err := p.observe(&message, nil, nil); err != nil {
		return err
	}
	asJSON := len(p.session.Agent().Returns) > 0
	for event, err := range p.session.Send(turn, text, message) {
		if err := p.observe(nil, &event, err); err != nil {
			return err
		}
		p.show(&event, asJSON)
		if err != nil {
			p.print("")
			if errors.Is(err, context.Canceled) && ctx.Err() == nil {
				p.print("stopped; /retry sends the message again")
			} else {
				p.print(p.failure(err).lines...)
			}
			return ctx.Err()
		}
	}
	if !p.Quiet {
		p.print(p.turnLine(p.session.Last()))
	}
	return nil
}

// show shows what happens. Text is shown as it comes.
func (p *plain) show(e *interp.Event, asJSON bool) {
	switch e.Kind {
	case interp.EventDelta:
		switch {
		case asJSON:
		case e.Delta.Kind == runtime.DeltaText:
			fmt.Fprint(p.Out, safe(e.Delta.Text))
		case e.Delta.Kind == runtime.DeltaRestart:
			p.print("", restartLine)
		}
	case interp.EventResponse:
		if e.Response.Content != "" && !asJSON {
			p.print("")
		}
	case interp.EventFallback:
		p.print(fallbackLine(e.Fallback))
	case interp.EventCompacted:
		p.print(compactedLine(e.Compaction))
	case interp.EventToolFinished:
		if step := endedCall(p.session.Last(), e); step.Invocation != nil && !p.Quiet {
			p.print(p.callLine(&step, 80))
		}
	case interp.EventAnswer:
		if asJSON {
			p.print(safeLines(valueText([]byte(e.Answer.Content)))...)
		}
		if line := cutLine(e.Answer); line != "" {
			p.print(line)
		}
	}
}

// askUser asks whether a call may be made.
func (p *plain) askUser(ctx context.Context, q *interp.ApprovalRequest) (answer, error) {
	for waiting := time.After(settled); ; { // what was typed before is no answer
		select {
		case _, open := <-p.lines:
			if !open {
				return answer{}, nil
			}
			continue
		case <-waiting:
		case <-ctx.Done():
			return answer{}, ctx.Err()
		}
		break
	}
	text, whole := visible.Arguments(q.Args)
	p.print(visible.Exactly(q.Agent) + " wants to call " + visible.Exactly(q.Tool) + " with")
	p.print(strings.Split(strings.TrimRight(text, "\n"), "\n")...)
	prompt := "Allow this call? [y]es, [n]o, [a]lways this tool: "
	if !whole {
		prompt = "Allow this call, although not all of it is shown? yes, [n]o: "
	}
	for {
		line, err := p.read(ctx, prompt, "")
		switch {
		case errors.Is(err, io.EOF):
			return answer{}, nil
		case errors.Is(err, ErrInterrupted):
			p.print("")
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
		}
	}
}
