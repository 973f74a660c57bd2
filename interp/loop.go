package interp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/runtime"
)

// A loop is the state of one run of an agent. It is used by one goroutine.
type loop struct {
	*Bound
	yield func(Event, error) bool

	corrected bool // the model was asked once to correct its answer
	repeated  bool // the model was asked once to repeat an empty answer
	shortened bool // results were shortened once, since the conversation was too long
	silent    bool // pieces of responses are not yielded
	cut       bool // the last answer was limited by a budget
	replayed  bool // the step that events are about was made in an earlier run
	turn      int
	steps     int                  // requests, with those for summaries and those that were too long
	outcome   *Outcome             // of the request that is being sent as a step; nil without one
	fallen    int                  // how many models do not respond; see Agent.Fallbacks
	conv      runtime.Conversation // its own copy; only grows, unless it is compacted
	used      []runtime.Invocation
	usage     runtime.Usage
	finish    string
	ids       map[string]bool // of all calls in conv; nil before the first call
	failures  map[string]int  // by tool; nil before the first failure

	broken    bool       // the caller stopped ranging
	accounts  []*Account // that the run is charged to; nil without a budget
	abandoned int        // calls that did not stop when their time was over
	previous  outcome    // of the previous call
	inARow    int        // how many calls had that outcome
}

// An outcome is a call and its result.
type outcome struct{ tool, args, result string }

func newLoop(b *Bound, conv runtime.Conversation, yield func(Event, error) bool) *loop {
	r := &loop{Bound: b, yield: yield, used: []runtime.Invocation{}, accounts: b.accounts()}
	const usual = 4 // user, call, result, answer
	r.conv = append(make(runtime.Conversation, 0, len(conv)+usual), conv...)
	return r
}

// errBreak ends a run whose caller stopped ranging over its events.
var errBreak = errors.New("interp: the caller stopped ranging")

func (r *loop) emit(ctx context.Context, e Event) error {
	e.Turn, e.Replayed = r.turn, r.replayed
	e.log(ctx, r.options.Logger)
	if !r.yield(e, nil) {
		r.broken = true
		return errBreak
	}
	return nil
}

func (r *loop) last(ctx context.Context, e Event, err error) {
	e.Turn = r.turn
	e.log(ctx, r.options.Logger)
	r.yield(e, err)
}

func (r *loop) response() *AgentResponse {
	return &AgentResponse{ToolsUsed: r.used, Conversation: slices.Clip(r.conv), Usage: r.usage, Finish: r.finish, OutOfBudget: r.cut && r.finish == "length"}
}

// do is the loop.
func (r *loop) do(ctx context.Context, message runtime.Message) (*AgentResponse, error) {
	if isBlank(message.Content) {
		return nil, runtime.Errorf(runtime.KindValidation, "Empty user input")
	}
	message.Role = runtime.RoleUser
	r.conv = append(r.conv, message)
	for limit := r.options.MaxTurns; r.turn < limit; {
		response, err := r.ask(ctx, r.agent.Tools)
		if err != nil {
			return nil, err
		}
		if len(response.Calls) > 0 {
			if err := r.runCalls(ctx, response); err != nil {
				return nil, err
			}
			continue
		}
		if done, err := r.accept(response); done != nil || err != nil {
			return done, err
		}
		limit++ // for the answer that was asked again
	}
	for r.options.OnLimit == FinalAnswer {
		response, err := r.ask(ctx, nil)
		if err != nil {
			return nil, err
		}
		if len(response.Calls) > 0 {
			break
		}
		if done, err := r.accept(response); done != nil || err != nil {
			return done, err
		}
	}
	return nil, &runtime.Error{Kind: runtime.KindTool, Err: ErrMaxTurns,
		Message: fmt.Sprintf("Maximum iteration limit reached: the model still wants tools after %d requests", r.turn)}
}

// ErrMaxTurns is the cause of the error of a message that takes more requests than
// MaxTurns allows.
var ErrMaxTurns = errors.New("more requests than MaxTurns")

// ask sends the conversation to the model, shorter if it is too long for it.
func (r *loop) ask(ctx context.Context, tools []runtime.Contract) (*runtime.Response, error) {
	for q := (query{tools: tools}); ; {
		response, err := r.request(ctx, q)
		if err == nil || !isOverflow(err) {
			return response, err
		}
		switch r.remedyFor(&q) {
		case shorten:
			r.shortenResults()
			r.shortened = true
		case compact:
			q.compacted = true
			if err := r.compact(ctx, err); err != nil {
				return nil, err
			}
		default:
			return nil, err
		}
	}
}

// A query is what a request is for: the next message, or the summary of old ones.
type query struct {
	tools []runtime.Contract // that the next message may call
	old   []runtime.Message  // to summarise; nil for the next message

	compacted bool // the conversation was compacted for this query
}

func (q *query) isSummary() bool { return q.old != nil }

