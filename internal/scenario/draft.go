package scenario

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A Draft makes a test of a conversation that happened: the model says what it said, and the
// tools return and fail as they did.
type Draft struct {
	Name   string // of the test
	Import string // the file of the agent, as a path from that of the test
	Agent  *interp.Agent

	out     strings.Builder
	calls   map[string]int             // so far, by tool
	results map[string][]draftedResult // of the whole conversation, by tool
	written map[string]bool            // tools whose only result is written
}

// A drafted is a turn with an answer.
type drafted struct {
	message   string
	responses []runtime.Message
	calls     []draftedCall
}

// A draftedCall is a call of a tool of the agent.
type draftedCall struct {
	runtime.Call
	fits   bool            // the arguments are those of the tool, so that it ran
	result json.RawMessage // nil if it failed
	fault  string          // why it failed; "" if that follows from the call itself
}

type draftedResult struct{ args, is json.RawMessage }

// Text returns the test as gram text. Notes say what of the conversation is not in it.
func (d *Draft) Text(conversation runtime.Conversation) (text string, notes []string, err error) {
	turns, notes := d.turns(conversation)
	if len(turns) == 0 {
		return "", nil, errors.New("there is no message with an answer")
	}
	d.calls, d.results, d.written = map[string]int{}, map[string][]draftedResult{}, map[string]bool{}
	for i := range turns {
		more, err := d.readCalls(&turns[i])
		if err != nil {
			return "", nil, err
		}
		notes = append(notes, more...)
	}
	fmt.Fprintf(&d.out, "{import: [%s]}\n\n[%s:Test {agent: %s} |\n", quoted(d.Import), d.Name, quoted(d.Agent.Name))
	for i := range turns {
		if i > 0 {
			d.out.WriteString(",\n\n")
		}
		d.writeTurn(&turns[i])
	}
	d.out.WriteString("\n]\n")
	return d.out.String(), notes, nil
}

// corrections begin the messages by which a run asks the model for its answer again.
const corrections = "Error: the answer "

// turns returns the messages with an answer, and notes the others.
func (d *Draft) turns(conversation runtime.Conversation) (turns []drafted, notes []string) {
	for i := range conversation {
		m := conversation[i]
		switch {
		case m.Role == runtime.RoleUser && len(turns) > 0 && strings.HasPrefix(m.Content, corrections):
		case m.Role == runtime.RoleUser:
			turns = append(turns, drafted{message: m.Content})
			if len(m.Attachments) > 0 {
				notes = append(notes, fmt.Sprintf("the attachments of the message %q are left out", excerpt.Short(m.Content, 60)))
			}
		case len(turns) == 0:
		case m.Role == runtime.RoleAssistant:
			turn := &turns[len(turns)-1]
			turn.responses = append(turn.responses, m)
		case m.Role == runtime.RoleTool:
			turn := &turns[len(turns)-1]
			turn.calls = append(turn.calls, draftedOf(turn.responses, m))
		}
	}
	return slices.DeleteFunc(turns, func(t drafted) bool {
		answered := len(t.responses) > 0 && d.isAnswer(&t.responses[len(t.responses)-1])
		if !answered {
			notes = append(notes, fmt.Sprintf("the message %q has no answer, and is left out", excerpt.Short(t.message, 60)))
		}
		return !answered
	}), notes
}

// isAnswer reports whether a response ends its turn.
func (d *Draft) isAnswer(m *runtime.Message) bool {
	switch {
	case len(m.Calls) > 0:
		return false
	case len(d.Agent.Returns) == 0:
		return true
	case !json.Valid([]byte(m.Content)):
		return strings.ContainsAny(m.Content, "{[") // the answer may stand in other text
	}
	schema, err := runtime.CompileSchema(d.Agent.Returns)
	return err != nil || schema.Validate([]byte(m.Content)) == nil
}

