package session

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/interp"
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
	asked := r.Created
	for e := range record.Events() {
		switch e.Kind {
		case interp.EventResponse:
			t.restoreRequest(e.Response.Usage, asked, e.At, prices)
		case interp.EventCompacted:
			t.restoreRequest(e.Compaction.Response.Usage, asked, e.At, prices)
		case interp.EventToolFinished:
			took := max(e.Event.Time, 1)
			t.Steps = append(t.Steps, Step{Call: e.Call, Invocation: e.Invocation, Start: e.At.Add(-took), Time: took, Ran: e.Event.Time > 0})
		}
		asked = e.At
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

// restoreRequest adds a request that was answered.
func (t *Turn) restoreRequest(u runtime.Usage, asked, answered time.Time, prices *models.Prices) {
	t.Cost.add(u, prices)
	t.Steps = append(t.Steps, Step{Start: asked, Time: max(answered.Sub(asked), 1), Usage: u})
}
