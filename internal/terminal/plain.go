package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A plain is a conversation line by line.
type plain struct {
	*Terminal
	lineReader
	answer *AnswerStream
}

// runPlain is Run without a screen.
func (t *Terminal) runPlain(ctx context.Context) error {
	p := &plain{t, lineReader{in: t.In, out: t.Out, interrupts: t.Interrupts}, NewAnswerStream(t.Out)}
	t.approver.ask = p.askUser
	p.print(t.Intro...)
	p.print(t.past(80)...)
	if t.session.Unfinished() {
		last := t.session.Last()
		p.print(p.echo(last.Message)...)
		if err := p.follow(ctx, last.Sent(), t.session.Continue); err != nil {
			return err
		}
	}
	interrupted := false
	for prefill := ""; ; {
		p.print(t.notes()...)
		if prefill != "" {
			p.print("(it was: " + visible.Line(prefill) + ")")
			prefill = ""
		}
		text, err := p.message(ctx)
		switch {
		case errors.Is(err, ErrInterrupted):
			if interrupted {
				return err
			}
			interrupted = true
			p.print("", "Ctrl-C again ends the program")
			continue
		case errors.Is(err, io.EOF):
			p.print("")
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

func (p *plain) print(lines ...string) {
	for _, line := range lines {
		fmt.Fprintln(p.Out, line)
	}
}

// message reads a message. If it names a file that does not exist, the user decides
// whether it is sent.
func (p *plain) message(ctx context.Context) (text string, err error) {
	for sure := ""; ; {
		if text, err = p.paragraph(ctx); err != nil {
			return "", err
		}
		if text == "" && sure != "" {
			return sure, nil
		}
		missing := p.missingFile(text)
		if missing == "" {
			return text, nil
		}
		p.print(missing + "; press Enter to send the message as it is, or write another")
		sure = text
	}
}

// paragraph reads a line, and those after it as long as they end in a backslash.
func (p *plain) paragraph(ctx context.Context) (text string, err error) {
	for prompt := "> "; ; prompt = "  " {
		line, err := p.read(ctx, prompt)
		if err != nil {
			return "", err
		}
		before, more := strings.CutSuffix(line, `\`)
		if text += before; !more {
			return text, nil
		}
		text += "\n"
	}
}

// send sends a message and shows what comes back. Its errors are those of follow.
func (p *plain) send(ctx context.Context, text string) error {
	message, err := withFiles(text, p.session.Model())
	if err != nil {
		p.print(p.failure(err).lines...)
		return nil
	}
	p.history.add(text, text)
	p.print(p.attached(&message)...)
	return p.follow(ctx, &message, func(ctx context.Context) iter.Seq2[interp.Event, error] { return p.session.Send(ctx, text, message) })
}

// follow shows what comes back for a message. Its errors end the conversation; others
// are shown.
func (p *plain) follow(ctx context.Context, message *runtime.Message, events func(context.Context) iter.Seq2[interp.Event, error]) error {
	turn, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stopped := make(chan struct{})
	defer close(stopped)
	go func() {
		select {
		case <-p.Interrupts:
			cancel(session.ErrStopped)
		case <-stopped:
		}
	}()
	if err := p.observe(message, nil, nil); err != nil {
		return err
	}
	asJSON := len(p.session.Agent().Returns) > 0
	for event, err := range events(turn) {
		if err := p.observe(nil, &event, err); err != nil {
			return err
		}
		p.show(&event, asJSON)
		if err != nil {
			if !p.answer.EndLine() {
				p.print("") // after the ^C that the terminal shows
			}
			if errors.Is(err, context.Canceled) && ctx.Err() == nil {
				p.print("stopped; /retry sends the message again")
			} else {
				p.print(p.stopped(err).lines...)
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
	if !asJSON {
		if e.Kind == interp.EventResponse && e.Replayed { // it came in pieces when it was new
			p.answer.Event(&interp.Event{Kind: interp.EventDelta, Delta: &runtime.Delta{Kind: runtime.DeltaText, Text: e.Response.Content}})
		}
		p.answer.Event(e)
	}
	switch e.Kind {
	case interp.EventFallback:
		p.print(safe(e.Fallback.String()))
	case interp.EventCompacted:
		p.print(compactedTurnLine(e.Compaction))
	case interp.EventToolFinished:
		if step := endedCall(p.session.Last(), e); step.Invocation != nil && !p.Quiet {
			p.print(p.callLine(&step, 80))
		}
	case interp.EventAnswer:
		if asJSON {
			p.print(safeLines(valueText([]byte(e.Answer.Content)))...)
		}
		if line := cutTurnLine(e.Answer); line != "" {
			p.print(line)
		}
	}
}
