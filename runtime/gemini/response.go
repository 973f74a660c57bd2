package gemini

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// A reading is what is known of a response while it arrives, in one piece or in
// chunks.
type reading struct {
	*plan
	yield modelhttp.Yield // nil for a response in one piece

	size      int  // bytes of its parts
	begun     bool // there was a candidate, or the reason why there is none
	content   strings.Builder
	reasoning strings.Builder
	calls     []runtime.Call
	answer    json.RawMessage // the arguments of the tool that takes the answer
	parts     []keptPart
	keep      bool // one of the parts must come back unchanged
	finish    string
	why       string // more about the finish
	usage     usageMetadata
}

// A keptPart is a part as it came, or a piece of the content: several pieces
// without a signature count as one.
type keptPart struct {
	raw      json.RawMessage
	from, to int // in the content, where raw is nil
}

// add reads a response, or the next chunk. Its error is that of yield, or a
// [*modelhttp.Fault] if the response is too large.
func (r *reading) add(in *generateResponse) error {
	if in.Usage != (usageMetadata{}) {
		r.usage = in.Usage // of the response so far
	}
	if reason := in.Feedback.Reason; reason != "" {
		r.begun, r.finish, r.why = true, reason, in.Feedback.Message
	}
	if len(in.Candidates) == 0 {
		return nil
	}
	r.begun = true
	c := &in.Candidates[0]
	for i := range c.Content.Parts {
		if r.size += len(c.Content.Parts[i].raw); r.size > modelhttp.MaxResponse {
			return modelhttp.LargeFault()
		}
		if err := r.addPart(&c.Content.Parts[i]); err != nil {
			return err
		}
	}
	if c.Finish != "" {
		r.finish, r.why = c.Finish, c.Message
	}
	return nil
}

// addPart reads one part.
func (r *reading) addPart(p *receivedPart) error {
	switch {
	case p.Call != nil:
		r.keepPart(p.raw, p.Signature != "" || p.Call.ID != "")
		return r.addCall(p.Call)
	case p.Thought:
		if p.Signature != "" {
			r.keepPart(p.raw, true)
		}
		r.reasoning.WriteString(p.Text)
		return r.deliver(runtime.Delta{Kind: runtime.DeltaReasoning, Text: p.Text})
	case p.Signature != "":
		r.keepPart(p.raw, true)
	case p.Text == "":
		return nil
	default:
		r.keepText(len(p.Text))
	}
	r.content.WriteString(p.Text)
	return r.deliver(runtime.Delta{Kind: runtime.DeltaText, Text: p.Text})
}

// addCall reads a call.
func (r *reading) addCall(c *functionCall) error {
	if r.plan.answer.Takes(c.Name) {
		r.answer = c.Args
		return nil
	}
	call := runtime.Call{ID: c.ID, Name: r.tools.Own(c.Name), Args: c.Args}
	r.calls = append(r.calls, call)
	i := len(r.calls) - 1
	if err := r.deliver(runtime.Delta{Kind: runtime.DeltaCall, Call: i, Name: call.Name}); err != nil {
		return err
	}
	return r.deliver(runtime.Delta{Kind: runtime.DeltaArguments, Call: i, Text: string(call.Args)})
}

func (r *reading) deliver(d runtime.Delta) error {
	if r.yield == nil || d.Text == "" && d.Kind != runtime.DeltaCall {
		return nil
	}
	return r.yield(d)
}

// keepPart adds a part as it came.
func (r *reading) keepPart(raw json.RawMessage, unchanged bool) {
	r.keep = r.keep || unchanged
	r.parts = append(r.parts, keptPart{raw: raw})
}

// keepText adds the next n bytes of the content.
func (r *reading) keepText(n int) {
	from := r.content.Len()
	if last := len(r.parts) - 1; last >= 0 && r.parts[last].raw == nil {
		r.parts[last].to += n
		return
	}
	r.parts = append(r.parts, keptPart{from: from, to: from + n})
}

