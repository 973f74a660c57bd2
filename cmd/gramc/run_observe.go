package main

import (
	"context"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/telemetry"
	"github.com/gram-lang/gramc/internal/trace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// began, saw and stopped pass on what happens in a run to those who observe it: the file of
// --trace, and OpenTelemetry.
func (r *runner) began(m *runtime.Message) error {
	if r.telemetry != nil {
		r.spans = r.telemetry.Run(r.caller(), r.servedAgent(), m, r.conversation)
	}
	return r.trace.message(r.agent, r.agentFiles, m)
}

func (r *runner) saw(e *interp.Event) error {
	r.spans.Event(e)
	return r.trace.event(e)
}

func (r *runner) stopped(f *trace.Failure) error {
	r.spans.Stopped(f.Kind, f.Message)
	return r.trace.stopped(f)
}

// startTelemetry sends runs to a collector if the environment asks for it.
func (r *runner) startTelemetry() (end func()) {
	r.telemetry, end = r.cli.startTelemetry()
	if r.telemetry != nil {
		r.conversation = telemetry.NewConversation()
		r.loop.CallContext = func(ctx context.Context, c *runtime.Call) context.Context { return r.spans.CallContext(ctx, c) }
	}
	return end
}

// startTelemetry returns what sends runs to a collector, nil unless the environment asks for it,
// and what sends the rest, which notes in one line if that fails.
func (c *cli) startTelemetry() (t *telemetry.Telemetry, end func()) {
	if t = telemetry.Start(c.lookup, version()); t == nil {
		return nil, func() {}
	}
	return t, func() {
		if err := t.Close(); err != nil {
			c.note("warning: OpenTelemetry: " + shortMessage(err.Error()))
		}
	}
}

// caller returns the trace that gramc was started in, as the environment says it.
func (c *cli) caller() runtime.TraceContext {
	parent, _ := c.lookup("TRACEPARENT")
	state, _ := c.lookup("TRACESTATE")
	return runtime.TraceContext{Parent: parent, State: state}
}

// servedAgent returns the agent with the model that responds.
func (r *runner) servedAgent() *interp.Agent {
	if !r.offline {
		return r.agent
	}
	return servedBy(r.agent, "offline")
}

// servedBy returns an agent whose responses come from what is no model.
func servedBy(a *interp.Agent, name string) *interp.Agent {
	served := *a
	served.Model = compile.Model{Provider: name, ID: name}
	return &served
}
