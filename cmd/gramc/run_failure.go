package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gram-lang/gramc/internal/trace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// kindInterrupted is the kind of failure after Ctrl-C; the others are in package runtime.
const kindInterrupted = "InterruptedError"

// failed reports why a run ended without a response.
func (r *runner) failed(ctx context.Context, err error) error {
	kind, code := "", exitRun
	var known *runtime.Error
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		kind, err = string(runtime.KindTimeout), fmt.Errorf("there is no answer after %s (--timeout)", r.timeout)
	case ctx.Err() != nil:
		kind, err, code = kindInterrupted, errors.New("the run was interrupted"), exitInterrupted
	case errors.Is(err, interp.ErrWaiting):
		return r.waits(err)
	case errors.Is(err, interp.ErrMaxTurns):
		kind, err = string(runtime.KindTool), fmt.Errorf("%w (--max-turns, or maxIterations of the agent)", err)
	case errors.As(err, &known):
		kind, err = string(known.Kind), overBudget(err)
	default:
		return err // standard output is broken, or the trace
	}
	why := failure{kind, err.Error()}
	if err := r.stopped((*trace.Failure)(&why)); err != nil {
		return err
	}
	if r.asJSON {
		if err := r.writeFailure(why); err != nil {
			return err
		}
		return exitSilently(code)
	}
	r.showFailure(kind, err)
	r.noteUnfinished()
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
		Spent     *spentLine           `json:"spent,omitempty"`
	}{f, r.used, r.spentNow()})
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
		r.note("--library names a file that implements tools" + r.libraryBeside())
	}
}

// libraryBeside names the library that init has written beside the file of the agent; "" if
// there is none.
func (r *runner) libraryBeside() string {
	if len(r.agentFiles) == 0 {
		return ""
	}
	beside := filepath.Join(filepath.Dir(r.agentFiles[0].Name), initLibrary)
	if info, err := os.Stat(beside); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return ", such as " + cleanLine(beside)
}
