package temporal

import (
	"context"
	"fmt"
	"slices"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/runtime"
)

// maxParts is of how many parts a conversation may be. Each step of a run reads all of them.
const maxParts = 32

// given returns the conversation that a run continues, whose parts are in the store.
func (e *Engine) given(ctx context.Context, parts []string) (runtime.Conversation, error) {
	conversation := runtime.Conversation{}
	for _, hash := range parts {
		data, err := e.o.Store.Get(ctx, hash)
		if err != nil {
			return nil, fmt.Errorf("the conversation before the run: %w", err)
		}
		part, err := durable.ReadMessages(data)
		if err != nil {
			return nil, err
		}
		conversation = append(conversation, part...)
	}
	return conversation, nil
}

// putConversation puts a conversation in the store, as one part.
func (e *Engine) putConversation(ctx context.Context, c runtime.Conversation) ([]string, error) {
	if len(c) == 0 {
		return nil, nil
	}
	data, err := durable.WriteMessages(c)
	if err != nil {
		return nil, err
	}
	hash, err := e.o.Store.Put(ctx, data)
	return []string{hash}, err
}

// after returns the parts of the conversation after a run that is at its end.
func (e *Engine) after(ctx context.Context, parent string) ([]string, error) {
	r, err := e.read(ctx, parent)
	if err != nil {
		return nil, err
	}
	record, err := durable.RecordOf(r.about(), r.entries)
	if err != nil {
		return nil, err
	}
	if record.End == nil {
		return nil, fmt.Errorf("run %s: %w", parent, durable.ErrNotEnded)
	}
	return e.extend(ctx, r.in.Given, record.End)
}

// extend returns the parts of a conversation after the end of a run that has continued it.
func (e *Engine) extend(ctx context.Context, parts []string, end *durable.End) ([]string, error) {
	before, err := e.given(ctx, parts)
	if err != nil {
		return nil, err
	}
	if end.Keep == len(before) && len(parts) < maxParts { // nothing of it was shortened
		last, err := e.putConversation(ctx, end.Messages)
		return append(slices.Clip(parts), last...), err
	}
	all, err := end.After(before)
	if err != nil {
		return nil, err
	}
	return e.putConversation(ctx, all)
}

// Conversation returns the conversation after a run. The error of a run that is not at its
// end is a [durable.ErrNotEnded].
func (e *Engine) Conversation(ctx context.Context, id string) (runtime.Conversation, error) {
	parts, err := e.after(ctx, id)
	if err != nil {
		return nil, err
	}
	return e.given(ctx, parts)
}
