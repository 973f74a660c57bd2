package temporal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	sdk "go.temporal.io/sdk/temporal"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/runtime"
)

// A Begin is what a run begins with.
type Begin struct {
	// Run is what is known of the run: ID, Session, Parent, Agent, File, User and Title. An
	// empty ID is made. A parent must be at its end; the run continues its conversation.
	Run journal.Run

	Model   string // of the agent, for people, such as "OpenAI/gpt-5.4"
	Program []byte // all that is needed to run it, in a form of the caller
	Start   *durable.Start
	Redact  func(string) string // nil: there are no secrets

	// Conversation is the one that the run continues, if it has no parent.
	Conversation runtime.Conversation
}

// Start begins a run, and returns its ID. The error of an ID that is taken wraps
// [journal.ErrExists].
func (e *Engine) Start(ctx context.Context, b *Begin) (id string, err error) {
	about := &b.Run
	in := &input{Agent: about.Agent, Model: b.Model, File: about.File, User: about.User, Session: about.Session, Parent: about.Parent, Title: about.Title}
	if b.Redact != nil {
		in.Title = b.Redact(in.Title)
	}
	if in.Program, err = e.o.Store.Put(ctx, b.Program); err != nil {
		return "", err
	}
	start, err := durable.StartEntry(b.Start, b.Redact)
	if err != nil {
		return "", err
	}
	if in.Start, err = e.pack(ctx, &start); err != nil {
		return "", err
	}
	if about.Parent != "" {
		in.Given, err = e.after(ctx, about.Parent)
	} else {
		in.Given, err = e.putConversation(ctx, b.Conversation)
	}
	if err != nil {
		return "", err
	}
	if id = about.ID; id == "" {
		id = "r" + rand.Text()
	}
	options := client.StartWorkflowOptions{
		ID: id, TaskQueue: e.o.Queue, WorkflowTaskTimeout: 5 * time.Second, StaticSummary: in.Agent, StaticDetails: in.Title,
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE, WorkflowExecutionErrorWhenAlreadyStarted: true,
		TypedSearchAttributes: sdk.NewSearchAttributes(
			attributeAgent.ValueSet(in.Agent), attributeStatus.ValueSet(string(journal.Running)), attributeUser.ValueSet(in.User),
			attributeSession.ValueSet(in.Session), attributeCost.ValueSet(0)),
		Memo: map[string]any{"title": in.Title, "file": in.File, "parent": in.Parent, "program": in.Program},
	}
	_, err = e.client.ExecuteWorkflow(ctx, options, workflowName, in)
	if sdk.IsWorkflowExecutionAlreadyStartedError(err) {
		return "", fmt.Errorf("run %s: %w", id, journal.ErrExists)
	}
	return id, err
}

// Decide answers what a run waits for, if the hash is that of the arguments that were shown. The
// error wraps [journal.ErrNotWaiting], [durable.ErrOtherArguments] or [journal.ErrNotFound].
// A worker must be there.
func (e *Engine) Decide(ctx context.Context, id string, d journal.Decision) error {
	for {
		err := e.decide(ctx, id, d)
		if !errors.Is(err, journal.ErrNotWaiting) {
			return err
		}
		r, failed := e.read(ctx, id)
		if failed != nil || r.status != journal.Waiting {
			return err
		}
		select { // the history says that the run waits, and its workflow does not know it yet
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// decide sends a decision once.
func (e *Engine) decide(ctx context.Context, id string, d journal.Decision) error {
	handle, err := e.client.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: id, UpdateName: decideName, Args: []any{d}, WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err == nil {
		err = handle.Get(ctx, nil)
	}
	var refused *sdk.ApplicationError
	var none *serviceerror.NotFound
	switch {
	case errors.As(err, &refused) && refused.Type() == errorNotWaiting:
		return journal.ErrNotWaiting
	case errors.As(err, &refused) && refused.Type() == errorOther:
		return durable.ErrOtherArguments
	case errors.As(err, &none):
		if _, err := e.Read(ctx, id); err == nil {
			return journal.ErrNotWaiting // it has ended
		}
		return journal.ErrNotFound
	}
	return err
}

// Cancel requests that a run be cancelled. One that has ended is a [journal.ErrEnded].
func (e *Engine) Cancel(ctx context.Context, id string) error {
	about, err := e.client.DescribeWorkflowExecution(ctx, id, "")
	if err == nil && about.WorkflowExecutionInfo.Status != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		return journal.ErrEnded
	}
	if err == nil {
		err = e.client.CancelWorkflow(ctx, id, "")
	}
	var none *serviceerror.NotFound
	if errors.As(err, &none) {
		return journal.ErrNotFound
	}
	return err
}

// Read returns what a run has done. Its workers need not be there. The error of a run that the
// server does not have, or has no more, wraps [journal.ErrNotFound].
func (e *Engine) Read(ctx context.Context, id string) (*durable.Record, error) {
	r, err := e.read(ctx, id)
	if err != nil {
		return nil, err
	}
	return durable.RecordOf(r.about(), r.entries)
}

// read reads the whole history of a run, as it is now.
func (e *Engine) read(ctx context.Context, id string) (*reader, error) {
	r := newReader(e, id)
	events, err := e.newEvents(ctx, id, "", 0)
	var none *serviceerror.NotFound
	if errors.As(err, &none) {
		err = fmt.Errorf("run %s: %w", id, journal.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	for _, event := range events {
		if err := r.take(ctx, event); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Program returns the program of that hash.
func (e *Engine) Program(ctx context.Context, hash string) ([]byte, error) {
	return e.o.Store.Get(ctx, hash)
}
