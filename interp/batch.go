package interp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// A callRun is one call of a response while it runs.
type callRun struct {
	runtime.Invocation                 // what is recorded
	call               *runtime.Call   // as it is in the conversation
	args               json.RawMessage // for the tool
	tool               *runtime.Tool   // nil if the call is refused
	edited             bool            // args are of the user
	replayed           bool            // it was made in an earlier run
	unknown            bool            // whether it was made is not known
	time               time.Duration   // that the tool took
}

// batchSize returns how many calls of a response, from call i on, run in parallel:
// one unless their tools are concurrent. No tool gets more calls at once than
// it has attempts left.
func (r *loop) batchSize(response *runtime.Response, i int) int {
	if r.options.FailOnToolError {
		return 1
	}
	n, left := 0, map[string]int{}
	for ; i+n < min(len(response.Calls), maxCallsPerResponse) && n < r.options.Parallel; n++ {
		name := response.Calls[i+n].Name
		tool := r.calledTool(name)
		if tool == nil || !tool.Config().Concurrent {
			break
		}
		if _, seen := left[name]; !seen {
			left[name] = r.maxFailures(tool) - r.failures[name]
		}
		if left[name] <= 0 {
			break
		}
		left[name]--
	}
	return max(n, 1)
}

// runBatch runs n calls of a response, from call i on, in parallel, records them
// and adds their results to the conversation.
func (r *loop) runBatch(ctx context.Context, response *runtime.Response, calls []runtime.Call, i, n int) error {
	batch := make([]callRun, n)
	for k := range batch {
		c := &batch[k]
		c.call, c.args = &calls[i+k], callArgsText(response.Calls[i+k].Args)
		c.Invocation = runtime.Invocation{Tool: c.call.Name, Args: recordedCallArgs(c.args)}
		if err := stoppedRun(ctx); err != nil {
			return err
		}
		c.replayed = r.replaysCall(i + k)
		r.replayed = c.replayed
		if err := r.emit(ctx, Event{Kind: EventToolStarted, Call: c.call}); err != nil {
			return err
		}
		if c.Err = r.refuseInBatch(response, i+k); c.Err == nil {
			if err := r.approveInBatch(ctx, c, i+k); err != nil {
				return err
			}
		}
	}
	stopped := r.makeCalls(ctx, batch, i)
	for k := range batch {
		r.recordInBatch(&batch[k])
	}
	for k := range batch {
		r.replayed = batch[k].replayed
		if err := r.finishInBatch(ctx, &batch[k]); err != nil {
			return cmp.Or(stopped, err)
		}
	}
	return stopped
}

// makeCalls makes the calls of a batch, whose first is call i of the response. Its error
// ends the run, once they are recorded.
func (r *loop) makeCalls(ctx context.Context, batch []callRun, i int) error {
	if r.options.Steps != nil {
		return r.callSteps(ctx, batch, i)
	}
	if len(batch) == 1 {
		batch[0].invoke(r.callContext(ctx, &batch[0]), r.options.ToolTimeout)
		return nil
	}
	var running sync.WaitGroup
	for k := range batch {
		called := r.callContext(ctx, &batch[k])
		running.Go(func() { batch[k].invoke(called, r.options.ToolTimeout) })
	}
	running.Wait()
	return nil
}

// refuseInBatch returns why call i of a response is not run; nil lets it run.
func (r *loop) refuseInBatch(response *runtime.Response, i int) *runtime.ToolError {
	name := response.Calls[i].Name
	tool := r.calledTool(name)
	switch {
	case i >= maxCallsPerResponse:
		return notRunInBatch(runtime.ToolExecution, "at most %d calls are run per response", maxCallsPerResponse)
	case tool == nil:
		return runtime.ToolNotFound(name, r.toolNames())
	case r.failures[name] >= r.maxFailures(tool):
		return &runtime.ToolError{Kind: runtime.ToolExecution, Message: fmt.Sprintf("tool %s failed %s; do not call it again", name, timesInBatch(r.maxFailures(tool)))}
	case response.Finish == "length":
		return notRunInBatch(runtime.ToolExecution, "the response was cut off at the length limit, and the arguments may be incomplete")
	}
	return nil
}

func notRunInBatch(kind runtime.ToolErrorKind, format string, args ...any) *runtime.ToolError {
	return &runtime.ToolError{Kind: kind, Message: "not run: " + fmt.Sprintf(format, args...)}
}

// approveInBatch asks for the approval that call i of the response needs. Its error ends the run.
func (r *loop) approveInBatch(ctx context.Context, c *callRun, i int) error {
	tool := r.calledTool(c.Tool)
	decision, args := tool.Approve(c.args)
	refused := ""
	switch {
	case decision == runtime.Allow:
	case decision == runtime.Ask:
		q := &ApprovalRequest{Agent: r.agent.Name, Tool: tool.Name(), Args: args, Check: func(args json.RawMessage) error { return checkEditedRun(tool, args) }}
		o, err := r.askUser(ctx, q, i)
		switch {
		case err != nil:
			return err
		case o.Unasked:
			refused = "this call needs the approval of the user, and nobody can be asked here"
		case !o.Approved:
			if refused = "the user did not allow this call"; o.Reason != "" {
				refused += ": " + o.Reason
			}
		case o.Args != nil:
			refused = c.edit(tool, o.Args)
		}
	default:
		refused = "calls of this tool with these arguments are not allowed"
	}
	if refused != "" {
		c.Err = notRunInBatch(runtime.ToolAuthorization, "%s", refused)
		return nil
	}
	c.tool = tool
	return nil
}

