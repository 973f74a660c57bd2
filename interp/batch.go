package interp

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// A callRun is one call of a response while it runs.
type callRun struct {
	wanted *runtime.Call // as the model wrote it
	call   *runtime.Call // as it is in the conversation
	tool   *runtime.Tool // nil if the call is refused
	result json.RawMessage
	failed *runtime.ToolError
}

// batch returns how many calls of a response, from call i on, run in parallel:
// one unless their tools are concurrent. No tool gets more calls at once than
// it has attempts left.
func (r *run) batch(response *runtime.Response, i int) int {
	if r.options.FailOnToolError {
		return 1
	}
	n, left := 0, map[string]int{}
	for ; i+n < min(len(response.Calls), maxCallsPerResponse) && n < r.options.Parallel; n++ {
		name := response.Calls[i+n].Name
		tool := r.tool(name)
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
func (r *run) runBatch(ctx context.Context, response *runtime.Response, calls []runtime.Call, i, n int) error {
	batch := make([]callRun, n)
	for k := range batch {
		c := &batch[k]
		c.wanted, c.call = &response.Calls[i+k], &calls[i+k]
		if err := stopped(ctx); err != nil {
			return err
		}
		if err := r.emit(ctx, Event{Kind: EventToolStarted, Call: c.call}); err != nil {
			return err
		}
		if c.failed = r.refuse(response, i+k); c.failed == nil {
			if err := r.approve(ctx, c); err != nil {
				return err
			}
		}
	}
	if n == 1 {
		batch[0].invoke(ctx, r.options.ToolTimeout)
	} else {
		invokeAll(ctx, batch, r.options.ToolTimeout)
	}
	for k := range batch {
		r.record(&batch[k])
	}
	for k := range batch {
		if err := r.finishCall(ctx, &batch[k], &r.used[len(r.used)-n+k]); err != nil {
			return err
		}
	}
	return nil
}

// refuse returns why call i of a response is not run; nil lets it run.
func (r *run) refuse(response *runtime.Response, i int) *runtime.ToolError {
	call := &response.Calls[i]
	if i >= maxCallsPerResponse {
		return notRun("not run: at most %d calls are run per response", maxCallsPerResponse)
	}
	tool := r.tool(call.Name)
	if tool == nil {
		return runtime.ToolNotFound(call.Name, r.toolNames())
	}
	if limit := r.maxFailures(tool); r.failures[call.Name] >= limit {
		return notRun("tool %s failed %s; do not call it again", call.Name, times(limit))
	}
	if response.Finish == "length" {
		return notRun("not run: the response was cut off at the length limit, and the arguments may be incomplete")
	}
	return nil
}

// approve asks for the approval that a call needs. Its error ends the run.
func (r *run) approve(ctx context.Context, c *callRun) error {
	tool := r.tool(c.wanted.Name)
	decision, args := tool.Approve(argsText(c.wanted.Args))
	refused := ""
	switch {
	case decision == runtime.Allow:
	case decision == runtime.Ask && r.options.Approve != nil:
		yes, err := r.options.Approve(ctx, &ApprovalRequest{Agent: r.agent.Name, Tool: tool.Name(), Args: args})
		if err != nil {
			return err
		}
		if !yes {
			refused = "not run: the user did not allow this call"
		}
	case decision == runtime.Ask:
		refused = "not run: this call needs the approval of the user, and nobody can be asked here"
	default:
		refused = "not run: calls of this tool with these arguments are not allowed"
	}
	if refused != "" {
		c.failed = &runtime.ToolError{Kind: runtime.ToolAuthorization, Message: refused}
		return nil
	}
	c.tool = tool
	return nil
}

// invokeAll runs calls in parallel.
func invokeAll(ctx context.Context, batch []callRun, timeout time.Duration) {
	var running sync.WaitGroup
	for i := range batch {
		running.Go(func() { batch[i].invoke(ctx, timeout) })
	}
	running.Wait()
}

// invoke runs the call unless it is refused.
func (c *callRun) invoke(ctx context.Context, timeout time.Duration) {
	if c.failed != nil {
		return
	}
	result, err := c.tool.Invoke(ctx, argsText(c.wanted.Args), timeout)
	if err != nil {
		c.failed = err.(*runtime.ToolError) // as Invoke promises
		return
	}
	c.result = result
}

// record records the outcome of a call and adds its result to the
// conversation.
func (r *run) record(c *callRun) {
	r.used = append(r.used, runtime.Invocation{
		Tool: c.call.Name, Args: recordedArgs(c.wanted.Args), Result: c.result, Err: c.failed,
	})
	if c.failed == nil {
		r.addResult(c.call, resultText(c.result))
		return
	}
	r.countFailure(c)
	r.addResult(c.call, cut("Error: "+c.failed.Message))
}

// finishCall emits the end of a call. Its error ends the run.
func (r *run) finishCall(ctx context.Context, c *callRun, invocation *runtime.Invocation) error {
	if err := r.emit(ctx, Event{Kind: EventToolFinished, Call: c.call, Invocation: invocation}); err != nil {
		return err
	}
	if r.abandoned >= maxAbandoned {
		return runtime.Errorf(runtime.KindTool,
			"%d calls of tools did not stop when their time was over, one of them of '%s'", r.abandoned, c.call.Name)
	}
	if c.failed != nil && r.options.FailOnToolError {
		return toolFailure(ctx, invocation)
	}
	return nil
}

// countFailure counts a call that ran and failed.
func (r *run) countFailure(c *callRun) {
	if c.tool == nil {
		return
	}
	if c.failed.Abandoned {
		r.abandoned++
	}
	if r.failures == nil {
		r.failures = make(map[string]int)
	}
	r.failures[c.wanted.Name]++
}

func notRun(format string, args ...any) *runtime.ToolError {
	return &runtime.ToolError{Kind: runtime.ToolExecution, Message: fmt.Sprintf(format, args...)}
}

func (r *run) maxFailures(tool *runtime.Tool) int {
	if tool.Config().NoRetry {
		return 1
	}
	return r.options.MaxAttempts
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

// recordedArgs returns the arguments as the model gave them: as JSON, or as a
// JSON string if they are not.
func recordedArgs(raw json.RawMessage) json.RawMessage {
	text := argsText(raw)
	if json.Valid(text) {
		return text
	}
	quoted, err := json.Marshal(string(raw))
	if err != nil {
		panic("interp: a string has no JSON form: " + err.Error())
	}
	return quoted
}

// toolFailure returns the error of a run that a failing tool ends.
func toolFailure(ctx context.Context, invocation *runtime.Invocation) error {
	if err := stopped(ctx); err != nil {
		return err
	}
	kind := runtime.KindTool
	if invocation.Err.Kind == runtime.ToolTimeout {
		kind = runtime.KindToolTimeout
	}
	return runtime.Errorf(kind, "tool '%s': %w", invocation.Tool, invocation.Err)
}
