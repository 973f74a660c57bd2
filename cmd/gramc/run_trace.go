package main

import (
	"context"
	"os"
	"time"

	"github.com/gram-lang/gramc/internal/trace"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A traceFile is the file to which the events of runs are written. A nil traceFile
// writes nothing.
type traceFile struct {
	file   *os.File
	writer *trace.Writer
}

// openTrace creates the file of a trace, for what asks for it, such as "--trace".
func (c *cli) openTrace(by, name string) (*traceFile, error) {
	if name == "" {
		return nil, nil
	}
	file, err := c.createPrivate(by, name)
	if err != nil {
		return nil, err
	}
	return &traceFile{file, trace.NewWriter(file, c.models())}, nil
}

// traceFiles returns a file and what it imports as a trace has them.
func traceFiles(u *workspace.Unit) (files []trace.File) {
	for _, one := range append([]*workspace.Unit{u}, u.Imports()...) {
		if one.File != nil {
			files = append(files, trace.NewFile(one.Name(), one.Source.Text()))
		}
	}
	return files
}

// wrote returns the error of writing as one of the command line.
func (t *traceFile) wrote(err error) error {
	if err != nil {
		return unusableInput("--trace "+t.file.Name(), err)
	}
	return nil
}

func (t *traceFile) message(a *interp.Agent, files []trace.File, m *runtime.Message) error {
	if t == nil {
		return nil
	}
	return t.wrote(t.writer.Message(a, files, m))
}

func (t *traceFile) event(e *interp.Event) error {
	if t == nil {
		return nil
	}
	return t.wrote(t.writer.Event(e))
}

// stopped ends the trace of a run that failed.
func (t *traceFile) stopped(f *trace.Failure) error {
	if t == nil {
		return nil
	}
	return t.wrote(t.writer.Stopped(f))
}

// close ends a trace, of which each line is written already.
func (t *traceFile) close() {
	if t != nil {
		t.file.Close()
	}
}

// An approver decides for the user whether a tool is called; nil asks nobody.
type approver = func(context.Context, *interp.ApprovalRequest) (bool, error)

// traced returns an approver whose decisions are in the trace of the runner.
func (r *runner) traced(ask approver) approver {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, q *interp.ApprovalRequest) (bool, error) {
		if r.trace == nil {
			return ask(ctx, q)
		}
		start := time.Now()
		allowed, err := ask(ctx, q)
		if err != nil {
			return false, err
		}
		return allowed, r.trace.wrote(r.trace.writer.Approval(q.Tool, allowed, time.Since(start)))
	}
}
