// Package session is the conversation of a person with an agent: what was said,
// what was done for it and what it cost. It knows nothing about terminals.
//
//	s, err := session.New(agent, nil, bind)
//	for event, err := range s.Send(ctx, "Hello") { … }
//	message, ok := s.Undo() // as if it had not been sent
package session

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A Binder binds an agent to its model and its tools.
type Binder func(*interp.Agent) (*interp.Bound, error)

// A Session is a conversation. It is used by one goroutine at a time.
type Session struct {
	agent  *interp.Agent
	models *models.Table
	bound  *interp.Bound
	bind   Binder

	keeper *Keeper // nil for a conversation that is not kept

	turns []*Turn
	spent Cost // of all turns, also of those that were undone
}

// ErrStopped is the cause with which the context of a turn ends that the user stops; see
// [context.Cause]. A turn whose context ends for another reason has not ended: in a kept
// session it goes on later.
var ErrStopped = errors.New("the user stopped the turn")

// A Turn is a message of the user and what became of it.
type Turn struct {
	Message string // as the user wrote it
	Answer  string // so far; of a turn that was stopped, what had arrived
	Err     error  // why there is no answer; nil for a turn that runs or succeeded
	Start   time.Time
	Time    time.Duration // of the whole turn, without what it waited for the user; 0 while it runs
	Steps   []Step
	Cost    Cost

	unfinished    bool          // it was interrupted, and can go on
	run           string        // in which it is kept; "" if it is not
	rest          []string      // messages that are to be sent after it
	model         compile.Model // that responds
	compacted     bool          // a summary stands for what was said before
	sent          runtime.Message
	before, after runtime.Conversation
	partial       strings.Builder // what the unfinished response has said
}

// Sent returns the message as it was sent, with its files.
func (t *Turn) Sent() *runtime.Message { return &t.sent }

// Invocations returns the calls of the turn that have ended, in order; never nil.
func (t *Turn) Invocations() []runtime.Invocation {
	list := []runtime.Invocation{}
	for i := range t.Steps {
		if v := t.Steps[i].Invocation; v != nil {
			list = append(list, *v)
		}
	}
	return list
}

// A Step is a request to the model or a call of a tool.
type Step struct {
	Call       *runtime.Call // nil for a request
	Invocation *runtime.Invocation
	Start      time.Time
	Time       time.Duration // 0 while it runs; of a call, that of the tool alone
	Ran        bool          // the tool was called; false for a call that was refused
	Waited     time.Duration // until the user had decided on a call
	Usage      runtime.Usage // of a request
}

// A Cost is what requests have taken.
type Cost struct {
	Requests int
	Usage    runtime.Usage
	Price    models.Money // of the requests whose price is known
	Unpriced int          // requests whose price is unknown
}

// add adds a request. Prices of nil are unknown.
func (c *Cost) add(u runtime.Usage, prices *models.Prices) {
	c.Requests++
	c.Usage = c.Usage.Add(u)
	if prices == nil || u.Input == 0 && u.Output == 0 {
		c.Unpriced++
		return
	}
	c.Price += prices.Cost(models.Tokens{Input: int(u.Input), CacheRead: int(u.CacheRead), CacheWrite: int(u.CacheWrite), Output: int(u.Output)})
}

// New returns an empty conversation with an agent. A nil table is the built-in one.
func New(a *interp.Agent, table *models.Table, bind Binder) (*Session, error) {
	bound, err := bind(a)
	if err != nil {
		return nil, err
	}
	return &Session{agent: a, models: table, bound: bound, bind: bind}, nil
}

// Model returns what is known of the model; nil if nothing is.
func (s *Session) Model() *models.Model {
	m, ok := s.models.Model(s.agent.Model.Provider, s.agent.Model.ID)
	if !ok {
		return nil
	}
	return m
}

// prices returns the prices of a model; nil if they are unknown.
func (s *Session) prices(of compile.Model) *models.Prices {
	if m, ok := s.models.Model(of.Provider, of.ID); ok {
		return m.Prices
	}
	return nil
}

// Agent returns the agent, which must not be changed.
func (s *Session) Agent() *interp.Agent { return s.agent }

// Bindings returns the tools of the agent.
func (s *Session) Bindings() []runtime.Binding { return s.bound.Bindings() }

