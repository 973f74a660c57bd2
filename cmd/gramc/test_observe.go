package main

import (
	"context"

	compiled "github.com/gram-lang/gramc/compile/scenario"

	"github.com/gram-lang/gramc/internal/scenario"
	"github.com/gram-lang/gramc/internal/telemetry"
	"github.com/gram-lang/gramc/internal/trace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// observe lets those see a run of a test who observe runs: the file of its trace, which may be
// nil, and OpenTelemetry.
func (s *testSuite) observe(t *testCase, o *scenario.Options, file *traceFile) {
	if file == nil && s.telemetry == nil {
		return
	}
	var spans *telemetry.Run
	served, conversation, files := t.served(), telemetry.NewConversation(), traceFiles(t.agentFile)
	o.Observe = func(m *runtime.Message, e *interp.Event, err error) {
		switch {
		case m != nil:
			spans = s.telemetry.Run(s.caller(), served, m, conversation)
			spans.Test(t.Name)
			_ = file.message(t.agent, files, m) // a trace never fails a run
		case err != nil:
			f := trace.FailureOf(err)
			spans.Stopped(f.Kind, f.Message)
			_ = file.stopped(f)
		default:
			spans.Event(e)
			_ = file.event(e)
		}
	}
	if s.telemetry != nil {
		o.CallContext = func(ctx context.Context, c *runtime.Call) context.Context { return spans.CallContext(ctx, c) }
	}
}

// served returns the agent with what responds in the test.
func (t *testCase) served() *interp.Agent {
	switch t.Model {
	case compiled.Scripted:
		return servedBy(t.agent, "script")
	case compiled.Offline:
		return servedBy(t.agent, "offline")
	}
	return t.agent
}
