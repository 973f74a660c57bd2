package terminal

import (
	"context"
	"io"
	"slices"

	"github.com/gram-lang/gramc/interp"
)

// An Approver decides for the user which calls may be made. It is used by one
// goroutine.
type Approver struct {
	approved []string // tools that need not be asked for
	ask      func(context.Context, *interp.ApprovalRequest) (answer, error)
}

// An answer is what the user says about a call.
type answer struct {
	yes, always bool
	args        []byte // other arguments; nil keeps them
}

// NewApprover returns an Approver that asks line by line, but not for the approved
// tools. It reads from in until the process ends.
func NewApprover(in io.Reader, out io.Writer, approved []string) *Approver {
	l := &lineReader{in: in, out: out}
	return &Approver{slices.Clone(approved), l.askUser}
}

// Approves reports whether a list of approved tools has a tool; "all" is every one.
func Approves(approved []string, tool string) bool {
	return slices.Contains(approved, tool) || slices.Contains(approved, "all")
}

// Ask asks the user about a call, whatever is approved. Without anybody to ask, the answer
// is no.
func (a *Approver) Ask(ctx context.Context, q *interp.ApprovalRequest) (bool, error) {
	if a.ask == nil {
		return false, nil
	}
	said, err := a.ask(ctx, q)
	return said.yes, err
}

// Approve decides on a call; see [interp.Options]. Without anybody to ask, the answer
// is no.
func (a *Approver) Approve(ctx context.Context, q *interp.ApprovalRequest) (bool, error) {
	if Approves(a.approved, q.Tool) {
		return true, nil
	}
	if a.ask == nil {
		return false, nil
	}
	said, err := a.ask(ctx, q)
	if err != nil || !said.yes {
		return false, err
	}
	if said.always {
		a.approved = append(a.approved, q.Tool)
	}
	if said.args != nil {
		q.Args = said.args
	}
	return true, nil
}
