package runtime

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// miss returns the error for a request that was not recorded.
func (r *Replayer) miss(q *recordedRequest, parts map[string]json.RawMessage, key string) *Error {
	if len(r.exchanges) == 0 {
		return Errorf(KindReplay, "the recording has no responses of a model")
	}
	nearest, most, same := r.exchanges[0], -1, 0
	for _, x := range r.exchanges {
		if r.key(&x.Request, r.parts) == key {
			same++
		}
		if n := r.missLikeness(q, parts, x); n > most {
			nearest, most = x, n
		}
	}
	if same > 0 {
		return Errorf(KindReplay, "the recording has this request %s, and it is sent once more", missedCounted(same, "time"))
	}
	at := slices.Index(r.exchanges, nearest) + 1
	d := difference{was: &nearest.Request, is: q, wasParts: r.parts, isParts: parts}
	return Errorf(KindReplay, "this request is not in the recording; compared with request %d of it, %s", at, d.first())
}

// missLikeness returns how much a request has in common with a recorded one.
func (r *Replayer) missLikeness(q *recordedRequest, parts map[string]json.RawMessage, x *replayExchange) int {
	n := 0
	if q.Model == x.Request.Model {
		n++
	}
	same := func(a, b string) bool { return string(parts[a]) == string(r.parts[b]) }
	if same(q.Instruction, x.Request.Instruction) {
		n += 4
	}
	if slices.EqualFunc(q.Tools, x.Request.Tools, same) {
		n += 4
	}
	for i := range min(len(q.Messages), len(x.Request.Messages)) {
		if same(q.Messages[i], x.Request.Messages[i]) {
			n += 8
		}
	}
	n -= 4 * (max(len(q.Messages), len(x.Request.Messages)) - min(len(q.Messages), len(x.Request.Messages)))
	if !x.used {
		n += 2
	}
	return max(n, 0)
}

// A difference compares a recorded request with one that is sent.
type difference struct {
	was, is           *recordedRequest
	wasParts, isParts map[string]json.RawMessage
}

// first returns the first difference, in words.
func (d *difference) first() string {
	switch {
	case d.was.Model != d.is.Model:
		return fmt.Sprintf("the model is %s; it was %s", missedQuoted(d.is.Model), missedQuoted(d.was.Model))
	case d.text(d.was.Instruction, true) != d.text(d.is.Instruction, false):
		return "the instruction differs" + missedTextDifference(d.text(d.was.Instruction, true), d.text(d.is.Instruction, false))
	}
	if words := d.tools(); words != "" {
		return words
	}
	if words := d.messages(); words != "" {
		return words
	}
	switch {
	case string(d.wasParts[d.was.Output]) != string(d.isParts[d.is.Output]):
		return "the type of the answer differs"
	case d.was.MaxTokens != d.is.MaxTokens:
		return fmt.Sprintf("maxTokens is %d; it was %d", d.is.MaxTokens, d.was.MaxTokens)
	}
	return "the temperature differs"
}

func (d *difference) text(id string, was bool) string {
	parts := d.isParts
	if was {
		parts = d.wasParts
	}
	var text string
	if json.Unmarshal(parts[id], &text) != nil {
		return string(parts[id]) // of a hostile recording
	}
	return text
}

func (d *difference) tools() string {
	was, is := missedToolParts(d.was.Tools, d.wasParts), missedToolParts(d.is.Tools, d.isParts)
	for _, t := range is {
		i := slices.IndexFunc(was, func(o recordedTool) bool { return o.Name == t.Name })
		if i < 0 {
			return fmt.Sprintf("the tool %s is new", missedQuoted(t.Name))
		}
		if words := missedToolDifference(&was[i], &t); words != "" {
			return words
		}
	}
	for _, t := range was {
		if !slices.ContainsFunc(is, func(o recordedTool) bool { return o.Name == t.Name }) {
			return fmt.Sprintf("the tool %s is gone", missedQuoted(t.Name))
		}
	}
	if !slices.EqualFunc(was, is, func(a, b recordedTool) bool { return a.Name == b.Name }) {
		return "the tools are in another order"
	}
	return ""
}

func missedToolParts(ids []string, parts map[string]json.RawMessage) []recordedTool {
	list := make([]recordedTool, len(ids))
	for i, id := range ids {
		_ = json.Unmarshal(parts[id], &list[i]) // what is no tool has no name
	}
	return list
}

func missedToolDifference(was, is *recordedTool) string {
	name := missedQuoted(is.Name)
	if was.Description != is.Description {
		return fmt.Sprintf("the description of the tool %s differs%s", name, missedTextDifference(was.Description, is.Description))
	}
	old, now := missedParameters(was.Input), missedParameters(is.Input)
	for _, p := range slices.Sorted(maps.Keys(now)) {
		switch before, there := old[p]; {
		case !there:
			return fmt.Sprintf("the tool %s gained a parameter %s", name, missedQuoted(p))
		case recordSameJSON(before) != recordSameJSON(now[p]):
			return fmt.Sprintf("the parameter %s of the tool %s was %s, and is %s", missedQuoted(p), name, missedShort(string(before)), missedShort(string(now[p])))
		}
	}
	for _, p := range slices.Sorted(maps.Keys(old)) {
		if _, there := now[p]; !there {
			return fmt.Sprintf("the tool %s lost its parameter %s", name, missedQuoted(p))
		}
	}
	if string(was.Input) != string(is.Input) || was.Strict != is.Strict {
		return fmt.Sprintf("the schema of the tool %s differs", name)
	}
	return ""
}

