package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/scenario"
	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/runtime"
)

// A checker compares a conversation with what is expected of it, after a turn.
type checker struct {
	*run
	turns []*session.Turn
	at    int // the turn
	step  *ast.Pattern

	expectsError bool // of the turn; if not, an error is a failure of its own
}

func (c *checker) failf(format string, args ...any) {
	c.fail(c.at, c.step, fmt.Sprintf(format, args...))
}

// calls returns the calls of tools up to now, in their order.
func (c *checker) calls() (list []*runtime.Invocation) {
	for _, t := range c.turns {
		for i := range t.Steps {
			if call := t.Steps[i].Invocation; call != nil {
				list = append(list, call)
			}
		}
	}
	return list
}

func (c *checker) callsOf(tool string) []*runtime.Invocation {
	return slices.DeleteFunc(c.calls(), func(i *runtime.Invocation) bool { return i.Tool != tool })
}

// check reports what does not hold of an expectation.
func (c *checker) check(ctx context.Context, e *scenario.Expect) {
	c.step = e.Step
	c.checkCalls(e)
	c.checkEnd(e)
	c.checkLimits(e)
	if e.Result != "" {
		c.checkResults(e)
	} else if c.err == nil {
		for _, problem := range textProblems(e, c.answer.Content, c.answer.Content) {
			c.failf("%s", problem)
		}
	} else if c.expectsError && e.Fails == "" && (len(e.Texts) > 0 || e.Equals != "" || e.Pattern != "" || e.Is != nil) {
		c.failf("there is no answer: %s", errorText(c.err))
	}
	if e.Rubric != "" && c.err == nil {
		c.judge(ctx, e)
	}
}

// textProblems returns why a text is not what is expected, or the part of it that is
// meant; nil if it is. Value is the same as JSON, of which a text is one in quotes.
func textProblems(e *scenario.Expect, whole, value string) (problems []string) {
	text, what := whole, "the answer"
	if e.Result != "" {
		what = "the result of " + e.Result
	}
	if e.Path != "" && e.From == "" {
		part, ok := partAt(whole, e.Path)
		if !ok {
			return []string{fmt.Sprintf("%s has no part %s; it is %s", what, e.Path, shortJSON(whole))}
		}
		if text, what = textOf(part), what+" at "+e.Path; e.Is != nil && !jsonschema.Equal(part, parsed(e.Is)) {
			return []string{fmt.Sprintf("%s is %s, not %s", what, shortJSON(part.Raw()), shortJSON(string(e.Is)))}
		}
	} else if e.Is != nil && e.Path == "" {
		if node := parsed([]byte(value)); node == nil || !jsonschema.Equal(node, parsed(e.Is)) {
			return []string{fmt.Sprintf("%s is %s, not %s", what, shortJSON(value), shortJSON(string(e.Is)))}
		}
	}
	has := func(s string) bool { return strings.Contains(text, s) }
	if missing := quotedIf(e.Texts, func(s string) bool { return !has(s) }); missing != "" {
		problems = append(problems, fmt.Sprintf("%s does not hold %s; it is %s", what, missing, short(text)))
	}
	if unwanted := quotedIf(e.Without, has); unwanted != "" {
		problems = append(problems, fmt.Sprintf("%s holds %s; it is %s", what, unwanted, short(text)))
	}
	if e.Equals != "" && text != e.Equals {
		problems = append(problems, fmt.Sprintf("%s is %s, not %s", what, short(text), short(e.Equals)))
	}
	if e.Pattern != "" && !matches(e.Pattern, text) {
		problems = append(problems, fmt.Sprintf("%s does not match %s; it is %s", what, e.Pattern, short(text)))
	}
	return problems
}

// quotedIf returns those of some texts for which a condition holds, in quotes and with
// commas between them.
func quotedIf(texts []string, is func(string) bool) string {
	var list []string
	for _, text := range texts {
		if is(text) {
			list = append(list, strconv.Quote(text))
		}
	}
	return strings.Join(list, ", ")
}

// checkResults reports a result that no call of a tool has returned.
func (c *checker) checkResults(e *scenario.Expect) {
	problems := []string{fmt.Sprintf("%s was never called", e.Result)}
	for _, call := range c.callsOf(e.Result) {
		if call.Err != nil {
			problems = []string{fmt.Sprintf("%s failed: %s", e.Result, short(call.Err.Message))}
			continue
		}
		if problems = textProblems(e, checkedResultText(call), string(call.Result)); len(problems) == 0 {
			return
		}
	}
	for _, problem := range problems {
		c.failf("%s", problem)
	}
}

