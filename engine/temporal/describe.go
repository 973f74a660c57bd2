package temporal

import (
	"context"
	"errors"
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/gram-lang/gramc/internal/journal"
)

// Run returns what is known of a run, as it is now. The error of a run that the server does not have
// wraps [journal.ErrNotFound].
func (e *Engine) Run(ctx context.Context, id string) (*journal.Run, error) {
	w, err := e.client.DescribeWorkflowExecution(ctx, id, "")
	if err != nil {
		return nil, asNotFound(id, err)
	}
	return e.listed(w.WorkflowExecutionInfo)
}

// Delete deletes a run from the server. What it has put in the store remains.
func (e *Engine) Delete(ctx context.Context, id string) error {
	_, err := e.client.WorkflowService().DeleteWorkflowExecution(ctx, &workflowservice.DeleteWorkflowExecutionRequest{
		Namespace: e.o.Namespace, WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: id},
	})
	return asNotFound(id, err)
}

// asNotFound makes the error of a run that the server does not have one of package journal.
func asNotFound(id string, err error) error {
	var none *serviceerror.NotFound
	if errors.As(err, &none) {
		return fmt.Errorf("run %s: %w", id, journal.ErrNotFound)
	}
	return err
}
