package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/runtime"
)

// addAPI adds the routes of runs and sessions. A principal sees only its own; those of
// others are not found.
func (s *Server) addAPI() {
	s.routes.Handle("GET /api/state", s.guarded(s.state))
	s.routes.Handle("GET /api/sessions", s.guarded(s.listSessions))
	s.routes.Handle("GET /api/sessions/{name}", s.guarded(s.session))
	s.routes.Handle("DELETE /api/sessions/{name}", s.guarded(s.deleteSession))
	s.routes.Handle("GET /api/runs", s.guarded(s.listRuns))
	s.routes.Handle("POST /api/runs", s.guarded(s.beginRun))
	s.routes.Handle("GET /api/runs/{id}", s.guarded(s.run))
	s.routes.Handle("GET /api/runs/{id}/events", s.guarded(s.follow))
	s.routes.Handle("GET /api/runs/{id}/trace", s.guarded(s.tracePage))
	s.routes.Handle("GET /api/waiting", s.guarded(s.listWaiting))
	s.routes.Handle("POST /api/runs/{id}/decision", s.guarded(s.decide))
	s.routes.Handle("POST /api/runs/{id}/cancel", s.guarded(s.cancel))
	s.routes.Handle("/api/", s.guarded(unknownURL))
}

func unknownURL(_ http.ResponseWriter, r *http.Request, _ Principal) *problem {
	return &problem{status: http.StatusNotFound, Type: typeInvalid, Code: "unknown_url", Message: "there is no " + r.Method + " " + r.URL.Path + " here"}
}

// readJSON reads the body of a request. Unknown members are refused.
func readJSON(w http.ResponseWriter, r *http.Request, into any) *problem {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		switch _, err = d.Token(); {
		case err == nil:
			err = errors.New("there is more after it")
		case errors.Is(err, io.EOF):
			return nil
		}
	}
	var large *http.MaxBytesError
	var own *problem
	if errors.As(err, &large) || errors.As(err, &own) {
		return bodyProblem(err)
	}
	return invalid("", "the request is not the JSON that is expected: "+err.Error())
}

// stored returns the problem of a journal that refuses something or cannot be used.
func (s *Server) stored(err error) *problem {
	var own *problem
	conflict := problem{status: http.StatusConflict, Type: typeInvalid, Code: "conflict", Message: err.Error()}
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, journal.ErrNotFound):
		return &problem{status: http.StatusNotFound, Type: typeInvalid, Code: "not_found", Message: "there is no such run or conversation"}
	case errors.Is(err, durable.ErrNotEnded):
		conflict.Message = "the last message of this conversation is not answered yet"
		return &conflict
	case errors.Is(err, journal.ErrMoved), errors.Is(err, journal.ErrExists), errors.Is(err, journal.ErrHeld), errors.Is(err, journal.ErrEnded),
		errors.Is(err, journal.ErrDecided), errors.Is(err, journal.ErrNotWaiting), errors.Is(err, journal.ErrInUse), errors.Is(err, durable.ErrOtherArguments):
		return &conflict
	}
	s.o.Logger.Error("the journal", "error", err)
	return &problem{status: http.StatusInternalServerError, Type: typeServer, Code: "journal", Message: "the journal cannot be used; the log of the server says why"}
}

// state is what the page needs to know first.
func (s *Server) state(w http.ResponseWriter, _ *http.Request, who Principal) *problem {
	type agent struct {
		Name        string   `json:"name"`
		Description string   `json:"description,omitempty"`
		Model       string   `json:"model"`
		Tools       []string `json:"tools"`
		JSON        bool     `json:"json"`
	}
	agents, _, done := s.o.Catalog.use()
	defer done()
	list := make([]agent, len(agents))
	for i, a := range agents {
		list[i] = agent{a.Name, a.Description, a.Model, append([]string{}, a.Tools...), a.JSON}
	}
	writeJSON(w, map[string]any{"user": who.Name, "approve": who.Approve, "open": s.o.Access.Open, "agents": list, "problem": s.o.Catalog.Problem()})
	return nil
}

