package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A hub has the runs that go on here, and the engine with all of them.
type hub struct {
	engine Engine
	server *Server
	wanted chan struct{} // gets something when look must not pause
	spent  spentCache

	mu    sync.Mutex
	runs  map[string]*liveRun // that go on, or are watched while they wait
	going sync.WaitGroup      // a count for each that goes on
}

// A liveRun is a run with those who watch it.
type liveRun struct {
	id, session, user, agent string

	mu       sync.Mutex
	events   []event // that have happened, without the pieces of responses
	counter  counter
	partial  strings.Builder // of the response that arrives
	going    bool            // a goroutine makes it
	watchers int
	changed  chan struct{} // is closed at the next change; nil until somebody waits for it
	cancel   context.CancelCauseFunc
}

// A newRun is what is needed to begin a run.
type newRun struct {
	agent        *Agent
	release      func() // of the agent
	user         string
	session      string // "" for none
	parent       string
	message      runtime.Message
	conversation runtime.Conversation // in a run without a session
	observe      observer             // may be nil
}

// size returns how many bytes the run keeps in memory, without those that its model and its tools
// add.
func (n *newRun) size() int64 {
	size := 0
	for _, m := range append(n.conversation[:len(n.conversation):len(n.conversation)], n.message) {
		size += len(m.Content)
		for i := range m.Attachments {
			size += len(m.Attachments[i].Data)
		}
	}
	return int64(size)
}

// An observer is called with what happens in a run. The event is valid until it returns.
type observer func(*interp.Event, error)

// begin keeps a new run, which the caller makes. It takes the release.
func (h *hub) begin(ctx context.Context, n *newRun) (_ *making, err error) {
	done := n.release
	defer func() {
		if done != nil {
			done()
		}
	}()
	end, p := h.server.limits.begin(Principal{Name: n.user}.client(), n.size())
	if p != nil {
		return nil, p
	}
	defer func() {
		if end != nil {
			end()
		}
	}()
	about := &journal.Run{Session: n.session, Parent: n.parent, Agent: n.agent.Name, File: n.agent.File, User: n.user, Title: TitleOf(n.message.Content)}
	run, err := h.engine.Begin(ctx, n.agent, about, n.message, n.conversation)
	if err != nil {
		return nil, err
	}
	m := h.goOn(run, n.agent, n.observe, done, end)
	done, end = nil, nil
	return m, nil
}

// TitleOf returns the title of a run that begins with a message: its first line, shortened.
func TitleOf(message string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if runes := []rune(line); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return line
}

// add returns the live form of a run, which may be there because it is watched.
func (h *hub) add(run Run) *liveRun {
	about := run.About()
	h.mu.Lock()
	defer h.mu.Unlock()
	l, ok := h.runs[about.ID]
	if !ok {
		l = &liveRun{id: about.ID, session: about.Session, user: about.User, agent: about.Agent}
		h.runs[about.ID] = l
	}
	l.going = true
	return l
}

// get returns a run that is live.
func (h *hub) get(id string) *liveRun {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.runs[id]
}

// drop forgets a run that neither goes on nor is watched. The lock of l is held by nobody.
func (h *hub) drop(l *liveRun) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.going && l.watchers == 0 {
		delete(h.runs, l.id)
	}
}

// A making is a run that goes on when its steps are made.
type making struct {
	*liveRun
	hub       *hub
	run       Run
	agent     *Agent
	observe   observer
	done, end func() // release the agent, and its place in the limits
	ctx       context.Context
	meter     *runMeter
	event     interp.Event // that the observer sees
	waits     bool         // the run has not ended, but waits
	failure   *problem
}

// goOn makes a run live. The caller makes its steps, which nobody else does.
func (h *hub) goOn(run Run, agent *Agent, observe observer, done, end func()) *making {
	l := h.add(run)
	ctx, cancel := context.WithCancelCause(h.server.runs)
	l.mu.Lock()
	l.cancel, l.counter = cancel, counter{}
	l.mu.Unlock()
	h.going.Add(1)
	return &making{liveRun: l, hub: h, run: run, agent: agent, observe: observe, done: done, end: end, ctx: ctx, meter: h.server.metrics.begin(agent.Name)}
}

// make makes the steps of the run until it ends or waits.
func (m *making) make() {
	defer m.leave()
	for e, failed := range m.run.Events(m.ctx) {
		m.event = e
		m.take(failed)
	}
}

// take takes what has happened.
func (m *making) take(failed error) {
	e := &m.event
	if !e.Replayed {
		m.meter.event(e)
	}
	m.liveRun.take(e, m.agent)
	if m.observe != nil {
		m.observe(e, failed)
	}
	if m.waits = errors.Is(failed, interp.ErrWaiting); failed != nil && !m.waits {
		m.failure = problemOf(failed, m.agent.Redact)
	}
}