func missedParameters(schema json.RawMessage) map[string]json.RawMessage {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(schema, &s) // what is no schema has none
	return s.Properties
}

func (d *difference) messages() string {
	for i := range max(len(d.was.Messages), len(d.is.Messages)) {
		switch {
		case i >= len(d.was.Messages):
			return fmt.Sprintf("there is one message more, message %d: %s", i+1, d.describe(d.is.Messages[i], d.isParts))
		case i >= len(d.is.Messages):
			return fmt.Sprintf("message %d is missing: %s", i+1, d.describe(d.was.Messages[i], d.wasParts))
		}
		was, is := d.wasParts[d.was.Messages[i]], d.isParts[d.is.Messages[i]]
		if string(was) == string(is) {
			continue
		}
		var a, b recordedMessage
		_, _ = json.Unmarshal(was, &a), json.Unmarshal(is, &b)
		if words := missedMessageDifference(&a, &b); words != "" {
			return words + fmt.Sprintf(" (message %d)", i+1)
		}
		return fmt.Sprintf("message %d was %s, and is %s", i+1, d.describe(d.was.Messages[i], d.wasParts), d.describe(d.is.Messages[i], d.isParts))
	}
	return ""
}

func missedMessageDifference(was, is *recordedMessage) string {
	if was.Role != is.Role || was.ToolName != is.ToolName || len(was.Calls) != len(is.Calls) {
		return ""
	}
	if was.Content != is.Content {
		what := map[Role]string{RoleUser: "the message of the user", RoleAssistant: "the response of the model", RoleTool: "the result of " + missedQuoted(is.ToolName)}[is.Role]
		return what + " differs" + missedTextDifference(was.Content, is.Content)
	}
	if !slices.Equal(was.Attached, is.Attached) {
		return fmt.Sprintf("the attachments of the message differ: they were %s, and are %s", missedAttachments(was.Attached), missedAttachments(is.Attached))
	}
	for i, call := range is.Calls {
		if before := was.Calls[i]; call.Name == before.Name && string(call.Args) != string(before.Args) {
			return fmt.Sprintf("the call of %s differs: it was with %s, and is with %s", missedQuoted(call.Name), missedShort(string(before.Args)), missedShort(string(call.Args)))
		}
	}
	return ""
}

// missedAttachments names attachments by the beginning of their hashes too, since a file may
// have changed.
func missedAttachments(list []recordedAttachment) string {
	if len(list) == 0 {
		return "none"
	}
	var names []string
	for _, a := range list {
		names = append(names, fmt.Sprintf("%s (%s)", missedQuoted(a.Name), excerpt.Short(a.SHA256, 8)))
	}
	return strings.Join(names, ", ")
}

func (d *difference) describe(id string, parts map[string]json.RawMessage) string {
	var m recordedMessage
	_ = json.Unmarshal(parts[id], &m)
	switch {
	case m.Role == RoleTool:
		return fmt.Sprintf("the result of %s, %s", missedQuoted(m.ToolName), missedShort(m.Content))
	case len(m.Calls) > 0:
		return fmt.Sprintf("a call of %s with %s", missedQuoted(m.Calls[0].Name), missedShort(string(m.Calls[0].Args)))
	}
	return fmt.Sprintf("%s of the %s", missedShort(m.Content), m.Role)
}

// missedTextDifference returns where two texts differ, and what is there.
func missedTextDifference(was, is string) string {
	old, now := strings.Split(was, "\n"), strings.Split(is, "\n")
	line := 0
	for line < min(len(old), len(now)) && old[line] == now[line] {
		line++
	}
	at := func(lines []string) string {
		if line >= len(lines) {
			return "nothing"
		}
		return missedAround(lines[line], missedCommonStart(old, now, line))
	}
	where := ""
	if len(old) > 1 || len(now) > 1 {
		where = fmt.Sprintf(" at line %d", line+1)
	}
	return where + ": it was " + at(old) + ", and is " + at(now)
}

// missedCommonStart returns how many bytes a line of two texts starts with in common.
func missedCommonStart(old, now []string, line int) int {
	if line >= len(old) || line >= len(now) {
		return 0
	}
	n := 0
	for n < min(len(old[line]), len(now[line])) && old[line][n] == now[line][n] {
		n++
	}
	return n
}

// missedAround quotes the part of a line around a byte of it.
func missedAround(line string, at int) string {
	const before = 30
	if at > before {
		line = "…" + strings.ToValidUTF8(line[at-before:], "")
	}
	return missedShort(line)
}

func missedShort(text string) string { return missedQuoted(excerpt.Short(text, 80)) }

func missedQuoted(text string) string { return fmt.Sprintf("%q", excerpt.Short(text, 100)) }

func missedCounted(n int, thing string) string {
	if n == 1 {
		return "one " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// missedCall says that a call of a tool was not recorded.
func (r *Replayer) missedCall(name string, args json.RawMessage) string {
	var of []*recordedCall
	for _, c := range r.recorded {
		if c.Name != name {
			continue
		}
		if recordSameJSON(c.Args) == recordSameJSON(args) {
			return fmt.Sprintf("the recording has the call of %s with %s, and it is made once more", missedQuoted(name), missedShort(string(args)))
		}
		of = append(of, c)
	}
	if len(of) == 0 {
		return fmt.Sprintf("the recording has no call of the tool %s", missedQuoted(name))
	}
	return fmt.Sprintf("the call of %s with %s is not in the recording, which has it with %s", missedQuoted(name), missedShort(string(args)), missedShort(string(of[len(of)-1].Args)))
}
