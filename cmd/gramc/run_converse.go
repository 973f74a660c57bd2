package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// Kinds of failures of a run that come from the command line; the others are in
// package runtime.
const (
	kindTimeout     = "TimeoutError"     // --timeout has passed
	kindInterrupted = "InterruptedError" // Ctrl-C
)

// converse sends the messages, one after another, and shows what comes back.
func (r *runner) converse(ctx context.Context) error {
	for i, message := range r.messages {
		if strings.TrimSpace(message) == "" {
			return r.failed(ctx, runtime.Errorf(runtime.KindValidation, "Empty user input%s", r.ofMessages(i)))
		}
	}
	bound, err := r.bindAgent(r.guardLeaks(r.tools, r.agent), r.options())
	if err != nil {
		return r.failed(ctx, err)
	}
	var conversation runtime.Conversation
	for i, message := range r.messages {
		r.showMessage(i)
		if err := r.trace.message(r.agent, message); err != nil {
			return err
		}
		for event, err := range bound.Events(ctx, message, conversation) {
			if err == nil {
				err = r.trace.event(&event)
			}
			if err == nil {
				err = r.showEvent(&event)
			}
			if err != nil {
				if event.Answer != nil {
					r.used = event.Answer.ToolsUsed
				}
				return r.failed(ctx, err)
			}
			if event.Kind == interp.EventAnswer {
				conversation = event.Answer.Conversation
				if event.Answer.Finish == "length" {
					return r.failed(ctx, runtime.Errorf(runtime.KindLLMAPI,
						"the answer is cut off at the length limit of the model"))
				}
			}
		}
	}
	return nil
}

// ofMessages names a message where there are several.
func (r *runner) ofMessages(i int) string {
	if len(r.messages) == 1 {
		return ""
	}
	return fmt.Sprintf(" (message %d of %d)", i+1, len(r.messages))
}

// showMessage repeats a message if there are several, so that each response can
// be matched to its message.
func (r *runner) showMessage(i int) {
	if len(r.messages) > 1 && !r.asJSON {
		if i > 0 {
			fmt.Fprintln(r.err)
		}
		fmt.Fprintf(r.err, "💬 %s\n", clean(r.messages[i]))
	}
}

// showEvent shows the calls of tools and the answer.
func (r *runner) showEvent(e *interp.Event) error {
	switch {
	case e.Kind == interp.EventAnswer && r.asJSON:
		return r.writeLine(e.Answer)
	case e.Kind == interp.EventAnswer:
		fmt.Fprintln(r.out, clean(e.Answer.Content))
	case e.Kind == interp.EventToolFinished && !r.asJSON:
		r.showCall(e.Invocation)
	}
	return r.out.Flush()
}

func (r *runner) showCall(i *runtime.Invocation) {
	outcome := "→ " + shortJSON(i.Result)
	if i.Err != nil {
		outcome = "✗ " + shortLine(i.Err.Message)
	}
	fmt.Fprintf(r.err, "🛠 %s(%s) %s\n", cleanLine(i.Tool), shortJSON(i.Args), outcome)
}

// shortJSON returns a JSON value on one line, cut where it is long.
func shortJSON(value []byte) string {
	var compact bytes.Buffer
	if json.Compact(&compact, value) == nil {
		value = compact.Bytes()
	}
	return shortLine(string(value))
}

// failed reports why a run ended without a response.
func (r *runner) failed(ctx context.Context, err error) error {
	kind, code := "", exitRun
	var known *runtime.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		kind, err = kindTimeout, fmt.Errorf("there is no answer after %s (--timeout)", r.timeout)
	case ctx.Err() != nil:
		kind, err, code = kindInterrupted, errors.New("the run was interrupted"), exitInterrupted
	case errors.As(err, &known):
		kind = string(known.Kind)
	default:
		return err // standard output is broken, or the trace
	}
	why := failure{kind, err.Error()}
	if err := r.trace.stopped(&why); err != nil {
		return err
	}
	if r.asJSON {
		if err := r.writeFailure(why); err != nil {
			return err
		}
		return exitSilently(code)
	}
	r.showFailure(kind, err)
	return exitSilently(code)
}

// A failure is why a run ended without a response.
type failure struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// writeFailure writes the last line of a failed run, with what was executed for
// the message that failed.
func (r *runner) writeFailure(f failure) error {
	return r.writeLine(struct {
		Error     failure              `json:"error"`
		ToolsUsed []runtime.Invocation `json:"tools_used,omitempty"`
	}{f, r.used})
}

// showFailure writes why a run failed, with one line for each tool that cannot be
// bound.
func (r *runner) showFailure(kind string, err error) {
	var bind runtime.BindErrors
	if !errors.As(err, &bind) {
		r.complain(kind + ": " + err.Error())
		return
	}
	r.complain(fmt.Sprintf("%s: there are tools of agent %q that cannot be used here", kind, r.agent.Name))
	for _, b := range bind {
		detail := b.Detail
		if b.Reason == runtime.ReasonNotFound {
			detail = r.tools.NotFound(b.Tool)
		}
		r.note(fmt.Sprintf("  %s: %s: %s", cleanLine(b.Tool), b.Reason, cleanLine(detail)))
	}
	if errors.Is(err, runtime.ErrToolNotFound) && len(r.libraryNames) == 0 {
		r.note("--library names a file that implements tools")
	}
}
