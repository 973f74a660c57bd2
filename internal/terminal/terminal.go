package terminal

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// Options are what a conversation needs besides its session.
type Options struct {
	In, Out *os.File // the terminal
	Color   bool     // whether colours are used
	Plain   bool     // line by line, for terminals that can do nothing else
	Quiet   bool     // answers only: no calls, times and costs

	Approved []string // tools whose calls are allowed; "all" means every tool
	Models   []string // for completion
	Agents   []string // of the file, for completion
	Intro    []string // lines that are shown first

	History func(agent string) (file string) // of an agent; nil or empty keeps the history in memory

	Agent func(name string) error // lets the session go on with another agent of the file
	Trace func(file string) error // writes events to a file from now on

	// Observe is called with each message before it is sent, and with a nil message for
	// each event of it. Its error ends the turn.
	Observe func(message *runtime.Message, e *interp.Event, err error) error

	// Reason returns what is shown of the error that ended a turn; nil shows the error itself.
	Reason func(error) error

	Notes      func() []string  // takes the warnings since the last call
	Interrupts <-chan os.Signal // Ctrl-C, where it is no key: with Plain
}

// ErrInterrupted ends a conversation that the user interrupted twice.
var ErrInterrupted = errors.New("the conversation was interrupted")

// A Terminal shows one conversation.
type Terminal struct {
	Options
	session *session.Session
	history *history
	style   style

	approver *Approver // has nobody to ask before Run
}

// New returns a Terminal for a session whose calls are approved by its method
// Approve.
func New(o *Options) *Terminal {
	return &Terminal{Options: *o, style: style{o.Color}, history: openHistory(""),
		approver: &Approver{approved: slices.Clone(o.Approved)}}
}

// Approve asks the user whether a call may be made; see [interp.Options]. The time that
// the user takes is not that of the turn.
func (t *Terminal) Approve(ctx context.Context, q *interp.ApprovalRequest) (bool, error) {
	start := time.Now()
	defer func() { t.session.Wait(time.Since(start)) }()
	return t.approver.Approve(ctx, q)
}

// Ask asks the user about a call, whatever is approved.
func (t *Terminal) Ask(ctx context.Context, q *interp.ApprovalRequest) (bool, error) {
	return t.approver.Ask(ctx, q)
}

// Run holds the conversation until the user ends it, with [ErrInterrupted] if by
// Ctrl-C, or until ctx ends.
func (t *Terminal) Run(ctx context.Context, s *session.Session) error {
	t.session = s
	t.openHistory()
	if t.Plain {
		return t.runPlain(ctx)
	}
	return t.runScreen(ctx)
}

// openHistory opens the history of the agent.
func (t *Terminal) openHistory() {
	if t.History != nil {
		t.history = openHistory(t.History(t.session.Agent().Name))
	}
}

// notes returns the warnings since the last call, as lines.
func (t *Terminal) notes() []string {
	if t.Notes == nil {
		return nil
	}
	var lines []string
	for _, note := range t.Notes() {
		lines = append(lines, t.style.warning(safe(note)))
	}
	return lines
}