// Turns returns the turns that count, oldest first.
func (s *Session) Turns() []*Turn { return slices.Clone(s.turns) }

// Last returns the last turn; nil if there is none.
func (s *Session) Last() *Turn {
	if len(s.turns) == 0 {
		return nil
	}
	return s.turns[len(s.turns)-1]
}

// Spent returns the cost of everything, also of what was undone.
func (s *Session) Spent() Cost { return s.spent }

// Conversation returns the messages that the next request is about.
func (s *Session) Conversation() runtime.Conversation {
	if last := s.Last(); last != nil {
		return last.after
	}
	return nil
}

// Send sends a message and yields what happens, as [interp.Bound.Events] does. The text
// is what the user wrote, without the files that the message may have. A turn that
// fails or is stopped stays in the conversation as far as it came, so that no tool is
// called again for what it has done.
func (s *Session) Send(ctx context.Context, text string, message runtime.Message) iter.Seq2[interp.Event, error] {
	return func(yield func(interp.Event, error) bool) {
		before := s.Conversation()
		t := &Turn{Message: text, Start: time.Now(), model: s.agent.Model, sent: message, before: before, after: before}
		if err := s.keeper.begin(ctx, s, t); err != nil {
			yield(interp.Event{Kind: interp.EventStopped, Answer: &interp.AgentResponse{Conversation: before}}, err)
			return
		}
		s.turns = append(s.turns, t)
		s.play(ctx, t, yield)
	}
}

// Unfinished reports whether the last turn was interrupted before it had ended, and can
// go on.
func (s *Session) Unfinished() bool {
	last := s.Last()
	return last != nil && last.unfinished
}

// Continue goes on with a turn that was interrupted, and yields all of its events: those
// of what was done before are [interp.Event.Replayed].
func (s *Session) Continue(ctx context.Context) iter.Seq2[interp.Event, error] {
	return func(yield func(interp.Event, error) bool) {
		last := s.Last()
		t := &Turn{Message: last.Message, Start: time.Now(), run: last.run, model: s.agent.Model, sent: last.sent, before: last.before, after: last.before}
		if err := s.keeper.resume(ctx, s, t); err != nil {
			yield(interp.Event{Kind: interp.EventStopped, Answer: &interp.AgentResponse{Conversation: t.before}}, err)
			return
		}
		s.turns[len(s.turns)-1] = t
		s.play(ctx, t, yield)
	}
}

// play runs a turn.
func (s *Session) play(ctx context.Context, t *Turn, yield func(interp.Event, error) bool) {
	defer func() { t.Time = max(time.Since(t.Start)-t.waited(), 1) }()
	for event, err := range s.events(ctx, t) {
		s.observe(ctx, t, &event, err)
		if !yield(event, err) {
			return
		}
	}
}

// observe records an event of a turn.
func (s *Session) observe(ctx context.Context, t *Turn, e *interp.Event, err error) {
	switch e.Kind {
	case interp.EventRequest:
		t.partial.Reset()
		t.Steps = append(t.Steps, Step{Start: time.Now()})
	case interp.EventDelta:
		switch e.Delta.Kind {
		case runtime.DeltaText:
			t.partial.WriteString(e.Delta.Text)
		case runtime.DeltaRestart:
			t.partial.Reset()
		}
	case interp.EventFallback:
		t.model = e.Fallback.To
		t.partial.Reset()
	case interp.EventResponse:
		t.partial.Reset()
		prices := s.prices(t.model)
		t.Cost.add(e.Response.Usage, prices)
		s.spent.add(e.Response.Usage, prices)
		t.finish(func(step *Step) bool { return step.Call == nil }, func(step *Step) { step.Usage = e.Response.Usage })
	case interp.EventCompacted:
		prices := s.prices(t.model)
		t.Cost.add(e.Compaction.Response.Usage, prices)
		s.spent.add(e.Compaction.Response.Usage, prices)
		t.compacted = true
	case interp.EventToolStarted:
		t.Steps = append(t.Steps, Step{Call: e.Call, Start: time.Now()})
	case interp.EventToolFinished:
		t.finish(func(step *Step) bool { return step.Call != nil && step.Call.ID == e.Call.ID },
			func(step *Step) { step.Invocation, step.Ran, step.Time = e.Invocation, e.Time > 0, max(e.Time, 1) })
	case interp.EventAnswer:
		t.Answer, t.after = e.Answer.Content, e.Answer.Conversation
	case interp.EventStopped:
		t.Err = err
		s.endRequest(t)
		t.stop(ctx, e.Answer.Conversation)
	}
}

