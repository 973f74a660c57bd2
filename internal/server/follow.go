package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
)

// follow sends the events of a run until it ends: first those that have happened after
// the one that the client has named, then the others as they happen. A run that waits
// is followed until somebody has decided.
func (s *Server) follow(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	record, err := s.ownRun(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return s.stored(err)
	}
	end, p := s.limits.watch(who.client())
	if p != nil {
		return p
	}
	defer end()
	l, leave := s.hub.watch(record, s.stateOf(record, true).Events)
	defer leave()
	f := follower{s: s, run: l, after: r.Header.Get("Last-Event-ID")}
	f.out = newEventStream(w, s.o.KeepAlive, func(error) { f.gone = true })
	defer f.out.close()
	f.loop(r)
	return nil
}

// A follower is a client that watches a run.
type follower struct {
	s     *Server
	run   *liveRun
	out   *eventStream
	after string // the last event that it has seen before
	sent  int    // events
	seen  string // pieces of the response that arrives
	gone  bool
}

func (f *follower) loop(r *http.Request) {
	l := f.run
	for first := true; ; first = false {
		l.mu.Lock()
		events, partial, going, changed := l.events[f.sent:], l.partial.String(), l.going, l.change()
		f.sent = len(l.events)
		l.mu.Unlock()
		if first && f.after != "" {
			if i := slices.IndexFunc(events, func(e event) bool { return e.ID == f.after }); i >= 0 {
				events = events[i+1:]
			}
		}
		for i := range events {
			f.send(&events[i])
			f.seen = ""
		}
		f.pieces(partial)
		if !going {
			record, err := f.s.hub.engine.Read(r.Context(), l.id)
			if err != nil {
				return // the client asks again
			}
			state := f.s.stateOf(record, true)
			for _, e := range f.missed(state.Events) {
				f.send(&e)
			}
			state.Events = nil
			f.send(&event{Kind: kindState, Run: state})
			if !state.Live {
				return
			}
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		case <-f.s.ending.Done():
			if !going {
				return
			}
			select { // the run has time to end
			case <-changed:
			case <-r.Context().Done():
				return
			case <-time.After(f.s.o.Grace):
				return
			}
		}
	}
}

// missed returns the events that the journal has and the run has not: it ended before
// somebody watched it.
func (f *follower) missed(journaled []event) []event {
	f.run.mu.Lock()
	defer f.run.mu.Unlock()
	for _, e := range journaled {
		f.run.emit(e)
	}
	list := slices.Clone(f.run.events[f.sent:])
	f.sent = len(f.run.events)
	return list
}

// pieces sends what has arrived of a response since the last time.
func (f *follower) pieces(partial string) {
	if partial == f.seen || partial == "" {
		return // the whole response follows, or what was sent remains
	}
	if more, ok := strings.CutPrefix(partial, f.seen); ok && f.seen != "" {
		f.send(&event{Kind: kindDelta, Text: more})
	} else {
		f.send(&event{Kind: kindPartial, Text: partial})
	}
	f.seen = partial
}

func (f *follower) send(e *event) {
	text, err := json.Marshal(e)
	if err != nil {
		panic("server: an event has no JSON form: " + err.Error())
	}
	f.out.event(e.ID, text)
}

// watch returns a run that somebody watches until the function is called. One that is not
// live gets the events that the journal has.
func (h *hub) watch(record *durable.Record, events []event) (l *liveRun, leave func()) {
	h.mu.Lock()
	l, ok := h.runs[record.Run.ID]
	if !ok {
		l = &liveRun{id: record.Run.ID, session: record.Run.Session, user: record.Run.User, agent: record.Run.Agent, events: events}
		h.runs[l.id] = l
	}
	l.mu.Lock()
	l.watchers++
	left := !l.going && record.Run.Status != journal.Waiting && isOpen(record.Run.Status)
	l.mu.Unlock()
	h.mu.Unlock()
	if left {
		select {
		case h.wanted <- struct{}{}:
		default:
		}
	}
	return l, func() {
		l.mu.Lock()
		l.watchers--
		l.mu.Unlock()
		h.drop(l)
	}
}

// wake has those who watch a run look at it again.
func (h *hub) wake(id string) {
	if l := h.get(id); l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.notify()
	}
}