// draftedOf returns the call that a result is of.
func draftedOf(responses []runtime.Message, result runtime.Message) draftedCall {
	for _, r := range slices.Backward(responses) {
		for _, c := range r.Calls {
			if c.ID == result.CallID {
				return resultOf(draftedCall{Call: c}, result)
			}
		}
	}
	return resultOf(draftedCall{Call: runtime.Call{ID: result.CallID, Name: result.ToolName}}, result)
}

// repetition begins the note of a run below a result that came again.
const repetition = "\n[The same call had the same result "

// resultOf reads a result without what a run adds to it for the model.
func resultOf(c draftedCall, m runtime.Message) draftedCall {
	text, _, _ := strings.Cut(m.Content, repetition)
	if rest, edited := strings.CutPrefix(text, "[The user changed the arguments to "); edited {
		_, text, _ = strings.Cut(rest, "]\n")
	}
	if m.Failed {
		c.fault = cmp.Or(strings.TrimPrefix(text, "Error: "), "the tool failed")
	} else {
		c.result = json.RawMessage(text)
	}
	return c
}

// readCalls compares the calls of a turn with the tools of the agent.
func (d *Draft) readCalls(t *drafted) (notes []string, err error) {
	for i := range t.calls {
		c := &t.calls[i]
		tool := d.tool(c.Name)
		if tool == nil {
			notes = append(notes, fmt.Sprintf("the call of %s is left out: the agent has no such tool", excerpt.Printable(c.Name, 60)))
			continue
		}
		schema, err := runtime.CompileSchema(tool.Input)
		if err != nil {
			return nil, fmt.Errorf("the parameters of %s: %w", tool.Name, err)
		}
		if c.fits = schema.ValidateArgs(c.Args) == nil; !c.fits || followsFromCalls(c.fault) {
			c.fault = "" // it happens again by itself
		}
		if c.result == nil {
			continue
		}
		if c.result, err = resultAs(tool, string(c.result)); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(d.results[c.Name], func(r draftedResult) bool { return bytes.Equal(r.args, c.Args) && bytes.Equal(r.is, c.result) }) {
			d.results[c.Name] = append(d.results[c.Name], draftedResult{c.Args, c.result})
		}
	}
	return notes, nil
}

// followsFromCalls reports whether a run refuses a call by itself, without the tool.
func followsFromCalls(fault string) bool {
	return strings.HasPrefix(fault, "not run: at most ") || strings.HasPrefix(fault, "not run: the response was cut off") ||
		strings.HasPrefix(fault, "tool ") && strings.HasSuffix(fault, "; do not call it again")
}

func (d *Draft) tool(name string) *runtime.Contract {
	for i := range d.Agent.Tools {
		if d.Agent.Tools[i].Name == name {
			return &d.Agent.Tools[i]
		}
	}
	return nil
}

// resultAs returns the text of a result as a value of the type that the tool returns.
func resultAs(tool *runtime.Contract, text string) (json.RawMessage, error) {
	candidates := []json.RawMessage{json.RawMessage(text), plainjson.String(text)}
	if !tool.WantsMoreThanText() && len(tool.Output) > 0 {
		candidates = candidates[1:]
	}
	var fault error
	for _, value := range candidates {
		if !json.Valid(value) {
			continue
		}
		if len(tool.Output) == 0 {
			return value, nil
		}
		schema, err := runtime.CompileSchema(tool.Output)
		if err == nil {
			err = schema.Validate(value)
		}
		if err == nil {
			return value, nil
		}
		if fault == nil {
			fault = err
		}
	}
	return nil, fmt.Errorf("a result of %s does not fit its type, perhaps since it was shortened for the model: %w", tool.Name, fault)
}

func (d *Draft) writeTurn(t *drafted) {
	steps := []string{"[:User {text: " + quoted(t.message) + "}]"}
	steps = append(steps, d.resultSteps(t)...)
	steps = append(steps, d.faultSteps(t)...)
	for i := range t.responses {
		if step := d.modelStep(&t.responses[i], i == len(t.responses)-1, t); step != "" {
			steps = append(steps, step)
		}
	}
	steps = append(steps, d.expectSteps(t)...)
	d.out.WriteString("  " + strings.Join(steps, ",\n  "))
}