// Wait records that the call which began last waited for the user. It is called while
// the events of Send are ranged over.
func (s *Session) Wait(d time.Duration) {
	if last := s.Last(); last != nil && len(last.Steps) > 0 {
		last.Steps[len(last.Steps)-1].Waited += d
	}
}

// waited returns how long the turn waited for the user.
func (t *Turn) waited() (d time.Duration) {
	for i := range t.Steps {
		d += t.Steps[i].Waited
	}
	return d
}

// endRequest counts a request without a response: it may have been charged.
func (s *Session) endRequest(t *Turn) {
	t.finish(func(step *Step) bool { return step.Call == nil }, func(*Step) {
		t.Cost.add(runtime.Usage{}, nil)
		s.spent.add(runtime.Usage{}, nil)
	})
}

// finish completes the last step that is meant.
func (t *Turn) finish(meant func(*Step) bool, complete func(*Step)) {
	for i := range slices.Backward(t.Steps) {
		if step := &t.Steps[i]; step.Time == 0 && meant(step) {
			step.Time = max(time.Since(step.Start), 1)
			complete(step)
			return
		}
	}
}

// stop ends a turn without an answer.
func (t *Turn) stop(ctx context.Context, conversation runtime.Conversation) {
	t.Answer = t.partial.String()
	if last := t.conclusion(ctx.Err() != nil, conversation); last != nil {
		t.after = append(slices.Clip(conversation), *last)
	}
}

// conclusion returns the message that ends a turn without an answer. The conversation must
// stay valid: what was said and done gets an answer that says why it ends. Where
// nothing was, the message does not count, and nil is returned.
func (t *Turn) conclusion(stopped bool, conversation runtime.Conversation) *runtime.Message {
	why := "[The answer failed here.]"
	if stopped {
		why = "[The user stopped the answer here.]"
	}
	done := t.compacted || len(conversation) > len(t.before)+1 // more than the message
	switch partial := t.partial.String(); {
	case strings.TrimSpace(partial) != "":
		why = partial + "\n\n" + why
	case !done:
		return nil
	}
	last := runtime.AssistantMessage(why, nil)
	return &last
}

// Undo takes the last turn back and returns its message. What its tools did
// remains done.
func (s *Session) Undo() (message string, ok bool) {
	last := s.Last()
	if last == nil {
		return "", false
	}
	s.turns = s.turns[:len(s.turns)-1]
	s.keeper.moveTo(s.Last())
	return last.Message, true
}

// Clear forgets the conversation. That of a kept session begins anew; its runs are kept
// until the session is deleted.
func (s *Session) Clear() {
	s.turns = nil
	s.keeper.moveTo(nil)
}

// Name returns the name of a kept session; "" if it is not kept.
func (s *Session) Name() string {
	if s.keeper == nil {
		return ""
	}
	return s.keeper.Name()
}

// SetModel lets another model answer from now on, and that one alone. It returns what check
// warns of where a file names the model. After an error, the previous one stays.
func (s *Session) SetModel(name string) (warnings []string, err error) {
	model, err := compile.ChooseModel(name, s.models)
	if err != nil {
		return nil, err
	}
	changed := *s.agent
	changed.Model, changed.Fallbacks = model, nil
	if err := s.rebind(&changed); err != nil {
		return nil, err
	}
	for _, d := range compile.CheckModel(name, model, s.models) {
		warnings = append(warnings, d.Message)
	}
	return warnings, nil
}

// SetAgent begins a new conversation with another agent. After an error, the
// previous one stays.
func (s *Session) SetAgent(a *interp.Agent) error {
	if err := s.rebind(a); err != nil {
		return err
	}
	s.Clear()
	return nil
}

func (s *Session) rebind(a *interp.Agent) error {
	bound, err := s.bind(a)
	if err != nil {
		return err
	}
	s.agent, s.bound = a, bound
	s.keeper.note(a)
	return nil
}