// A sessionState is a conversation in a list.
type sessionState struct {
	Name    string         `json:"name"`
	Agent   string         `json:"agent"`
	Title   string         `json:"title"`
	Status  journal.Status `json:"status"`
	Updated time.Time      `json:"updated"`
}

// maxListed is how many sessions or runs are listed.
const maxListed = 200

func (s *Server) listSessions(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	kept, err := s.hub.engine.Sessions(r.Context(), journal.Filter{User: &who.Name, Limit: maxListed})
	if err != nil {
		return s.stored(err)
	}
	list := make([]sessionState, 0, len(kept))
	for _, k := range kept {
		one := sessionState{Name: k.Name, Agent: k.Agent, Title: k.Title, Updated: k.Updated}
		if head, err := s.hub.engine.Run(r.Context(), k.Head); err == nil {
			one.Status = head.Status
		}
		list = append(list, one)
	}
	writeJSON(w, list)
	return nil
}

// ownSession returns a session of a principal.
func (s *Server) ownSession(ctx context.Context, name string, who Principal) (*journal.Session, error) {
	k, err := s.hub.engine.Session(ctx, name)
	if err == nil && k.User != who.Name {
		err = journal.ErrNotFound
	}
	return k, err
}

// maxTurns is how many runs of a session are shown, the last ones.
const maxTurns = 50

// session shows a conversation: its last runs, with what happened in them, and what all have taken.
func (s *Server) session(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	most := maxTurns
	if text := r.URL.Query().Get("turns"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > maxTurns {
			return invalid("turns", fmt.Sprintf("turns is a number from 0 to %d", maxTurns))
		}
		most = n
	}
	k, err := s.ownSession(r.Context(), r.PathValue("name"), who)
	if err != nil {
		return s.stored(err)
	}
	all, err := s.hub.engine.Runs(r.Context(), journal.Filter{Session: k.Name})
	if err != nil {
		return s.stored(err)
	}
	byID := map[string]*journal.Run{}
	for _, about := range all {
		byID[about.ID] = about
	}
	var runs []*runState
	omitted := 0
	var sum spent
	for about := byID[k.Head]; about != nil; about = byID[about.Parent] {
		if known, ok := s.hub.spent.of(about); ok && len(runs) >= most {
			sum.plus(known)
			omitted++
			continue
		}
		record, err := s.hub.engine.Read(r.Context(), about.ID)
		if err != nil {
			return s.stored(err)
		}
		sum.plus(s.hub.spent.note(record))
		if len(runs) >= most {
			omitted++
			continue
		}
		runs = append(runs, s.stateOf(record, true))
	}
	slices.Reverse(runs)
	writeJSON(w, map[string]any{"name": k.Name, "agent": k.Agent, "title": k.Title, "runs": append([]*runState{}, runs...), "omitted": omitted, "spent": sum.text()})
	return nil
}

