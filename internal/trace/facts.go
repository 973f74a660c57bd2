package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/runtime"
)

// A total is what runs have taken.
type total struct {
	runs, requests, calls int
	usage                 runtime.Usage
	cost                  float64
	unpriced              int // requests and summaries
	time                  time.Duration
}

func (t *Trace) total() (sum total) {
	for _, r := range t.runs {
		sum.add(r.total())
	}
	return sum
}

func (s *total) add(o total) {
	s.runs, s.requests, s.calls = s.runs+o.runs, s.requests+o.requests, s.calls+o.calls
	s.usage, s.cost, s.unpriced = s.usage.Add(o.usage), s.cost+o.cost, s.unpriced+o.unpriced
	s.time = min(s.time+o.time, forever)
}

func (r *run) total() total {
	sum := total{runs: 1, time: between(r.message, r.last())}
	for _, s := range r.steps {
		spent := s.note
		if s.request != nil {
			sum.requests++
			sum.calls += len(s.request.calls)
			spent = s.request.answered
		} else if spent.Event != eventCompacted {
			continue
		}
		if spent == nil || spent.Cost == nil {
			sum.unpriced++
		} else {
			sum.cost += max(*spent.Cost, 0)
		}
		if spent != nil {
			sum.usage = sum.usage.Add(spent.Usage)
		}
	}
	return sum
}

// last returns the last line of a run.
func (r *run) last() *line {
	if r.end != nil {
		return r.end
	}
	last := r.message
	for _, s := range r.steps {
		if s.request == nil {
			last = s.note
			continue
		}
		last = s.request.asked
		for _, l := range s.request.fallbacks {
			last = l
		}
		if s.request.answered != nil {
			last = s.request.answered
		}
		for _, c := range s.request.calls {
			last = c.started
			if c.finished != nil {
				last = c.finished
			}
		}
	}
	return last
}

func (s *total) facts() []string {
	facts := []string{visible.Counted(s.requests, "request"), visible.Counted(s.calls, "call")}
	if s.runs > 1 {
		facts = append([]string{visible.Counted(s.runs, "turn")}, facts...)
	}
	facts = append(facts, usageFacts(s.usage)...)
	if s.cost > 0 {
		text := dollars(s.cost)
		if s.unpriced > 0 {
			text += fmt.Sprintf(" and %s of unknown price", visible.Counted(s.unpriced, "request"))
		}
		facts = append(facts, text)
	}
	return append(facts, visible.Duration(s.time))
}

func usageFacts(u runtime.Usage) []string {
	if u.Input <= 0 && u.Output <= 0 {
		return nil
	}
	in := visible.Number(max(u.Input, 0)) + " tokens in"
	if u.CacheRead > 0 {
		in += " (" + visible.Number(u.CacheRead) + " cached)"
	}
	out := visible.Number(max(u.Output, 0)) + " out"
	if u.Reasoning > 0 {
		out += " (" + visible.Number(u.Reasoning) + " reasoning)"
	}
	return []string{in, out}
}

// spentFacts are what a response or a summary has taken.
func (l *line) spentFacts() []string {
	facts := usageFacts(l.Usage)
	if l.Cost != nil && *l.Cost > 0 {
		facts = append(facts, dollars(*l.Cost))
	}
	if l.Attempts > 1 {
		facts = append(facts, visible.Counted(l.Attempts, "attempt"))
	}
	if l.Lost > 0 {
		facts = append(facts, visible.Counted(l.Lost, "attempt")+" of unknown cost")
	}
	return facts
}

func (r *request) facts() []string {
	var facts []string
	if a := r.answered; a != nil {
		facts = append(facts, visible.Duration(between(r.asked, a)))
		if a.FirstToken > 0 {
			facts = append(facts, "first token after "+visible.Duration(duration(a.FirstToken)))
		}
		facts = append(facts, a.spentFacts()...)
	}
	facts = append(facts, r.contextFacts()...)
	switch a := r.answered; {
	case a == nil:
		facts = append(facts, "no response")
	case a.Finish != "" && a.Finish != "stop" && a.Finish != "tool_calls":
		facts = append(facts, "finish: "+a.Finish)
	}
	return facts
}

