package terminal

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gram-lang/gramc/internal/markdown"
	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A turn is a message while it is answered.
type turn struct {
	cancel    context.CancelFunc
	start     time.Time
	text      *markdown.Stream // of the response
	begun     bool             // something of the response is shown
	printed   bool             // lines of it are printed
	reasoning string           // the last of what the model thinks
	wait      wait             // before the request is sent again
	json      bool             // the answer is JSON, and shown at the end
	calls     []*runtime.Call  // that run
	cost      session.Cost     // so far
	stopped   error
}

// A wait is why a request is not answered yet, and until when that is so.
type wait struct {
	why   string
	until time.Time
}

// A turnEvent is what happens in a turn; turnEnded comes after the last one. It
// has what the loop shows of the session, which another goroutine changes.
type turnEvent struct {
	event interp.Event
	err   error
	step  session.Step // of a call that has ended
	cost  session.Cost // so far
}

type (
	turnEnded struct{ bug any }
	spin      struct{}
	goOn      struct{}
)

// deferrable reports whether an event may wait for others until it is painted:
// text does, except for the first.
func (e turnEvent) deferrable(u *ui) bool {
	if e.event.Kind != interp.EventDelta || u.turn == nil || len(u.printed) > 0 {
		return false
	}
	first := e.event.Delta.Kind == runtime.DeltaText && !u.turn.begun
	u.turn.begun = u.turn.begun || e.event.Delta.Kind == runtime.DeltaText
	return !first
}

// start sends a message. One that cannot be sent is in the prompt again.
func (u *ui) start(text string) tea.Cmd {
	message, err := withFiles(text, u.session.Model())
	if err != nil {
		u.hint = safe(err.Error())
		u.backToPrompt(text)
		return nil
	}
	message.Content = u.whole(text)
	u.history.add(text, message.Content)
	return u.begin(text, &message, func(ctx context.Context) iter.Seq2[interp.Event, error] { return u.session.Send(ctx, text, message) })
}

// goOn finishes the turn that had not ended when the conversation was interrupted.
func (u *ui) goOn() tea.Cmd {
	last := u.session.Last()
	return u.begin(last.Message, last.Sent(), u.session.Continue)
}

// begin shows a message and what is sent for it.
func (u *ui) begin(text string, message *runtime.Message, events func(context.Context) iter.Seq2[interp.Event, error]) tea.Cmd {
	u.print(u.echo(text)...)
	u.print(u.attached(message)...)
	u.print("")
	ctx, cancel := context.WithCancelCause(u.ctx)
	u.turn = &turn{cancel: func() { cancel(session.ErrStopped) }, start: time.Now(), text: u.newText(), json: len(u.session.Agent().Returns) > 0}
	go u.converse(message, events(ctx))
	return tea.Tick(turnSpinnerTime, func(time.Time) tea.Msg { return spin{} })
}

func (u *ui) newText() *markdown.Stream {
	return markdown.NewStream(&markdown.Options{Width: u.screen.width, Styles: u.styles()})
}

// converse runs a turn in its own goroutine. The loop does not touch the session
// until the turn has ended, except for what Send has yielded.
func (u *ui) converse(message *runtime.Message, events iter.Seq2[interp.Event, error]) {
	var end turnEnded
	defer func() {
		end.bug = recover()
		u.turns <- struct{}{}
		u.send(end)
	}()
	if err := u.observe(message, nil, nil); err != nil {
		u.send(turnEvent{err: err})
		return
	}
	for event, err := range events {
		if failed := u.observe(nil, &event, err); failed != nil {
			u.send(turnEvent{err: failed})
			return
		}
		u.send(turnEvent{event, err, endedCall(u.session.Last(), &event), u.session.Last().Cost})
	}
}

// observe passes on what happens, as for a trace.
func (t *Terminal) observe(message *runtime.Message, e *interp.Event, err error) error {
	if t.Observe == nil {
		return nil
	}
	return t.Observe(message, e, err)
}

// event shows what happens.
func (u *ui) event(msg turnEvent) tea.Cmd {
	t := u.turn
	if t == nil {
		return nil
	}
	switch e := msg.event; e.Kind {
	case interp.EventRequest:
		t.begun, t.printed, t.reasoning = false, false, ""
	case interp.EventDelta:
		u.delta(e.Delta)
	case interp.EventResponse:
		t.cost = msg.cost
		if e.Replayed && !t.json { // it came in pieces when it was new
			u.printText(t.text.Write(e.Response.Content))
		}
		u.endText()
	case interp.EventToolStarted:
		t.calls = append(t.calls, e.Call)
	case interp.EventToolFinished:
		if t.printed {
			u.gap()
			t.printed = false
		}
		t.calls = slices.DeleteFunc(t.calls, func(c *runtime.Call) bool { return c.ID == e.Call.ID })
		if !u.Quiet && msg.step.Invocation != nil {
			u.print(u.callLine(&msg.step, u.screen.width))
		}
	case interp.EventAnswer:
		if t.json {
			u.printJSON(e.Answer.Content)
		}
		if line := cutTurnLine(e.Answer); line != "" {
			u.say(u.style.warning(line))
		}
	case interp.EventFallback:
		u.say(u.style.warning(safe(e.Fallback.String())))
	case interp.EventCompacted:
		u.say(u.style.faint(compactedTurnLine(e.Compaction)))
	default: // the run has stopped, or the trace cannot be written
		t.stopped = msg.err
	}
	return nil
}