func (s *Server) deleteSession(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	k, err := s.ownSession(r.Context(), r.PathValue("name"), who)
	var runs []*journal.Run
	if err == nil {
		runs, err = s.hub.engine.Runs(r.Context(), journal.Filter{Session: k.Name})
	}
	if err == nil {
		err = s.hub.engine.DeleteSession(r.Context(), k.Name)
	}
	if err != nil {
		return s.stored(err)
	}
	for _, about := range runs {
		s.hub.wake(about.ID)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Server) listRuns(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	f := journal.Filter{User: &who.Name, Limit: maxListed, Session: r.URL.Query().Get("session"), Agent: r.URL.Query().Get("agent")}
	if status := r.URL.Query().Get("status"); status != "" {
		f.Status = []journal.Status{journal.Status(status)}
	}
	runs, err := s.hub.engine.Runs(r.Context(), f)
	if err != nil {
		return s.stored(err)
	}
	list := make([]*runState, len(runs))
	for i, about := range runs {
		list[i] = briefly(about)
	}
	writeJSON(w, list)
	return nil
}

// A runState is a run as clients see it.
type runState struct {
	ID      string         `json:"id"`
	Session string         `json:"session,omitempty"`
	Agent   string         `json:"agent"`
	Status  journal.Status `json:"status"`
	Title   string         `json:"title,omitempty"`
	Created time.Time      `json:"created"`
	Seconds float64        `json:"seconds,omitempty"` // from the beginning to the last step
	Error   string         `json:"error,omitempty"`

	Message string       `json:"message,omitempty"` // this and what follows: not in a list
	Answer  string       `json:"answer,omitempty"`
	JSON    bool         `json:"json,omitempty"` // the answer is JSON
	Waiting *waitingCall `json:"waiting,omitempty"`
	Spent   string       `json:"spent,omitempty"`
	Live    bool         `json:"live"` // it can change: follow it
	Events  []event      `json:"events,omitempty"`
}

// A waitingCall is a call that somebody has to allow.
type waitingCall struct {
	Call string          `json:"call"`
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
	Hash string          `json:"hash"`
}

func briefly(about *journal.Run) *runState {
	return &runState{
		ID: about.ID, Session: about.Session, Agent: about.Agent, Status: about.Status, Title: about.Title, Created: about.Created,
		Seconds: about.Updated.Sub(about.Created).Seconds(), Error: withoutAddresses(about.Error), Live: isOpen(about.Status),
	}
}

// isOpen reports whether a run has not ended.
func isOpen(s journal.Status) bool {
	return s == journal.Running || s == journal.Waiting || s == journal.Queued
}

// stateOf returns a run with its message and its answer.
func (s *Server) stateOf(r *durable.Record, events bool) *runState {
	agents, _, done := s.o.Catalog.use()
	defer done()
	a := named(agents, r.Run.Agent)
	state := briefly(&r.Run)
	state.JSON = a != nil && a.JSON
	state.Message = r.Start.Message.Content
	if r.End != nil && r.End.Error == nil {
		state.Answer = r.End.Content
	}
	if w := r.Waiting; w != nil {
		state.Waiting = &waitingCall{w.Key, w.Tool, w.Args, w.Hash}
	}
	state.Spent = spentBy(r).text()
	if events {
		state.Events = eventsOf(r, state.JSON)
	}
	return state
}

// ownRun reads a run of a principal.
func (s *Server) ownRun(ctx context.Context, id string, who Principal) (*durable.Record, error) {
	about, err := s.hub.engine.Run(ctx, id)
	if err == nil && about.User != who.Name {
		err = journal.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return s.hub.engine.Read(ctx, id)
}

func (s *Server) run(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	record, err := s.ownRun(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return s.stored(err)
	}
	writeJSON(w, s.stateOf(record, true))
	return nil
}

// beginRun sends a message to an agent, in a conversation that is there or a new one.
func (s *Server) beginRun(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	var q struct {
		Agent   string `json:"agent"`
		Session string `json:"session"`
		Message string `json:"message"`
	}
	if p := readJSON(w, r, &q); p != nil {
		return p
	}
	if strings.TrimSpace(q.Message) == "" {
		return invalid("message", "the message is empty")
	}
	if s.ending.Err() != nil {
		return endingProblem()
	}
	n := newRun{user: who.Name, session: q.Session, message: runtime.UserMessage(q.Message)}
	if q.Session != "" {
		k, err := s.ownSession(r.Context(), q.Session, who)
		if err != nil {
			return s.stored(err)
		}
		n.parent, q.Agent = k.Head, k.Agent
	} else {
		n.session = q.Agent + "-" + strings.ToLower(rand.Text()[:12])
	}
	agents, _, done := s.o.Catalog.use()
	if n.agent = named(agents, q.Agent); n.agent == nil {
		done()
		return noAgent(q.Agent, agents)
	}
	n.release = done
	run, err := s.hub.begin(r.Context(), &n)
	if err != nil {
		return s.stored(err)
	}
	go run.make()
	w.Header().Set("Location", "/api/runs/"+run.id)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(map[string]string{"id": run.id, "session": run.session}) // a client that is gone needs no answer
	return nil
}

func endingProblem() *problem {
	return &problem{status: http.StatusServiceUnavailable, Type: typeServer, Code: "ending", Message: "the server ends; ask again later", wait: time.Second}
}

// decide allows a call, or refuses it, and lets the run go on.
func (s *Server) decide(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	var q struct {
		Call   string          `json:"call"`
		Hash   string          `json:"hash"`
		Allow  *bool           `json:"allow"`
		Args   json.RawMessage `json:"args"`
		Reason string          `json:"reason"`
	}
	if p := readJSON(w, r, &q); p != nil {
		return p
	}
	switch {
	case q.Allow == nil:
		return invalid("allow", "allow is missing: true or false")
	case !who.Approve:
		return mayNotApprove()
	}
	// Who may approve decides about the runs of others too: that is what the right is for.
	record, err := s.hub.engine.Read(r.Context(), r.PathValue("id"))
	if err == nil && record.Run.User == "" {
		err = journal.ErrNotFound
	}
	if err == nil && record.Waiting != nil && q.Call != record.Waiting.Key {
		err = journal.ErrDecided
	}
	if err == nil {
		var done func()
		if _, done, err = s.agentOf(r.Context(), &record.Run); err == nil {
			done()
		}
	}
	if err == nil {
		err = s.hub.engine.Decide(r.Context(), record.Run.ID, journal.Decision{Key: q.Call, Hash: q.Hash, Allow: *q.Allow, Args: q.Args, By: who.Name, Note: q.Reason})
	}
	if err == nil {
		err = s.hub.resume(r.Context(), &record.Run)
	}
	var p *problem
	if err != nil && !(errors.As(err, &p) && p.Code == codeNoRoom) { // then it is queued
		return s.stored(err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// A waitingEntry is a call that waits, in the list of all of them.
type waitingEntry struct {
	Run   string    `json:"run"`
	User  string    `json:"user"`
	Agent string    `json:"agent"`
	Since time.Time `json:"since"`
	*waitingCall
}

// listWaiting lists the calls of all users that wait for somebody who may approve. There are at most
// [maxListed]: first the one of each user that waits longest, then the second of each, and so on, so
// that no user hides those of others.
func (s *Server) listWaiting(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	if !who.Approve {
		return mayNotApprove()
	}
	f := journal.Filter{Status: []journal.Status{journal.Waiting}}
	if user := r.URL.Query().Get("user"); user != "" {
		f.User = &user
	}
	runs, err := s.hub.engine.Runs(r.Context(), f)
	if err != nil {
		return s.stored(err)
	}
	runs = slices.DeleteFunc(runs, func(about *journal.Run) bool { return about.User == "" || !s.serves(about) })
	list := []waitingEntry{}
	for _, about := range inTurn(runs) {
		if len(list) == maxListed {
			break
		}
		record, err := s.hub.engine.Read(r.Context(), about.ID)
		if err != nil {
			return s.stored(err)
		}
		if c := record.Waiting; c != nil {
			list = append(list, waitingEntry{about.ID, about.User, about.Agent, c.Since, &waitingCall{c.Key, c.Tool, c.Args, c.Hash}})
		}
	}
	writeJSON(w, list)
	return nil
}

// inTurn orders runs: the oldest of each user, then the second of each, and so on.
func inTurn(runs []*journal.Run) []*journal.Run {
	slices.SortStableFunc(runs, func(a, b *journal.Run) int { return a.Updated.Compare(b.Updated) })
	place, seen := map[*journal.Run]int{}, map[string]int{}
	for _, about := range runs {
		place[about] = seen[about.User]
		seen[about.User]++
	}
	slices.SortStableFunc(runs, func(a, b *journal.Run) int { return cmp.Compare(place[a], place[b]) })
	return runs
}

func mayNotApprove() *problem {
	return &problem{status: http.StatusForbidden, Type: typeAccess, Code: "may_not_approve", Message: "you may not decide about calls"}
}

// errCancelled is why a run ends that its user has cancelled.
var errCancelled = errors.New("the user has cancelled the run")

func (s *Server) cancel(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	record, err := s.ownRun(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return s.stored(err)
	}
	if l := s.hub.get(record.Run.ID); l == nil || !l.stop(errCancelled) {
		if err := s.hub.engine.Cancel(r.Context(), record.Run.ID); err != nil {
			return s.stored(err)
		}
		s.hub.wake(record.Run.ID)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