// resultSteps say what the tools return from this turn on.
func (d *Draft) resultSteps(t *drafted) (steps []string) {
	last := map[string]draftedCall{} // by tool and arguments
	for _, c := range t.calls {
		if c.result != nil {
			last[c.Name+"\x00"+string(c.Args)] = c
		}
	}
	// Those with fewer arguments come first: later ones win where both fit.
	keys := slices.SortedFunc(maps.Keys(last), func(a, b string) int {
		x, y := last[a], last[b]
		return cmp.Or(cmp.Compare(len(membersOf(x.Args)), len(membersOf(y.Args))), strings.Compare(a, b))
	})
	for _, key := range keys {
		c := last[key]
		alone := !slices.ContainsFunc(d.results[c.Name], func(r draftedResult) bool { return !bytes.Equal(r.is, c.result) })
		if alone && d.written[c.Name] {
			continue
		}
		d.written[c.Name] = true
		step := "[:Result {tool: " + quoted(c.Name) + ", is: " + literal(c.result)
		if !alone && len(membersOf(c.Args)) > 0 {
			step += ", with: " + literal(c.Args)
		}
		steps = append(steps, step+"}]")
	}
	return steps
}

// faultSteps say which calls fail, equal ones in a row together.
func (d *Draft) faultSteps(t *drafted) (steps []string) {
	var faults []draftedCall
	times := map[int]int{}
	for _, c := range t.calls {
		if c.fault == "" || d.tool(c.Name) == nil {
			continue
		}
		if n := len(faults); n > 0 && faults[n-1].Name == c.Name && faults[n-1].fault == c.fault {
			times[n-1]++
			continue
		}
		times[len(faults)] = 1
		faults = append(faults, c)
	}
	for i, c := range faults {
		kind := "error"
		message := ", message: " + quoted(c.fault)
		switch {
		case strings.HasPrefix(c.fault, "timed out after "):
			kind, message = "timeout", ""
		case strings.HasPrefix(c.fault, "not run: "):
			kind = "denied"
		}
		step := "[:Fault {tool: " + quoted(c.Name) + ", fails: " + kind + message
		if times[i] > 1 {
			step += fmt.Sprintf(", times: %d", times[i])
		}
		steps = append(steps, step+"}]")
	}
	return steps
}

// modelStep is a response of the model; "" if it had only calls that are left out.
func (d *Draft) modelStep(m *runtime.Message, last bool, t *drafted) string {
	var calls []string
	for _, c := range m.Calls {
		if d.tool(c.Name) == nil {
			continue
		}
		call := "call: " + quoted(c.Name)
		i := slices.IndexFunc(t.calls, func(made draftedCall) bool { return made.ID == c.ID })
		switch {
		case i >= 0 && !t.calls[i].fits:
			call += ", raw: " + quoted(string(c.Args))
		case len(membersOf(c.Args)) > 0:
			call += ", with: " + literal(c.Args)
		}
		calls = append(calls, call)
	}
	var parts []string
	switch {
	case strings.TrimSpace(m.Content) == "":
	case last && len(d.Agent.Returns) > 0 && json.Valid([]byte(m.Content)):
		parts = append(parts, "answer: "+literal(json.RawMessage(m.Content)))
	default:
		parts = append(parts, "text: "+quoted(m.Content))
	}
	switch len(calls) {
	case 0:
	case 1:
		parts = append(parts, calls[0])
	default:
		parts = append(parts, "calls: [{"+strings.Join(calls, "}, {")+"}]")
	}
	if len(parts) == 0 || len(m.Calls) > 0 && len(calls) == 0 {
		return ""
	}
	return "[:Model {" + strings.Join(parts, ", ") + "}]"
}

