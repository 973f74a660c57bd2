package main

import (
	"context"
	"fmt"

	"github.com/gram-lang/gramc/internal/terminal"
	"github.com/gram-lang/gramc/interp"
)

// approver returns the function that decides for the user; nil when there is no
// terminal to ask at and nothing is approved.
func (r *runner) approver() func(context.Context, *interp.ApprovalRequest) (bool, error) {
	if r.recorded.replaysTools() {
		return func(context.Context, *interp.ApprovalRequest) (bool, error) { return true, nil } // a recording has the calls that were allowed
	}
	if isTerminal(r.in) && isTerminal(r.err) && !r.readsStdin {
		return terminal.NewApprover(r.in, r.err, r.approve).Approve
	}
	if r.keeping.kept != nil {
		return func(_ context.Context, q *interp.ApprovalRequest) (bool, error) {
			if terminal.Approves(r.approve, q.Tool) {
				return true, nil
			}
			return false, interp.ErrWaiting
		}
	}
	if len(r.approve) == 0 {
		return nil
	}
	return func(_ context.Context, q *interp.ApprovalRequest) (bool, error) {
		if terminal.Approves(r.approve, q.Tool) {
			return true, nil
		}
		r.note(fmt.Sprintf("%s is not called: it needs approval, and there is no terminal to ask at; allow it with --approve %s",
			cleanLine(q.Tool), cleanLine(q.Tool)))
		return false, nil
	}
}