// response returns the whole response.
func (r *reading) response() (*runtime.Response, error) {
	out := &runtime.Response{
		Content: r.content.String(), Reasoning: r.reasoning.String(), Calls: r.calls,
		Usage: r.usage.runtime(), Extra: r.extra(),
	}
	switch {
	case filtersResponse(r.finish), isMalformedResponse(strings.ToLower(r.finish)): // what came before is not used
		out.Calls, out.Extra, out.Refusal = nil, nil, r.finish
		if out.Finish = "content_filter"; !filtersResponse(r.finish) {
			out.Finish = strings.ToLower(r.finish)
		}
		if r.why != "" {
			out.Refusal += ": " + r.why
		}
		return out, nil
	case r.finish == "MAX_TOKENS":
		out.Finish = "length"
	case len(out.Calls) > 0:
		out.Finish = "tool_calls" // Gemini says STOP
	default:
		out.Finish = strings.ToLower(r.finish)
	}
	if r.answer != nil && len(out.Calls) == 0 && out.Finish != "length" {
		out.Content = string(r.answer)
		r.plan.answer.restore(out)
		return out, r.deliver(runtime.Delta{Kind: runtime.DeltaText, Text: out.Content})
	}
	r.plan.answer.restore(out)
	return out, nil
}

// filtersResponse reports whether a reason to stop is that of a filter:
// https://ai.google.dev/api/generate-content, "FinishReason" and "BlockReason".
func filtersResponse(reason string) bool {
	return slices.Contains([]string{
		"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "MODEL_ARMOR", "JAILBREAK",
		"IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION",
	}, reason)
}

// isMalformedResponse reports whether a response ended with a call that nobody can read, or
// of a tool that does not exist. The next attempt is usually better.
func isMalformedResponse(finish string) bool {
	return slices.Contains([]string{"malformed_function_call", "unexpected_tool_call", "malformed_response"}, finish)
}

// extra returns what must come back unchanged.
func (r *reading) extra() json.RawMessage {
	if !r.keep {
		return nil
	}
	kept := keptMessage{Model: r.model, Parts: make([]receivedPart, len(r.parts))}
	for i, p := range r.parts {
		if kept.Parts[i].raw = p.raw; p.raw == nil {
			kept.Parts[i].raw = textPart(r.content.String()[p.from:p.to])
		}
	}
	text, err := plainjson.Marshal(map[string]keptMessage{r.provider: kept})
	if err != nil {
		panic("gemini: " + err.Error()) // parts that were read
	}
	return text
}

// runtime returns the counts. Thoughts are part of the output, and what the
// provider's own tools read is part of the input.
func (u *usageMetadata) runtime() runtime.Usage {
	sum := func(a, b count) int64 {
		return runtime.Usage{Total: int64(a)}.Add(runtime.Usage{Total: int64(b)}).Total
	}
	out := runtime.Usage{
		Input: sum(u.Prompt, u.ToolPrompt), Output: sum(u.Answer, u.Thoughts), Total: int64(u.Total),
		CacheRead: int64(u.Cached), Reasoning: int64(u.Thoughts),
	}
	if out.Total == 0 {
		out.Total = sum(count(out.Input), count(out.Output))
	}
	return out
}

// readableResponse returns the response of ask, which it calls again, once and after restart, if the
// model made a call that cannot be read. Such a response was paid for.
func readableResponse(r *runtime.Request, ask func() (*runtime.Response, error), restart func() error) (*runtime.Response, error) {
	first, err := ask()
	if err != nil || !isMalformedResponse(first.Finish) {
		return first, err
	}
	before := runtime.Attempts{Sent: max(first.Attempts.Sent, 1), Lost: first.Attempts.Lost}
	paid := runtime.Attempts{Sent: before.Sent, Lost: before.Lost + 1}
	if err := r.SendAgain(paid); err != nil {
		return nil, countAttemptsBefore(err, paid)
	}
	if err := restart(); err != nil {
		return nil, err
	}
	second, err := ask()
	if err != nil {
		return nil, countAttemptsBefore(err, paid)
	}
	second.Attempts.Sent = max(second.Attempts.Sent, 1)
	if isMalformedResponse(second.Finish) {
		second.Attempts.Lost++
		return nil, countAttemptsBefore(runtime.Errorf(runtime.KindLLMAPI, "the model made an invalid call of a tool, twice (%s)",
			excerpt.Printable(second.Refusal, 200)), paid.Add(second.Attempts))
	}
	second.Usage = first.Usage.Add(second.Usage)
	second.Attempts = before.Add(second.Attempts)
	return second, nil
}

// countAttemptsBefore adds the attempts before an error to it.
func countAttemptsBefore(err error, before runtime.Attempts) error {
	var known *runtime.Error
	if errors.As(err, &known) {
		known.Attempts = known.Attempts.Add(before)
	}
	return err
}