// expectSteps propose what must hold: which tools were called how often until now, that a
// failure was handled, and what stands out in the answer.
func (d *Draft) expectSteps(t *drafted) (steps []string) {
	var tools []string
	failed := map[string]bool{}
	for _, c := range t.calls {
		if d.tool(c.Name) == nil {
			continue
		}
		d.calls[c.Name]++
		failed[c.Name] = failed[c.Name] || c.result == nil
		if !slices.Contains(tools, c.Name) {
			tools = append(tools, c.Name)
		}
	}
	for _, name := range tools {
		steps = append(steps, fmt.Sprintf("[:Expect {called: %s, times: %d}]", quoted(name), d.calls[name]))
		if failed[name] {
			steps = append(steps, "[:Expect {handled: "+quoted(name)+"}]")
		}
	}
	answer := t.responses[len(t.responses)-1].Content
	if words := standOut(answer); len(words) > 0 && len(d.Agent.Returns) == 0 {
		text := quoted(words[0])
		if len(words) > 1 {
			list := make([]string, len(words))
			for i := range words {
				list[i] = quoted(words[i])
			}
			text = "[" + strings.Join(list, ", ") + "]"
		}
		steps = append(steps, "[:Expect {text: "+text+"}]")
	}
	return steps
}

// Limits on what is proposed of an answer.
const (
	maxWords = 3
	maxWord  = 60 // characters
)

// standOut returns up to three words with a digit, such as numbers of orders, or else the
// beginning of the first line.
func standOut(answer string) (words []string) {
	edge := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, word := range strings.Fields(answer) {
		word = strings.TrimFunc(word, edge)
		if len(words) < maxWords && len([]rune(word)) >= 3 && len(word) <= maxWord && strings.ContainsFunc(word, unicode.IsDigit) && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if line := strings.TrimSpace(answer); len(words) == 0 && line != "" {
		line, _, _ = strings.Cut(line, "\n")
		words = append(words, strings.TrimSpace(excerpt.Runes(line, maxWord)))
	}
	return words
}

// quoted returns text as a string of gram.
func quoted(text string) string { return ast.Print(&ast.String{Text: text}) }

// isPlainName reports whether a name needs no quotes in gram.
func isPlainName(name string) bool {
	ok, _ := regexp.MatchString(`^[A-Za-z][A-Za-z0-9]*$`, name)
	return ok
}

// isPlainScalar reports whether JSON is an integer or a boolean, which gram writes alike.
func isPlainScalar(text string) bool {
	ok, _ := regexp.MatchString(`^(-?(0|[1-9][0-9]{0,14})|true|false)$`, text)
	return ok
}

// literal returns JSON as a value of gram: a map where it is flat, else tagged text.
func literal(value json.RawMessage) string {
	if text := plainValue(value); text != "" {
		return text
	}
	members := membersOf(value)
	flat := make([]string, 0, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if text := plainValue(members[name]); text != "" && isPlainName(name) {
			flat = append(flat, name+": "+text)
		}
	}
	if len(flat) > 0 && len(flat) == len(members) {
		return "{" + strings.Join(flat, ", ") + "}"
	}
	var compact bytes.Buffer
	if json.Compact(&compact, value) != nil {
		return quoted(string(value))
	}
	return ast.Print(&ast.Tagged{Tag: "json", Text: compact.String()})
}

// plainValue returns a string, an integer or a boolean as gram has it; "" for other values.
func plainValue(value json.RawMessage) string {
	text := strings.TrimSpace(string(value))
	var content string
	switch {
	case isPlainScalar(text):
		return text
	case strings.HasPrefix(text, `"`) && json.Unmarshal(value, &content) == nil:
		return quoted(content)
	}
	return ""
}

// membersOf returns the members of an object; nil if it is none.
func membersOf(value json.RawMessage) (members map[string]json.RawMessage) {
	if json.Unmarshal(value, &members) != nil {
		return nil
	}
	return members
}