// leave ends the life of the run here. A panic goes on: in a request it ends that request, elsewhere the
// process, and the run goes on when the next process begins.
func (m *making) leave() {
	if p := recover(); p != nil {
		m.hub.server.o.Logger.Error("a run panics", "run", m.id, "panic", m.agent.Redact(fmt.Sprint(p)), "stack", string(debug.Stack()))
		m.failure = &problem{Code: "panic"}
		defer panic(p)
	}
	defer m.hub.going.Done()
	defer m.done()
	defer m.end()
	defer m.cancel(nil)
	l, h := m.liveRun, m.hub
	m.meter.end(m.failure)
	l.mu.Lock()
	l.going = false // nobody can stop it here any more
	l.mu.Unlock()
	if m.waits && errors.Is(context.Cause(m.ctx), errCancelled) { // too late for its last step
		if err := h.engine.Cancel(context.WithoutCancel(m.ctx), l.id); err != nil {
			h.server.o.Logger.Error("a run that waits is not cancelled", "run", l.id, "error", err)
		}
	}
	l.mu.Lock()
	l.partial.Reset()
	l.notify()
	l.mu.Unlock()
	h.drop(l)
}

// resume goes on with a run that another process has left, or that was decided about.
// A run that another process makes stays there. A run that has no room yet, for which the error is
// one with [codeNoRoom], goes on later.
func (h *hub) resume(ctx context.Context, about *journal.Run) error {
	if l := h.get(about.ID); l != nil && l.isGoing() {
		return nil
	}
	end, p := h.server.limits.resume(Principal{Name: about.User}.client())
	if p != nil {
		return p
	}
	agent, done, err := h.server.agentOf(ctx, about)
	if err != nil {
		end()
		return err
	}
	run, err := h.engine.Resume(ctx, agent, about)
	if err != nil {
		done()
		end()
		if errors.Is(err, journal.ErrHeld) {
			return nil
		}
		return err
	}
	go h.goOn(run, agent, nil, done, end).make()
	return nil
}

func (l *liveRun) isGoing() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.going
}

// stop cancels a run that goes on here. It reports whether it does.
func (l *liveRun) stop(why error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.going && l.cancel != nil {
		l.cancel(why)
		return true
	}
	return false
}

// wait waits until no run goes on, or ctx ends.
func (h *hub) wait(ctx context.Context) {
	ended := make(chan struct{})
	go func() {
		h.going.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// interrupt ends the runs that go on, in a way that they go on when they are resumed.
func (h *hub) interrupt() {
	h.mu.Lock()
	runs := make([]*liveRun, 0, len(h.runs))
	for _, l := range h.runs {
		runs = append(runs, l)
	}
	h.mu.Unlock()
	for _, l := range runs {
		l.stop(durable.ErrInterrupted)
	}
}

// lookAgain is how long a run rests that could not go on.
const lookAgain = time.Minute

// look goes on with the runs of this server that are left to it, those first that wait longest, until
// ctx ends. While there is no room for them, they keep some from new runs.
func (h *hub) look(ctx context.Context, pause time.Duration) {
	failed := map[string]time.Time{} // when runs could not go on
	for {
		runs, err := h.engine.Left(ctx, h.watched())
		if err != nil && ctx.Err() == nil {
			h.server.o.Logger.Error("the journal", "error", err)
		}
		queued := 0
		for _, about := range slices.Backward(runs) { // the latest is first
			if about.User == "" || time.Since(failed[about.ID]) < lookAgain || !h.server.serves(about) {
				continue
			}
			err := h.resume(ctx, about)
			var p *problem
			switch noRoom := errors.As(err, &p) && p.Code == codeNoRoom; {
			case noRoom && p.status == http.StatusServiceUnavailable: // and not that of its client
				queued++
			case noRoom:
			case err != nil && ctx.Err() == nil:
				failed[about.ID] = time.Now()
				h.server.o.Logger.Error("a run cannot go on", "run", about.ID, "agent", about.Agent, "error", err)
			}
		}
		h.server.limits.keepRoom(queued)
		select {
		case <-ctx.Done():
			return
		case <-h.wanted:
		case <-time.After(pause):
		}
	}
}

// watched returns the runs that are followed, while nothing of them goes on here.
func (h *hub) watched() (list []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, l := range h.runs {
		l.mu.Lock()
		if l.watchers > 0 && !l.going {
			list = append(list, id)
		}
		l.mu.Unlock()
	}
	return list
}

// serves reports whether a run is of an agent of this server.
func (s *Server) serves(about *journal.Run) bool {
	agents, _, done := s.o.Catalog.use()
	defer done()
	a := named(agents, about.Agent)
	return a != nil && a.File == about.File
}

// agentGone is the problem of a run that cannot go on here.
func agentGone(about *journal.Run) *problem {
	return &problem{status: http.StatusConflict, Type: typeInvalid, Code: "agent_gone",
		Message: fmt.Sprintf("the agent %q of this run is not served any more; the run goes on when it is again", about.Agent)}
}

// agentOf returns the agent of a run, as it was when the run began.
func (s *Server) agentOf(ctx context.Context, about *journal.Run) (*Agent, func(), error) {
	agents, _, done := s.o.Catalog.use()
	a := named(agents, about.Agent)
	if a == nil || a.File != about.File {
		done()
		return nil, nil, agentGone(about)
	}
	program, err := s.hub.engine.Program(ctx, about.Program)
	if err == nil && string(program) != string(a.Program) {
		redact := a.Redact
		if a, err = a.Pinned(program); err != nil {
			gone := agentGone(about)
			gone.Message = fmt.Sprintf("the agent %q as it was when this run began cannot be made any more: %s", about.Agent, redact(err.Error()))
			err = gone
		}
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return a, done, nil
}
