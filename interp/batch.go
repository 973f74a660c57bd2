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

// A callRun is one call of an answer on its way.
type callRun struct {
	asked  *runtime.Call // as the model wrote it
	call   *runtime.Call // as it stands in the conversation
	tool   *runtime.Tool // nil if the call is not run
	result json.RawMessage
	failed *runtime.ToolError
}

// batch returns how many calls of an answer, from call i on, run side by side.
// It is one unless their tools are made for that. No tool gets more calls than
// it may fail.
func (r *run) batch(answer *runtime.Response, i int) int {
	if r.options.FailOnToolError {
		return 1
	}
	n, left := 0, map[string]int{}
	for ; i+n < min(len(answer.Calls), maxCallsPerAnswer) && n < r.options.Parallel; n++ {
		name := answer.Calls[i+n].Name
		tool := r.tool(name)
		if tool == nil || !tool.Concurrent() {
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

// answerBatch runs n calls of an answer, from call i on, side by side, records
// them, and tells the model what came of them.
func (r *run) answerBatch(ctx context.Context, answer *runtime.Response, calls []runtime.Call, i, n int) error {
	batch := make([]callRun, n)
	for k := range batch {
		c := &batch[k]
		c.asked, c.call = &answer.Calls[i+k], &calls[i+k]
		if err := stopped(ctx); err != nil {
			return err
		}
		if err := r.emit(ctx, Event{Kind: EventToolStarted, Call: c.call}); err != nil {
			return err
		}
		if c.failed = r.refuse(answer, i+k); c.failed == nil {
			if err := r.permit(ctx, c); err != nil {
				return err
			}
		}
	}
	var running sync.WaitGroup
	for k := range batch {
		if c := &batch[k]; c.failed == nil {
			running.Go(func() { c.invoke(ctx, r.options.ToolTimeout) })
		}
	}
	running.Wait()
	for k := range batch {
		r.note(&batch[k])
	}
	for k := range batch {
		if err := r.report(ctx, &batch[k], &r.used[len(r.used)-n+k]); err != nil {
			return err
		}
	}
	return nil
}

// refuse returns why call i of an answer is not run; nil lets it run.
func (r *run) refuse(answer *runtime.Response, i int) *runtime.ToolError {
	call := &answer.Calls[i]
	if i >= maxCallsPerAnswer {
		return notRun("not run: at most %d calls are run per answer", maxCallsPerAnswer)
	}
	tool := r.tool(call.Name)
	if tool == nil {
		return runtime.ToolNotFound(call.Name, r.toolNames())
	}
	if limit := r.maxFailures(tool); r.failures[call.Name] >= limit {
		return notRun("tool %s failed %s; do not call it again", call.Name, times(limit))
	}
	if answer.Finish == "length" {
		return notRun("not run: the answer was cut off at the length limit, and the arguments may be incomplete")
	}
	return nil
}

// permit asks for the approval that a call needs. Its error ends the run.
func (r *run) permit(ctx context.Context, c *callRun) error {
	tool := r.tool(c.asked.Name)
	decision, args := tool.Approve(argsText(c.asked.Args))
	refused := ""
	switch {
	case decision == runtime.Allow:
	case decision == runtime.Ask && r.options.Approve != nil:
		yes, err := r.options.Approve(ctx, &ApprovalRequest{Agent: r.agent.Name, Tool: tool.Name(), Args: args})
		if err != nil {
			return err
		}
		if !yes {
			refused = "not run: the user does not allow this call"
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

func (c *callRun) invoke(ctx context.Context, timeout time.Duration) {
	result, err := c.tool.Invoke(ctx, argsText(c.asked.Args), timeout)
	if err != nil {
		c.failed = err.(*runtime.ToolError) // as Invoke promises
		return
	}
	c.result = result
}

// note keeps what came of a call and tells the model.
func (r *run) note(c *callRun) {
	r.used = append(r.used, runtime.Invocation{
		Tool: c.call.Name, Args: recordedArgs(c.asked.Args), Result: c.result, Err: c.failed,
	})
	if c.failed == nil {
		r.tell(c.call, resultText(c.result))
		return
	}
	r.countFailure(c)
	r.tell(c.call, cut("Error: "+c.failed.Message))
}

// report shows the end of a call. Its error ends the run.
func (r *run) report(ctx context.Context, c *callRun, invocation *runtime.Invocation) error {
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

// countFailure counts a call that was run and failed.
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
	r.failures[c.asked.Name]++
}

func notRun(format string, args ...any) *runtime.ToolError {
	return &runtime.ToolError{Kind: runtime.ToolExecution, Message: fmt.Sprintf(format, args...)}
}

func (r *run) maxFailures(tool *runtime.Tool) int {
	if !tool.Retryable() {
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