// delta shows a piece of a response.
func (u *ui) delta(d *runtime.Delta) {
	t := u.turn
	t.wait = wait{}
	switch d.Kind {
	case runtime.DeltaText:
		if t.reasoning = ""; !t.json {
			u.printText(t.text.Write(d.Text))
		}
	case runtime.DeltaReasoning:
		t.reasoning += d.Text
		if cut := len(t.reasoning) - maxShown; cut > 0 {
			t.reasoning = t.reasoning[cut:]
		}
	case runtime.DeltaWait:
		t.wait = wait{d.Why, time.Now().Add(d.Wait)}
	case runtime.DeltaRestart:
		if len(t.text.Pending()) > 0 || t.printed {
			u.endText()
			u.say(u.style.faint(restartTurnLine), "")
		}
	}
}

// endText prints the rest of a response.
func (u *ui) endText() {
	if u.turn.json {
		return
	}
	u.printText(u.turn.text.Close())
}

// printText prints lines of a response, the first after a blank line.
func (u *ui) printText(lines []string) {
	if len(lines) > 0 && !u.turn.printed {
		u.gap()
		u.turn.printed = true
	}
	u.print(lines...)
}

func (u *ui) printJSON(answer string) {
	u.gap()
	for _, line := range markdown.Render("```json\n"+valueText([]byte(answer))+"\n```", &markdown.Options{Width: u.screen.width, Styles: u.styles()}) {
		u.print(line)
	}
}

// endTurn is called once a turn has ended, and sums it up.
func (u *ui) endTurn() tea.Cmd {
	t := u.turn
	if t == nil {
		return nil
	}
	<-u.turns
	t.cancel()
	u.endText()
	u.closeQuestion()
	u.turn, u.armed, u.hint = nil, false, ""
	u.gap()
	last := u.session.Last()
	switch {
	case t.stopped != nil && errors.Is(t.stopped, context.Canceled):
		u.say(u.style.warning("stopped") + u.style.faint("; /retry sends the message again"))
	case t.stopped != nil:
		u.say(u.stopped(t.stopped).lines...)
		u.say(u.style.faint("/retry sends the message again"))
	case last != nil && !u.Quiet:
		u.say(u.turnLine(last))
	}
	u.gap()
	if t.stopped != nil {
		u.backToPrompt(u.queue...)
		u.queue = nil
		return nil
	}
	return u.sendQueued()
}

// spin moves the spinner.
func (u *ui) spin() tea.Cmd {
	if u.turn == nil {
		return nil
	}
	return tea.Tick(turnSpinnerTime, func(time.Time) tea.Msg { return spin{} })
}

// resize adapts the text that arrives to another width.
func (t *turn) resize(width int) {
	if t != nil {
		t.text.Resize(width)
	}
}

// maxLive is how many lines of unfinished text are shown, the last ones, and a third of the
// screen at most. What is painted must stay on the screen when it becomes half as wide, and
// each line two: nobody can erase what has been scrolled away.
const maxLive = 12

// lines returns the lines of a turn that are not finished.
func (t *turn) lines(u *ui) (lines []string) {
	if t == nil {
		return nil
	}
	if !t.json {
		lines = t.text.Pending()
	}
	if most := min(u.screen.height/3, maxLive); len(lines) > most {
		lines = lines[len(lines)-most:]
	}
	if len(lines) > 0 && !t.printed && u.last != "" {
		lines = append([]string{""}, lines...)
	}
	if u.question != nil {
		return lines
	}
	sign, took := u.style.good(turnSpinner(t.start)), visible.Duration(time.Since(t.start).Truncate(turnSpinnerTime))
	state := t.doing(u.screen.width/2) + "  " + took
	for _, text := range []string{costTokens(t.cost.Usage), priceText(t.cost), lastLine(t.reasoning)} {
		if text != "" {
			state += "  " + text
		}
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return append(lines, sign+" "+u.style.faint(safeLine(state, u.screen.width-2)), "")
}

// doing says what is going on, calls on at most so many columns.
func (t *turn) doing(columns int) string {
	switch left := time.Until(t.wait.until); {
	case len(t.calls) > 0:
		what := "calls"
		for _, call := range t.calls {
			what += " " + callHead(call.Name, compactJSON(call.Args), columns)
		}
		return what
	case left > 0:
		return "tries again in " + (left.Truncate(time.Second) + time.Second).String() + " (" + safeLine(t.wait.why, 2*columns) + ")"
	case t.begun:
		return "answers"
	}
	return "thinks"
}

// lastLine returns the last line of a text that has something in it.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// turnSpinner returns the sign of the moment for what is going on.
func turnSpinner(since time.Time) string {
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	return string(frames[int(time.Since(since)/turnSpinnerTime)%len(frames)])
}

const turnSpinnerTime = 100 * time.Millisecond