// checkedResultText returns a result as text where it is one, as for a model.
func checkedResultText(call *runtime.Invocation) string {
	var text string
	if json.Unmarshal(call.Result, &text) == nil && len(call.Result) > 0 && call.Result[0] == '"' {
		return text
	}
	return string(call.Result)
}

func (c *checker) checkCalls(e *scenario.Expect) {
	switch {
	case e.Called != "":
		c.checkCalled(e)
	case e.Never != "":
		for _, call := range c.callsOf(e.Never) {
			if fits(e.With, call.Args) == "" {
				c.failf("%s was called with %s", e.Never, short(string(call.Args)))
				return
			}
		}
	}
	if len(e.Order) > 0 {
		c.checkOrder(e.Order)
	}
	if e.Handled != "" {
		failed := slices.ContainsFunc(c.callsOf(e.Handled), func(i *runtime.Invocation) bool { return i.Err != nil })
		switch {
		case !failed:
			c.failf("no call of %s failed", e.Handled)
		case c.err != nil && c.expectsError:
			c.failf("%s failed, and there is no answer: %s", e.Handled, errorText(c.err))
		}
	}
	if e.Asked != "" && !slices.Contains(c.asked, e.Asked) {
		why := ""
		if len(c.test.Libraries) == 0 {
			why = "; the test has no library, which says what needs approval"
		}
		c.failf("nobody was asked to approve a call of %s%s", e.Asked, why)
	}
}

func (c *checker) checkCalled(e *scenario.Expect) {
	all := c.callsOf(e.Called)
	var fitting []*runtime.Invocation
	nearest := ""
	for _, call := range all {
		if problem := fits(e.With, call.Args); problem == "" {
			fitting = append(fitting, call)
		} else {
			nearest = problem
		}
	}
	as := ""
	if len(e.With) > 0 {
		as = " as expected"
	}
	switch {
	case len(all) == 0:
		c.failf("%s was never called", e.Called)
		return
	case len(fitting) == 0:
		c.failf("%s was called %s, but not as expected: %s", e.Called, times(len(all)), nearest)
		return
	case e.Times > 0 && len(fitting) != e.Times:
		c.failf("%s was called %s%s, not %s", e.Called, times(len(fitting)), as, times(e.Times))
	}
	if e.Before != "" {
		calls := c.calls()
		at := slices.Index(calls, fitting[0])
		later := slices.IndexFunc(calls, func(i *runtime.Invocation) bool { return i.Tool == e.Before })
		if later >= 0 && later < at {
			c.failf("%s was called before %s", e.Before, e.Called)
		}
	}
	if e.From != "" {
		c.checkOrigin(e, fitting[0])
	}
}

// checkOrigin reports an argument that no earlier result has.
func (c *checker) checkOrigin(e *scenario.Expect, call *runtime.Invocation) {
	value := argument(call.Args, e.Argument)
	if value == nil {
		c.failf("the call of %s has no argument %s", e.Called, e.Argument)
		return
	}
	for _, earlier := range c.seenBefore(call) {
		if part, ok := partAt(string(earlier.Result), e.Path); ok && earlier.Tool == e.From && jsonschema.Equal(part, value) {
			return
		}
	}
	c.failf("the argument %s of %s is %s, which no earlier result of %s has%s", e.Argument, e.Called, shortJSON(value.Raw()), e.From, atPath(e.Path))
}

// seenBefore returns the calls whose results the model had when it made a call: those of
// earlier responses.
func (c *checker) seenBefore(call *runtime.Invocation) []*runtime.Invocation {
	var seen, latest []*runtime.Invocation
	for _, t := range c.turns {
		for i := range t.Steps {
			switch step := &t.Steps[i]; {
			case step.Call == nil: // a request
				seen, latest = append(seen, latest...), nil
			case step.Invocation == call:
				return seen
			case step.Invocation != nil:
				latest = append(latest, step.Invocation)
			}
		}
	}
	return seen
}

func atPath(path string) string {
	if path == "" {
		return ""
	}
	return " at " + path
}

func (c *checker) checkOrder(order []string) {
	next := 0
	for _, call := range c.calls() {
		if next < len(order) && call.Tool == order[next] {
			next++
		}
	}
	if next == len(order) {
		return
	}
	if next == 0 {
		c.failf("%s was not called", order[0])
		return
	}
	c.failf("%s was not called after %s", order[next], order[next-1])
}

