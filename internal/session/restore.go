package session

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// Keep lets the conversation, which must be empty, be kept from now on. It has the turns
// of a session that goes on.
func (s *Session) Keep(ctx context.Context, k *Keeper) error {
	s.keeper = k
	if !k.begun {
		return nil
	}
	turns, err := k.store.turns(ctx, &k.session)
	if err != nil {
		return err
	}
	s.turns = turns
	if n := len(turns); n > 0 {
		last := turns[n-1]
		k.rest = last.rest
		last.unfinished = last.unfinished || k.Retry && last.Err != nil
	}
	for _, t := range turns {
		if !t.unfinished { // which is counted when it goes on
			s.spent.plus(t.Cost)
		}
	}
	return nil
}

// plus adds the cost of others.
func (c *Cost) plus(d Cost) {
	c.Requests += d.Requests
	c.Usage = c.Usage.Add(d.Usage)
	c.Price += d.Price
	c.Unpriced += d.Unpriced
}

// Transcript returns a session with its conversation.
func (s *Store) Transcript(ctx context.Context, name string) (*Kept, *Transcript, error) {
	one, err := s.session(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	k, err := s.Kept(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	turns, err := s.turns(ctx, one)
	return k, &Transcript{Name: name, Agent: k.Agent, Model: k.Model, File: k.File, Turns: turns}, err
}

// turns returns the turns of a session.
func (s *Store) turns(ctx context.Context, of *journal.Session) ([]*Turn, error) {
	line, err := s.line(ctx, of.Head)
	if err != nil {
		return nil, err
	}
	var turns []*Turn
	var conversation runtime.Conversation
	for _, r := range line {
		record, err := durable.Read(ctx, s.journal, r.ID)
		if err != nil {
			return turns, err
		}
		t, err := s.turnOf(r, record, conversation)
		if err != nil {
			return turns, err
		}
		if r.Session != of.Name { // the session is a fork, and what the other one had to send is not its own
			t.rest = nil
		}
		turns, conversation = append(turns, t), t.after
	}
	return turns, nil
}

// turnOf returns the turn that a run has recorded.
func (s *Store) turnOf(r *journal.Run, record *durable.Record, before runtime.Conversation) (_ *Turn, err error) {
	t := &Turn{Message: record.Start.Message.Content, Start: r.Created, Time: max(r.Updated.Sub(r.Created), 1), run: r.ID, sent: record.Start.Message, before: before, after: before}
	var data turnData
	if json.Unmarshal(record.Start.Data, &data) == nil && data.Text != "" {
		t.Message = data.Text
	}
	t.rest = data.Rest
	model, _ := compile.ParseModel(record.Start.Model, s.models) // an unknown one has no price
	m, _ := s.models.Model(model.Provider, model.ID)
	var prices *models.Prices
	if m != nil {
		prices = m.Prices
	}
	restoring := &restoring{turn: t, prices: prices, calls: map[string]*runtime.Call{}, last: r.Created}
	for i := range record.Steps {
		restoring.add(&record.Steps[i])
	}
	switch {
	case !ended(r):
		t.unfinished = true
	case record.End == nil && r.Status == journal.Cancelled:
		t.Err = ErrStopped // when no process had it
	case record.End == nil:
		t.Err = errors.New(r.Error)
	default:
		if t.after, err = record.End.After(before); err != nil {
			return nil, err
		}
		t.Answer, t.Err = record.End.Content, record.End.Error
		if r.Status == journal.Cancelled {
			t.Err = ErrStopped
		}
	}
	return t, nil
}

// A restoring puts the steps of a run into a turn.
type restoring struct {
	turn   *Turn
	prices *models.Prices
	calls  map[string]*runtime.Call // by the key of their step
	last   time.Time                // when the step before was recorded
}

func (r *restoring) add(step *durable.RecordedStep) {
	o := step.Outcome
	if o == nil {
		return
	}
	defer func() { r.last = step.Time }()
	callKey, isApproval := strings.CutSuffix(step.Key, "/approval")
	switch {
	case step.Tool == "": // a request
		s := Step{Start: r.last, Time: max(step.Time.Sub(r.last), 1)}
		if o.Response != nil {
			s.Usage = o.Response.Usage
			r.turn.Cost.add(o.Response.Usage, r.prices)
			for i := range o.Response.Calls {
				r.calls[step.Key+"/"+strconv.Itoa(i+1)] = &o.Response.Calls[i]
			}
		}
		r.turn.Steps = append(r.turn.Steps, s)
	case !isApproval:
		call := r.calls[step.Key]
		if call == nil {
			call = &runtime.Call{Name: step.Tool}
		}
		r.turn.Steps = append(r.turn.Steps, Step{Call: call, Start: step.Time.Add(-o.Time), Time: max(o.Time, 1), Ran: true,
			Invocation: &runtime.Invocation{Tool: call.Name, Args: validJSON(call.Args), Result: o.Result, Err: o.Error}})
	case !o.Approved:
		if call := r.calls[callKey]; call != nil {
			refused := &runtime.ToolError{Kind: runtime.ToolExecution, Message: "the user did not allow this call"}
			if o.Reason != "" {
				refused.Message += ": " + o.Reason
			}
			r.turn.Steps = append(r.turn.Steps, Step{Call: call, Start: step.Time, Time: 1,
				Invocation: &runtime.Invocation{Tool: call.Name, Args: validJSON(call.Args), Err: refused}})
		}
	}
}
