package runtime

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
	"unicode/utf8"
)

// grace is how long a handler may take to stop when its context ends.
const grace = 500 * time.Millisecond

// UnknownEffect ends the message of a failed call that may have done its work, so that
// the model does not just make it again.
const UnknownEffect = "; whether the call had an effect is unknown"

// DefaultToolTimeout limits a call if no other timeout is set.
const DefaultToolTimeout = 10 * time.Second

// Invoke calls the tool once: it fills in defaults, validates the arguments,
// runs the handler and validates the result, except that of a [Func], whose type
// guarantees it. No result counts as null.
//
// The time limit is the tool's own, or else timeout, or else
// [DefaultToolTimeout]. A handler that does not stop half a second after that
// is abandoned. What a call did that timed out is unknown; the error says so, unless the
// tool's Repeat is [RepeatSafe]. A panic in it is a failure. The error is always a *[ToolError].
func (t Tool) Invoke(ctx context.Context, args json.RawMessage, timeout time.Duration) (json.RawMessage, error) {
	if t.config.Execute == nil {
		return nil, &ToolError{Kind: ToolExecution, Message: "the tool has no function to execute"}
	}
	args, err := t.invokeArguments(args)
	if err != nil {
		return nil, &ToolError{Kind: ToolValidation, Message: "invalid arguments: " + err.Error(), Err: err}
	}
	result, failed := t.invokeWithin(ctx, args, cmp.Or(t.config.Timeout, max(timeout, 0), DefaultToolTimeout))
	if failed != nil {
		return nil, failed
	}
	if len(result) == 0 {
		result = json.RawMessage("null")
	}
	if !utf8.Valid(result) {
		result = bytes.ToValidUTF8(result, []byte("\uFFFD"))
	}
	if t.typed && !t.promised {
		return result, nil
	}
	if err := t.out.Validate(result); err != nil {
		return nil, &ToolError{Kind: ToolValidation, Message: "invalid result: " + err.Error(), Err: err}
	}
	return result, nil
}

// invokeArguments returns the arguments that the handler gets, validated against the
// schema of the contract, if it differs, and that of the tool.
func (t *Tool) invokeArguments(args json.RawMessage) (json.RawMessage, error) {
	if t.called != nil {
		var err error
		if args, err = t.called.arguments(args); err != nil {
			return nil, err
		}
	}
	return t.in.arguments(args)
}

// Check returns why the tool refuses arguments; nil if it takes them.
func (t Tool) Check(args json.RawMessage) error {
	_, err := t.invokeArguments(args)
	return err
}

type invokeOutcome struct {
	result json.RawMessage
	failed *ToolError
}

// invokeWithin waits for the handler, but not for longer than limit.
func (t *Tool) invokeWithin(ctx context.Context, args json.RawMessage, limit time.Duration) (json.RawMessage, *ToolError) {
	if err := ctx.Err(); err != nil {
		return nil, stoppedInvoke(err)
	}
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan invokeOutcome, 1) // so that a late handler can end
	go t.invokeHandler(inner, args, done)
	o, abandoned := invokeOutcome{}, false
	select {
	case o = <-done:
	case <-inner.Done():
		select {
		case o = <-done: // in time after all
		default:
			o.failed, abandoned = stoppedInvoke(inner.Err()), !invokedHandlerEnds(done)
		}
	}
	if o.failed == nil || inner.Err() == nil || !errors.Is(o.failed, inner.Err()) {
		return o.result, o.failed
	}
	failed := &ToolError{Kind: ToolTimeout, Message: fmt.Sprintf("timed out after %v", limit), Err: inner.Err()}
	if t.config.Repeat != RepeatSafe {
		failed.Message += UnknownEffect
	}
	if err := ctx.Err(); err != nil {
		failed = stoppedInvoke(err)
	}
	failed.Abandoned = abandoned
	return nil, failed
}

// invokedHandlerEnds reports whether a handler whose time is over stops soon.
func invokedHandlerEnds(done <-chan invokeOutcome) bool {
	select {
	case <-done:
		return true
	case <-time.After(grace):
		return false
	}
}

func stoppedInvoke(err error) *ToolError {
	message := "stopped with the run"
	if errors.Is(err, context.DeadlineExceeded) {
		message = "stopped: the time of the run is over"
	}
	return &ToolError{Kind: ToolExecution, Message: message, Err: err}
}

// invokeHandler runs the handler and always sends one outcome, whatever the handler
// does.
func (t *Tool) invokeHandler(ctx context.Context, args json.RawMessage, done chan<- invokeOutcome) {
	var o invokeOutcome
	returned := false
	defer func() {
		if v := recover(); v != nil {
			o.failed = &ToolError{
				Kind:    ToolExecution,
				Message: fmt.Sprintf("panic: %v", v),
				Err:     fmt.Errorf("panic: %v\n%s", v, debug.Stack()),
			}
		} else if !returned {
			o.failed = &ToolError{Kind: ToolExecution, Message: "the tool ended its goroutine"}
		}
		done <- o
	}()
	result, err := t.config.Execute(ctx, args)
	o, returned = invokeOutcome{result, invokeErrorOf(err)}, true
}

// invokeErrorOf returns the error of a handler as a ToolError, of the kind that the
// handler chose.
func invokeErrorOf(err error) *ToolError {
	if err == nil {
		return nil
	}
	kind := ToolExecution
	var chosen *ToolError
	if errors.As(err, &chosen) {
		kind = cmp.Or(chosen.Kind, kind)
	}
	return &ToolError{Kind: kind, Message: cmp.Or(err.Error(), string(kind)), Err: err}
}