// checkEnd compares how the last turn ended.
func (c *checker) checkEnd(e *scenario.Expect) {
	if e.Fails != "" {
		switch {
		case c.err == nil:
			c.failf("the run does not fail; the answer is %s", short(c.answer.Content))
		case !failsAs(c.err, e.Fails):
			c.failf("the run fails otherwise: %s", errorText(c.err))
		}
	}
	if e.Finish != "" && c.answer != nil && c.answer.Finish != e.Finish {
		c.failf("the model finished with %q, not %q", c.answer.Finish, e.Finish)
	}
	if e.Refused != nil {
		refused := errors.Is(c.err, &runtime.Error{Kind: runtime.KindContentFilter})
		switch {
		case *e.Refused && !refused && c.err != nil:
			c.failf("the model did not refuse; the run fails: %s", errorText(c.err))
		case *e.Refused && !refused:
			c.failf("the model did not refuse")
		case !*e.Refused && refused && c.expectsError:
			c.failf("the model refused: %s", c.err)
		}
	}
}

// checkLimits compares what the conversation took with the most that it may take.
func (c *checker) checkLimits(e *scenario.Expect) {
	var cost session.Cost
	var took time.Duration
	uncounted := 0 // responses
	for _, t := range c.turns {
		cost.Requests += t.Cost.Requests
		cost.Usage = cost.Usage.Add(t.Cost.Usage)
		cost.Price += t.Cost.Price
		cost.Unpriced += t.Cost.Unpriced
		took += t.Time
		for i := range t.Steps {
			if step := &t.Steps[i]; t.Err == nil && step.Call == nil && step.Time > 0 && step.Usage.Total == 0 {
				uncounted++
			}
		}
	}
	if e.Requests > 0 && cost.Requests > e.Requests {
		c.failf("%d requests were sent to the model; at most %d are expected", cost.Requests, e.Requests)
	}
	asked := c.test.Model == scenario.Live || c.test.Model == scenario.Recorded
	if e.Tokens > 0 {
		switch {
		case cost.Usage.Total > e.Tokens:
			c.failf("the conversation took %d tokens; at most %d are expected", cost.Usage.Total, e.Tokens)
		case asked && uncounted > 0:
			c.failf("the number of tokens is not known: the model does not count those of each response")
		}
	}
	if most := models.Money(e.Cost * float64(models.Dollar)); e.Cost > 0 {
		switch {
		case cost.Price > most:
			c.failf("the conversation cost %s; at most %s is expected", cost.Price, most)
		case cost.Unpriced > 0 && asked:
			c.failf("the cost is not known: there is no price of the model, or no count of tokens")
		}
	}
	if e.Seconds > 0 && took.Seconds() > e.Seconds {
		c.failf("the conversation took %s; at most %gs is expected", took.Round(time.Millisecond), e.Seconds)
	}
}

// fits returns why the arguments of a call are not those that are meant, "" if they are.
func fits(want scenario.Arguments, args json.RawMessage) string {
	for _, w := range want {
		value := argument(args, w.Name)
		switch {
		case value == nil:
			return fmt.Sprintf("there is no %s", w.Name)
		case w.Pattern != "" && !matches(w.Pattern, textOf(value)):
			return fmt.Sprintf("%s is %s, which does not match %s", w.Name, shortJSON(value.Raw()), w.Pattern)
		case w.Value != nil && !jsonschema.Equal(value, parsed(w.Value)):
			return fmt.Sprintf("%s is %s, not %s", w.Name, shortJSON(value.Raw()), shortJSON(string(w.Value)))
		}
	}
	return ""
}

// argument returns an argument of a call, nil when there is none.
func argument(args json.RawMessage, name string) *jsonschema.Node {
	if n := parsed(args); n != nil {
		return n.Get(name)
	}
	return nil
}

// parsed returns JSON as a tree, nil when it is none.
func parsed(text []byte) *jsonschema.Node {
	n, err := jsonschema.Read(text, nil)
	if err != nil {
		return nil
	}
	return n
}

// partAt returns the part of a JSON text that a JSON Pointer names.
func partAt(text, pointer string) (*jsonschema.Node, bool) {
	n := parsed([]byte(text))
	if n == nil || pointer == "" {
		return n, n != nil
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		if n = n.Child(jsonpointer.Key(token)); n == nil {
			return nil, false
		}
	}
	return n, true
}

func textOf(n *jsonschema.Node) string {
	if n.Kind == jsonschema.KindString {
		return n.Text()
	}
	return n.Raw()
}

func matches(pattern, text string) bool {
	re, err := regexp.Compile(pattern)
	return err == nil && re.MatchString(text)
}

func short(text string) string { return fmt.Sprintf("%q", excerpt.Short(text, 200)) }

// shortJSON returns a value as JSON on one line; what is no JSON as a text.
func shortJSON(value string) string {
	var line bytes.Buffer
	if json.Compact(&line, []byte(value)) != nil {
		return short(value)
	}
	return excerpt.Short(line.String(), 200)
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
