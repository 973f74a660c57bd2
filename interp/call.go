package interp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/runtime"
)

// Limits on what a model may ask for.
const (
	maxCallsPerAnswer = 16
	maxNameBytes      = 64
	maxIDBytes        = 64
	maxArgsBytes      = 1 << 20 // in the conversation; runtime refuses larger ones anyway
)

// answerCalls puts the calls of an answer into the conversation, followed by
// one result for each, in order. That holds for a run that stops on the way as
// well: the calls it did not come to are answered with the reason.
func (r *run) answerCalls(ctx context.Context, answer *runtime.Response) error {
	calls := r.admit(answer.Calls)
	r.conv = append(r.conv, runtime.AssistantMessage(answer.Content, calls))
	first := len(r.conv)
	for i := range calls {
		if err := r.answerCall(ctx, answer, i, &calls[i]); err != nil {
			for _, call := range calls[len(r.conv)-first:] {
				r.tell(&call, "Error: not run, because the run stopped")
			}
			return err
		}
	}
	return nil
}

// admit returns the calls as they may stand in the conversation: each with a
// name and an id that every provider takes, an id that no other call has, and
// arguments that are an object.
func (r *run) admit(calls []runtime.Call) []runtime.Call {
	admitted := slices.Clone(calls)
	for i := range admitted {
		call := &admitted[i]
		call.ID = r.newID(call.ID)
		if r.tool(call.Name) == nil {
			call.Name = validName(call.Name)
		}
		call.Args = argsText(call.Args)
		if !isObject(call.Args) {
			call.Args = json.RawMessage("{}")
		}
	}
	return admitted
}

// newID returns id, or another one if it is empty, too long or taken.
func (r *run) newID(id string) string {
	if r.ids == nil {
		r.ids = make(map[string]bool)
		for i := range r.conv {
			for _, call := range r.conv[i].Calls {
				r.ids[call.ID] = true
			}
		}
	}
	odd := func(c rune) bool { return c <= ' ' || c >= 0x7f }
	if id == "" || len(id) > maxIDBytes || r.ids[id] || strings.ContainsFunc(id, odd) {
		for n := len(r.ids) + 1; ; n++ {
			if id = "call_" + strconv.Itoa(n); !r.ids[id] {
				break
			}
		}
	}
	r.ids[id] = true
	return id
}

// validName returns name in the alphabet that providers take.
func validName(name string) string {
	if name == "" {
		return "unnamed"
	}
	valid := func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-':
			return c
		}
		return '_'
	}
	return strings.Map(valid, name[:min(len(name), maxNameBytes)])
}

// argsText returns the arguments of a call; none are an empty object.
func argsText(raw json.RawMessage) json.RawMessage {
	text := bytes.TrimSpace(raw)
	switch string(text) {
	case "", `""`, "null":
		return json.RawMessage("{}")
	}
	return text
}

func isObject(text []byte) bool {
	return len(text) > 0 && len(text) <= maxArgsBytes && text[0] == '{' && json.Valid(text)
}

func (r *run) tool(name string) *runtime.Tool {
	for i := range r.agent.Tools {
		if r.agent.Tools[i].Name == name {
			return &r.tools[i]
		}
	}
	return nil
}

// answerCall lets call i of an answer be run, records it, and tells the model
// what came of it.
func (r *run) answerCall(ctx context.Context, answer *runtime.Response, i int, call *runtime.Call) error {
	if err := stopped(ctx); err != nil {
		return err
	}
	if err := r.emit(ctx, Event{Kind: EventToolStarted, Call: call}); err != nil {
		return err
	}
	invocation := runtime.Invocation{Tool: call.Name, Args: recordedArgs(answer.Calls[i].Args)}
	result, failed := r.invoke(ctx, answer, i)
	if failed != nil {
		invocation.Err = failed
		r.tell(call, cut("Error: "+failed.Message))
	} else {
		invocation.Result = result
		r.tell(call, resultText(result))
	}
	r.used = append(r.used, invocation)
	if err := r.emit(ctx, Event{Kind: EventToolFinished, Call: call, Invocation: &invocation}); err != nil {
		return err
	}
	if failed != nil && r.options.FailOnToolError {
		return toolFailure(ctx, &invocation)
	}
	return nil
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

// invoke runs call i of an answer, unless there is a reason not to.
func (r *run) invoke(ctx context.Context, answer *runtime.Response, i int) (json.RawMessage, *runtime.ToolError) {
	call := &answer.Calls[i]
	if i >= maxCallsPerAnswer {
		return nil, notRun("not run: at most %d calls are run per answer", maxCallsPerAnswer)
	}
	tool := r.tool(call.Name)
	if tool == nil {
		return nil, runtime.ToolNotFound(call.Name, r.toolNames())
	}
	if limit := r.maxFailures(tool); r.failures[call.Name] >= limit {
		return nil, notRun("tool %s failed %s; do not call it again", call.Name, times(limit))
	}
	if answer.Finish == "length" {
		return nil, notRun("not run: the answer was cut off at the length limit, and the arguments may be incomplete")
	}
	result, err := tool.Invoke(ctx, argsText(call.Args), r.options.ToolTimeout)
	if err == nil {
		return result, nil
	}
	if r.failures == nil {
		r.failures = make(map[string]int)
	}
	r.failures[call.Name]++
	return nil, err.(*runtime.ToolError) // as Invoke promises
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

func (r *run) toolNames() []string {
	names := make([]string, len(r.agent.Tools))
	for i := range names {
		names[i] = r.agent.Tools[i].Name
	}
	return names
}

func (r *run) tell(call *runtime.Call, text string) {
	r.conv = append(r.conv, runtime.Message{
		Role: runtime.RoleTool, Content: text, CallID: call.ID, ToolName: call.Name,
	})
}
