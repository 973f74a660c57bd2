package runtime

import "context"

// A TraceContext is the place of a call in a distributed trace, in the form of
// https://www.w3.org/TR/trace-context/. Tools that call other services pass it on.
type TraceContext struct {
	Parent string // the header traceparent; "" for none
	State  string // the header tracestate; "" for none
}

type traceContextKey struct{}

// WithTraceContext returns a context with which tools are called.
func WithTraceContext(ctx context.Context, tc TraceContext) context.Context {
	return context.WithValue(ctx, traceContextKey{}, tc)
}

// TraceContextOf returns the place of the call that a [Handler] runs for; the zero value if
// nothing is traced.
func TraceContextOf(ctx context.Context) TraceContext {
	tc, _ := ctx.Value(traceContextKey{}).(TraceContext)
	return tc
}

// Each calls f with the name and the value of each header of the trace context.
func (tc TraceContext) Each(f func(name, value string)) {
	if tc.Parent == "" {
		return
	}
	f("traceparent", tc.Parent)
	if tc.State != "" {
		f("tracestate", tc.State)
	}
}
