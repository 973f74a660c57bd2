package telemetry

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A Run is the spans of one run: that of the agent, and below it one for each request and
// each call. It is used by one goroutine. A nil *Run does nothing.
type Run struct {
	t     *Telemetry
	agent *interp.Agent
	model compile.Model // that responds

	span  trace.Span // of the agent; nil once it has ended
	chat  *operation // the request that runs; nil between requests
	calls map[string]*operation
	since time.Time // the last event
}

// An operation is a request or a call that runs.
type operation struct {
	span   trace.Span
	start  time.Time
	first  time.Time // when the response began; zero if that is unknown
	stream bool
}

// Run begins the trace of one run. It is part of the trace of its caller, if that has one, and
// of a conversation.
func (t *Telemetry) Run(caller runtime.TraceContext, a *interp.Agent, m *runtime.Message, conversation string) *Run {
	if t == nil {
		return nil
	}
	headers := propagation.MapCarrier{}
	caller.Each(headers.Set)
	parent := propagation.TraceContext{}.Extract(context.Background(), headers)
	r := &Run{t: t, agent: a, model: a.Model, calls: map[string]*operation{}, since: time.Now()}
	about := append(r.about("invoke_agent"), agentName.String(a.Name), conversationID.String(conversation), outputType.String(outputOf(a)))
	if a.Description != "" {
		about = append(about, agentDescription.String(a.Description))
	}
	_, r.span = t.tracer.Start(parent, "invoke_agent "+a.Name, trace.WithTimestamp(r.since), trace.WithAttributes(about...))
	if t.content {
		r.span.SetAttributes(systemInstructions.String(instructionsOf(a.Instruction)), toolDefinitions.String(definitionsOf(a.Tools)),
			inputMessages.String(messagesOf([]runtime.Message{*m})))
	}
	return r
}

// Test says of which test the run is.
func (r *Run) Test(name string) {
	if r != nil && r.span != nil {
		r.span.SetAttributes(testCaseName.String(name))
	}
}

// about returns the attributes of an operation with the model that responds.
func (r *Run) about(operation string) []attribute.KeyValue {
	return []attribute.KeyValue{operationName.String(operation), providerName.String(providerOf(r.model.Provider)), requestModel.String(r.model.ID)}
}

// start begins a span below that of the agent.
func (r *Run) start(at time.Time, name string, options ...trace.SpanStartOption) *operation {
	parent := trace.ContextWithSpan(context.Background(), r.span)
	_, span := r.t.tracer.Start(parent, name, append(options, trace.WithTimestamp(at))...)
	return &operation{span: span, start: at}
}

// CallContext begins the span of a call that is about to run, and returns a context with
// which its tool passes the trace on. It is made for [interp.Options].
func (r *Run) CallContext(ctx context.Context, c *runtime.Call) context.Context {
	if r == nil || r.span == nil {
		return ctx
	}
	o := r.startCall(c, time.Now())
	headers := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(trace.ContextWithSpan(context.Background(), o.span), headers)
	return runtime.WithTraceContext(ctx, runtime.TraceContext{Parent: headers["traceparent"], State: headers["tracestate"]})
}

func (r *Run) startCall(c *runtime.Call, at time.Time) *operation {
	about := []attribute.KeyValue{operationName.String("execute_tool"), toolName.String(c.Name), toolCallID.String(c.ID), toolType.String("function")}
	for i := range r.agent.Tools {
		if t := &r.agent.Tools[i]; t.Name == c.Name && t.Description != "" {
			about = append(about, toolDescription.String(t.Description))
		}
	}
	o := r.start(at, "execute_tool "+c.Name, trace.WithAttributes(about...))
	r.calls[c.ID] = o
	return o
}

// Event takes an event of the run.
func (r *Run) Event(e *interp.Event) {
	if r == nil || r.span == nil {
		return
	}
	now := time.Now()
	switch e.Kind {
	case interp.EventDelta:
		r.piece(e.Delta, now)
		return
	case interp.EventRequest:
		r.startChat(e.Request, now)
	case interp.EventResponse:
		r.endChat(e.Response, now)
	case interp.EventFallback:
		r.failChat(now, kindOf(e.Fallback.Err), e.Fallback.Err.Error())
		if r.model = e.Fallback.To; e.Turn > 0 {
			r.chat = r.start(now, "chat "+r.model.ID, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(r.about("chat")...))
		}
	case interp.EventCompacted:
		r.chat = r.start(r.since, "chat "+r.model.ID, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(r.about("chat")...))
		r.endChat(e.Compaction.Response, now)
	case interp.EventToolFinished:
		r.endCall(e, now)
	case interp.EventAnswer:
		r.endAgent(e.Answer, now)
	}
	r.since = now
}

func (r *Run) startChat(q *runtime.Request, now time.Time) {
	about := append(r.about("chat"), outputType.String(outputOf(r.agent)))
	if q.Temperature != nil {
		about = append(about, requestTemperature.Float64(*q.Temperature))
	}
	if q.MaxTokens > 0 {
		about = append(about, requestMaxTokens.Int(q.MaxTokens))
	}
	r.chat = r.start(now, "chat "+r.model.ID, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(about...))
	if r.t.content {
		r.chat.span.SetAttributes(systemInstructions.String(instructionsOf(q.Instruction)), inputMessages.String(messagesOf(q.Messages)), toolDefinitions.String(definitionsOf(q.Tools)))
	}
}