// newRequest returns the request for a query.
func (r *loop) newRequest(q *query) *runtime.Request {
	if q.isSummary() {
		return r.summaryRequest(q.old)
	}
	request := &runtime.Request{
		Model: r.servingOrFallback().ID, Instruction: r.agent.Instruction, Messages: slices.Clip(r.conv), Tools: q.tools,
		Temperature: r.agent.Temperature, MaxTokens: r.agent.MaxTokens,
	}
	if len(r.agent.Returns) > 0 {
		request.Output = runtime.Output{Name: r.agent.Name, Schema: r.agent.Returns}
	}
	return request
}

// sendOrReplay returns the response to a query.
func (r *loop) sendOrReplay(ctx context.Context, q query) (*runtime.Response, error) {
	if r.options.Steps != nil {
		return r.askStep(ctx, q)
	}
	return r.send(ctx, &q)
}

// send sends the request for a query.
func (r *loop) send(ctx context.Context, q *query) (*runtime.Response, error) {
	if r.turn == 0 {
		if err := r.skipWaiting(ctx); err != nil {
			return nil, err
		}
	}
	request := r.newRequest(q)
	held, err := r.admit(request)
	if err != nil {
		return nil, err
	}
	if !q.isSummary() {
		r.turn++
		if err := r.emit(ctx, Event{Kind: EventRequest, Request: request}); err != nil {
			held.drop()
			return nil, err
		}
	}
	if r.outcome != nil {
		r.outcome.sent(request)
	}
	r.silent = q.isSummary()
	return r.generateOrFallBack(ctx, request, held)
}

// request sends the conversation to the model as it is.
func (r *loop) request(ctx context.Context, q query) (*runtime.Response, error) {
	if err := stoppedRun(ctx); err != nil {
		return nil, err
	}
	response, err := r.sendOrReplay(ctx, q)
	if err != nil {
		return nil, err
	}
	r.finish = response.Finish
	if err := r.emit(ctx, Event{Kind: EventResponse, Response: response}); err != nil {
		return nil, err
	}
	switch {
	case strings.HasPrefix(response.Finish, "content_filter"): // Google adds a reason
		return nil, runtime.Errorf(runtime.KindContentFilter, "a content filter stopped the answer%s", filterReason(response.Content+response.Refusal))
	case len(response.Calls) > 0 && len(r.agent.Tools) == 0:
		return nil, runtime.Errorf(runtime.KindUnexpectedToolCall,
			"LLM requested tool '%s' but agent has no tools configured", validCallName(response.Calls[0].Name))
	}
	return response, nil
}

// admit refuses a request that does not fit its model or a budget. What it can take
// is put aside.
func (r *loop) admit(request *runtime.Request) (*hold, error) {
	if err := r.facts[r.fallen].overflow(request); err != nil {
		return nil, err
	}
	return r.holdFor(request)
}

// accept turns a response without calls into the answer of the run. It returns
// nil and no error when the model is asked again.
func (r *loop) accept(response *runtime.Response) (*AgentResponse, error) {
	switch {
	case !isBlank(answerWithoutThoughts(response.Content)):
		r.conv = append(r.conv, assistantMessage(response, nil))
		content, err := r.answerContent(response)
		if content == "" {
			return nil, err
		}
		answer := r.response()
		answer.Content = content
		return answer, nil
	case !isBlank(response.Refusal):
		return nil, runtime.Errorf(runtime.KindContentFilter, "LLM refused to answer: %s", response.Refusal)
	case response.Finish == "model_context_window_exceeded": // Anthropic
		return nil, runtime.Errorf(runtime.KindContextOverflow, "the conversation left no room for an answer")
	case !r.repeated:
		r.repeated = true
		r.conv = append(r.conv, runtime.UserMessage("Error: the answer was empty. Answer again, in the content of the message."))
		return nil, nil
	case response.Finish == "" || response.Finish == "stop":
		return nil, runtime.Errorf(runtime.KindLLMAPI, "LLM returned empty response")
	}
	return nil, runtime.Errorf(runtime.KindLLMAPI, "LLM returned empty response (it finished with %q)", response.Finish)
}

// assistantMessage returns a response as it stands in the conversation.
func assistantMessage(response *runtime.Response, calls []runtime.Call) runtime.Message {
	m := runtime.AssistantMessage(response.Content, calls)
	m.Extra = response.Extra
	return m
}

// filterReason returns a reason for the end of a message.
func filterReason(reason string) string {
	if isBlank(reason) {
		return ""
	}
	return ": " + cutResult(reason)
}

// stoppedRun returns the error of a run whose context has ended.
func stoppedRun(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		var own *runtime.Error // that of the agent's timeout
		if errors.As(context.Cause(ctx), &own) {
			return own
		}
		return fmt.Errorf("the run was stopped: %w", err)
	}
	return nil
}

// modelError returns a failure of a model as a *runtime.Error, or the error of
// a run that was stopped.
func modelError(ctx context.Context, err error) error {
	if stop := stoppedRun(ctx); stop != nil {
		return stop
	}
	var known *runtime.Error
	if errors.As(err, &known) || errors.Is(err, errBreak) {
		return err
	}
	return runtime.Errorf(runtime.KindLLMAPI, "%w", err)
}

func (r *loop) maxFailures(tool *runtime.Tool) int {
	if tool.Config().NoRetry {
		return 1
	}
	return r.options.MaxAttempts
}