// askUser asks the user about call i of the response.
func (r *loop) askUser(ctx context.Context, q *ApprovalRequest, i int) (Outcome, error) {
	if r.options.Steps != nil {
		return r.approveStep(ctx, q, i)
	}
	return r.approve(ctx, q)
}

// approve asks the user whether a call may be made.
func (r *loop) approve(ctx context.Context, q *ApprovalRequest) (o Outcome, err error) {
	if r.options.Approve == nil {
		return Outcome{Unasked: true}, nil
	}
	args := q.Args
	o.Approved, err = r.options.Approve(ctx, q)
	if o.Approved && !bytes.Equal(q.Args, args) {
		if o.Args = q.Args; o.Args == nil {
			o.Args = json.RawMessage{}
		}
	}
	return o, err
}

// edit replaces the arguments of a call by those of the user. It returns why they
// are refused.
func (c *callRun) edit(tool *runtime.Tool, args json.RawMessage) (refused string) {
	c.args, c.edited = slices.Clone(args), true
	c.Args = recordedCallArgs(c.args)
	if decision, _ := tool.Approve(c.args); decision == runtime.Deny {
		return errDenied.Error()
	}
	return ""
}

var errDenied = errors.New("calls of this tool with the arguments that the user chose are not allowed")

// checkEditedRun returns why a tool is not called with arguments of the user.
func checkEditedRun(tool *runtime.Tool, args json.RawMessage) error {
	if err := tool.Check(args); err != nil {
		return err
	}
	if decision, _ := tool.Approve(args); decision == runtime.Deny {
		return errDenied
	}
	return nil
}

// callContext returns the context of a call that is about to run.
func (r *loop) callContext(ctx context.Context, c *callRun) context.Context {
	if c.tool == nil || r.options.CallContext == nil {
		return ctx
	}
	return r.options.CallContext(ctx, c.call)
}

// invoke runs the call unless it is refused.
func (c *callRun) invoke(ctx context.Context, timeout time.Duration) {
	if c.tool == nil {
		return
	}
	start := time.Now()
	result, err := c.tool.Invoke(ctx, c.args, timeout)
	c.time = max(time.Since(start), 1)
	if err != nil {
		c.Err = err.(*runtime.ToolError) // as Invoke promises
		return
	}
	c.Result = result
}

// recordInBatch records the outcome of a call and adds its result to the
// conversation.
func (r *loop) recordInBatch(c *callRun) {
	r.used = append(r.used, c.Invocation)
	text := ""
	if c.Err != nil {
		text = cutResult("Error: " + c.Err.Message)
	} else {
		text = ResultText(c.Result)
	}
	if c.edited {
		text = "[The user changed the arguments to " + shortenText(strings.ToValidUTF8(string(c.args), "\ufffd"), maxOldBytes) + "]\n" + text
	}
	r.addCallResult(c.call, text+r.repetitionInBatch(c, text), c.Err != nil)
	if c.Err == nil || c.tool == nil || c.unknown {
		return
	}
	if c.Err.Abandoned {
		r.abandoned++
	}
	if r.failures == nil {
		r.failures = make(map[string]int)
	}
	r.failures[c.Tool]++
}

// repetitionInBatch returns a note for the model if it made the same call again and again,
// with the same result.
func (r *loop) repetitionInBatch(c *callRun, result string) string {
	if now := (outcome{c.Tool, string(c.args), result}); now != r.previous {
		r.previous, r.inARow = now, 0
	}
	if r.inARow++; r.inARow < maxRepetitions {
		return ""
	}
	return fmt.Sprintf("\n[The same call had the same result %s in a row. Do not repeat it: answer, or try something else.]", timesInBatch(r.inARow))
}

// finishInBatch emits the end of a call. Its error ends the run.
func (r *loop) finishInBatch(ctx context.Context, c *callRun) error {
	if err := r.emit(ctx, Event{Kind: EventToolFinished, Call: c.call, Invocation: &c.Invocation, Time: c.time}); err != nil {
		return err
	}
	if r.abandoned >= maxAbandoned {
		return runtime.Errorf(runtime.KindTool,
			"%d calls of tools did not stop when their time was over, one of them of '%s'", r.abandoned, c.Tool)
	}
	if c.Err == nil || !r.options.FailOnToolError {
		return nil
	}
	if err := stoppedRun(ctx); err != nil {
		return err
	}
	kind := runtime.KindTool
	if c.Err.Kind == runtime.ToolTimeout {
		kind = runtime.KindToolTimeout
	}
	return runtime.Errorf(kind, "tool '%s': %w", c.Tool, c.Err)
}

func timesInBatch(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}