// piece notes when a response begins.
func (r *Run) piece(d *runtime.Delta, now time.Time) {
	if r.chat == nil || d.Kind == runtime.DeltaWait {
		return
	}
	r.chat.stream = true
	if d.Kind == runtime.DeltaRestart {
		r.chat.first = time.Time{}
	} else if r.chat.first.IsZero() {
		r.chat.first = now
	}
}

func (r *Run) endChat(a *runtime.Response, now time.Time) {
	o := r.chat
	if o == nil {
		return
	}
	r.chat = nil
	o.span.SetAttributes(append(usageOf(a.Usage), finishReasons.StringSlice([]string{cmp.Or(a.Finish, "stop")}))...)
	if o.stream {
		o.span.SetAttributes(requestStream.Bool(true))
	}
	if !o.first.IsZero() {
		o.span.SetAttributes(timeToFirstChunk.Float64(o.first.Sub(o.start).Seconds()))
	}
	if a.Attempts.Sent > 1 {
		o.span.SetAttributes(resendCount.Int(a.Attempts.Sent - 1))
	}
	if r.t.content {
		o.span.SetAttributes(outputMessages.String(responseOf(a)))
	}
	o.span.End(trace.WithTimestamp(now))
	r.t.meters.count(r.about("chat"), now.Sub(o.start), a.Usage, "")
}

func (r *Run) failChat(now time.Time, kind, message string) {
	if o := r.chat; o != nil {
		r.chat = nil
		r.fail(o.span, kind, message)
		o.span.End(trace.WithTimestamp(now))
		r.t.meters.count(r.about("chat"), now.Sub(o.start), runtime.Usage{}, kind)
	}
}

func (r *Run) endCall(e *interp.Event, now time.Time) {
	o := r.calls[e.Call.ID]
	if o == nil { // it was not run
		o = r.startCall(e.Call, now)
	}
	delete(r.calls, e.Call.ID)
	i := e.Invocation
	if r.t.content {
		o.span.SetAttributes(callArguments.String(cut(string(i.Args))))
		if i.Err == nil {
			o.span.SetAttributes(callResult.String(cut(string(i.Result))))
		}
	}
	if i.Err != nil {
		r.fail(o.span, string(i.Err.Kind), i.Err.Message)
	}
	o.span.End(trace.WithTimestamp(o.start.Add(e.Time)))
}

func (r *Run) endAgent(a *interp.AgentResponse, now time.Time) {
	r.span.SetAttributes(append(usageOf(a.Usage), finishReasons.StringSlice([]string{cmp.Or(a.Finish, "stop")}))...)
	if r.t.content {
		r.span.SetAttributes(outputMessages.String(responseOf(&runtime.Response{Content: a.Content, Finish: a.Finish})))
	}
	r.span.End(trace.WithTimestamp(now))
	r.span = nil
}

// Stopped ends the trace of a run that failed, and does nothing after an answer. The kind is one of [runtime.ErrorKind],
// or another word; the message is sent only with content.
func (r *Run) Stopped(kind, message string) {
	if r == nil || r.span == nil {
		return
	}
	now := time.Now()
	kind = cmp.Or(kind, "_OTHER")
	r.failChat(now, kind, message)
	for _, o := range r.calls {
		r.fail(o.span, kind, message)
		o.span.End(trace.WithTimestamp(now))
	}
	r.fail(r.span, kind, message)
	r.span.End(trace.WithTimestamp(now))
	r.span = nil
}

// Left ends the trace of a run that has not ended, but waits or goes on elsewhere. It does nothing
// after the end of a run.
func (r *Run) Left() {
	if r == nil || r.span == nil {
		return
	}
	now := time.Now()
	if r.chat != nil {
		r.chat.span.End(trace.WithTimestamp(now))
		r.chat = nil
	}
	for _, o := range r.calls {
		o.span.End(trace.WithTimestamp(now))
	}
	r.span.End(trace.WithTimestamp(now))
	r.span = nil
}

// fail marks a span as failed.
func (r *Run) fail(span trace.Span, kind, message string) {
	if !r.t.content {
		message = kind
	}
	span.SetAttributes(errorType.String(kind))
	span.SetStatus(codes.Error, cut(message))
}

func kindOf(err error) string {
	var known *runtime.Error
	if errors.As(err, &known) {
		return string(known.Kind)
	}
	return "_OTHER"
}

// outputOf returns what an agent's answer is.
func outputOf(a *interp.Agent) string {
	if len(a.Returns) > 0 {
		return "json"
	}
	return "text"
}

// usageOf returns the tokens of a response; nothing if they are unknown.
func usageOf(u runtime.Usage) (about []attribute.KeyValue) {
	for _, n := range []struct {
		key   attribute.Key
		count int64
	}{
		{inputTokens, u.Input}, {outputTokens, u.Output}, {cacheReadTokens, u.CacheRead},
		{cacheWriteTokens, u.CacheWrite}, {reasoningTokens, u.Reasoning},
	} {
		if n.count > 0 {
			about = append(about, n.key.Int64(n.count))
		}
	}
	return about
}

// providerOf returns a provider as the conventions name it.
func providerOf(name string) string {
	switch name {
	case "Google":
		return "gcp.gemini"
	case "Azure":
		return "azure.ai.openai"
	case "Mistral":
		return "mistral_ai"
	case "xAI":
		return "x_ai"
	}
	return strings.ToLower(name)
}
