package interp

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/runtime"
)

// Limits on the calls of a model.
const (
	maxCallsPerResponse = 16
	maxAbandoned        = 8 // calls that do not stop when their time is over
	maxRepetitions      = 3 // equal calls with equal results in a row, before a note
	maxNameBytes        = 64
	maxIDBytes          = 64
	maxArgsBytes        = 1 << 20 // in the conversation; runtime refuses larger ones anyway
)

// runCalls adds the calls of a response to the conversation, followed by one
// result for each, in order. This holds for a run that stops early as well: the
// calls that were not run get the reason as their result.
func (r *loop) runCalls(ctx context.Context, response *runtime.Response) error {
	calls := r.admitCalls(response.Calls)
	r.conv = append(r.conv, assistantMessage(response, calls))
	first := len(r.conv)
	for i := 0; i < len(calls); {
		n := r.batchSize(response, i)
		if err := r.runBatch(ctx, response, calls, i, n); err != nil {
			for _, call := range calls[len(r.conv)-first:] {
				r.addCallResult(&call, "Error: not run, because the run stopped", true)
			}
			return err
		}
		i += n
	}
	return nil
}

// admitCalls returns the calls in the form that every provider accepts in a
// conversation: each with a valid name, a unique id, and arguments that are a
// JSON object.
func (r *loop) admitCalls(calls []runtime.Call) []runtime.Call {
	admitted := slices.Clone(calls)
	for i := range admitted {
		call := &admitted[i]
		call.ID = r.newCallID(call.ID)
		if r.calledTool(call.Name) == nil {
			call.Name = validCallName(call.Name)
		}
		call.Args = callArgsText(call.Args)
		if !callArgsAreObject(call.Args) {
			call.Args = json.RawMessage("{}")
		}
	}
	return admitted
}

// newCallID returns id, or a new one if it is empty, too long or already used.
func (r *loop) newCallID(id string) string {
	if r.ids == nil {
		r.ids = make(map[string]bool)
		for i := range r.conv {
			for _, call := range r.conv[i].Calls {
				r.ids[call.ID] = true
			}
		}
	}
	invalid := func(c rune) bool { return c <= ' ' || c >= 0x7f }
	if id == "" || len(id) > maxIDBytes || r.ids[id] || strings.ContainsFunc(id, invalid) {
		for n := len(r.ids) + 1; ; n++ {
			if id = "call_" + strconv.Itoa(n); !r.ids[id] {
				break
			}
		}
	}
	r.ids[id] = true
	return id
}

// validCallName returns name with every character that providers refuse replaced
// by "_".
func validCallName(name string) string {
	if name == "" {
		return "unnamed"
	}
	valid := func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-':
			return c
		}
		return '_'
	}
	return strings.Map(valid, name[:min(len(name), maxNameBytes)])
}

// callArgsText returns the arguments of a call. Absent ones are an empty object, and an
// object inside a string, or a string in a string, is taken out of it.
func callArgsText(raw json.RawMessage) json.RawMessage {
	text := bytes.TrimSpace(raw)
	switch string(text) {
	case "", `""`, "null":
		return json.RawMessage("{}")
	}
	if text[0] != '"' {
		return text
	}
	inner := string(text)
	for strings.HasPrefix(inner, `"`) && json.Unmarshal([]byte(inner), &inner) == nil {
		inner = strings.TrimSpace(inner)
		if callArgsAreObject([]byte(inner)) {
			return json.RawMessage(inner)
		}
	}
	return text
}

// recordedCallArgs returns the arguments of a call as JSON: as a string if they are not.
func recordedCallArgs(text json.RawMessage) json.RawMessage {
	if json.Valid(text) {
		return text
	}
	quoted, err := json.Marshal(string(text))
	if err != nil {
		panic("interp: a string has no JSON form: " + err.Error())
	}
	return quoted
}

func callArgsAreObject(text []byte) bool {
	return len(text) > 0 && len(text) <= maxArgsBytes && text[0] == '{' && json.Valid(text)
}

func (r *loop) calledTool(name string) *runtime.Tool {
	for i := range r.agent.Tools {
		if r.agent.Tools[i].Name == name {
			return &r.tools[i].Tool
		}
	}
	return nil
}

func (r *loop) toolNames() []string {
	names := make([]string, len(r.agent.Tools))
	for i := range names {
		names[i] = r.agent.Tools[i].Name
	}
	return names
}

func (r *loop) addCallResult(call *runtime.Call, text string, failed bool) {
	r.conv = append(r.conv, runtime.Message{
		Role: runtime.RoleTool, Content: text, CallID: call.ID, ToolName: call.Name, Failed: failed,
	})
}