// contextFacts say how much a request sends.
func (r *request) contextFacts() []string {
	c := r.asked.Context
	if c == nil {
		return nil
	}
	text := fmt.Sprintf("context: %s, %s", visible.Counted(c.Messages, "message"), visible.Size(max(c.Bytes, 0)))
	if r.answered != nil && c.Limit > 0 && r.answered.Usage.Input > 0 {
		text += fmt.Sprintf(", %.1f %% full", 100*float64(r.answered.Usage.Input)/float64(c.Limit))
	}
	return []string{text}
}

// args returns the arguments of a call: those of the model, which need not be JSON, once it
// has finished.
func (c *call) args() string {
	if c.finished != nil && c.finished.Invocation != nil {
		return compact(c.finished.Invocation.Args)
	}
	return compact(c.started.Args)
}

// outcome returns the result of a call or else its error.
func (c *call) outcome() (text string, failed bool) {
	switch {
	case c.finished == nil:
		return "no result", true
	case c.finished.Invocation == nil:
		return "null", false
	case c.finished.Invocation.Result.Error != nil:
		return *c.finished.Invocation.Result.Error, true
	}
	return compact(c.finished.Invocation.Result.Success), false
}

func (c *call) facts() []string {
	var facts []string
	if a := c.approval; a != nil {
		word := "not allowed"
		if a.Allowed != nil && *a.Allowed {
			word = "allowed"
		}
		facts = append(facts, word+" after "+visible.Duration(duration(a.Millis)))
	}
	if t := c.time(); t > 0 {
		facts = append(facts, visible.Duration(t))
	}
	return facts
}

// time returns how long the tool took.
func (c *call) time() time.Duration {
	switch {
	case c.finished == nil:
		return 0
	case c.finished.Millis > 0 || c.approval != nil:
		return duration(c.finished.Millis)
	}
	return between(c.started, c.finished)
}

func (l *line) noteText() string {
	why := ""
	if l.Error != nil {
		why = ": " + l.Error.Message
	}
	if l.Event == eventFallback {
		return "fallback to " + l.Model + why
	}
	return fmt.Sprintf("compacted %s into a summary", visible.Counted(l.Messages, "message"))
}

func (f *Failure) text() string {
	if f == nil {
		return "the run was stopped"
	}
	if f.Kind == "" {
		return f.Message
	}
	return f.Kind + ": " + f.Message
}

// notes say what of the file is not shown.
func (t *Trace) notes() (notes []string) {
	if t.unreadable > 0 {
		notes = append(notes, fmt.Sprintf("%s could not be read, the first is line %d", visible.Counted(t.unreadable, "line"), t.first))
	}
	if t.cut {
		notes = append(notes, "the last line is cut off")
	}
	if t.leftOut {
		notes = append(notes, fmt.Sprintf("the trace is too long: only its first %s are shown", visible.Counted(t.events-1, "event")))
	}
	return notes
}

// compact returns JSON on one line.
func compact(value json.RawMessage) string {
	var text bytes.Buffer
	if json.Compact(&text, value) != nil {
		return string(value)
	}
	return text.String()
}

// Limits on times, so that their sums are right whatever a trace says.
const (
	longest = 1000 * 24 * time.Hour // of one run or step
	forever = 100 * longest
)

// duration returns milliseconds of a trace, which may be anything.
func duration(ms float64) time.Duration {
	if !(ms > 0) {
		return 0
	}
	return time.Duration(min(ms*float64(time.Millisecond), float64(longest)))
}

// dollars returns an amount of US dollars of a trace, which may be anything.
func dollars(amount float64) string {
	return models.Money(min(amount, 1_000_000) * float64(models.Dollar)).String()
}
