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

// Limits on what a model may ask for.
const (
	maxCallsPerAnswer = 16
	maxAbandoned      = 8 // calls that do not stop when their time is over
	maxNameBytes      = 64
	maxIDBytes        = 64
	maxArgsBytes      = 1 << 20 // in the conversation; runtime refuses larger ones anyway
)

// answerCalls puts the calls of an answer into the conversation, followed by
// one result for each, in order. That holds for a run that stops on the way as
// well: the calls it did not come to are answered with the reason.
func (r *run) answerCalls(ctx context.Context, answer *runtime.Response) error {
	calls := r.admit(answer.Calls)
	r.conv = append(r.conv, runtime.AssistantMessage(answer.Content, calls))
	first := len(r.conv)
	for i := 0; i < len(calls); {
		n := r.batch(answer, i)
		if err := r.answerBatch(ctx, answer, calls, i, n); err != nil {
			for _, call := range calls[len(r.conv)-first:] {
				r.tell(&call, "Error: not run, because the run stopped")
			}
			return err
		}
		i += n
	}
	return nil
}

// admit returns the calls as they may stand in the conversation: each with a
// name and an id that every provider takes, an id that no other call has, and
// arguments that are an object.
func (r *run) admit(calls []runtime.Call) []runtime.Call {
	admitted := slices.Clone(calls)
	for i := range admitted {
		call := &admitted[i]
		call.ID = r.newID(call.ID)
		if r.tool(call.Name) == nil {
			call.Name = validName(call.Name)
		}
		call.Args = argsText(call.Args)
		if !isObject(call.Args) {
			call.Args = json.RawMessage("{}")
		}
	}
	return admitted
}

// newID returns id, or another one if it is empty, too long or taken.
func (r *run) newID(id string) string {
	if r.ids == nil {
		r.ids = make(map[string]bool)
		for i := range r.conv {
			for _, call := range r.conv[i].Calls {
				r.ids[call.ID] = true
			}
		}
	}
	odd := func(c rune) bool { return c <= ' ' || c >= 0x7f }
	if id == "" || len(id) > maxIDBytes || r.ids[id] || strings.ContainsFunc(id, odd) {
		for n := len(r.ids) + 1; ; n++ {
			if id = "call_" + strconv.Itoa(n); !r.ids[id] {
				break
			}
		}
	}
	r.ids[id] = true
	return id
}

// validName returns name in the alphabet that providers take.
func validName(name string) string {
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

// argsText returns the arguments of a call; none are an empty object.
func argsText(raw json.RawMessage) json.RawMessage {
	text := bytes.TrimSpace(raw)
	switch string(text) {
	case "", `""`, "null":
		return json.RawMessage("{}")
	}
	return text
}

func isObject(text []byte) bool {
	return len(text) > 0 && len(text) <= maxArgsBytes && text[0] == '{' && json.Valid(text)
}

func (r *run) tool(name string) *runtime.Tool {
	for i := range r.agent.Tools {
		if r.agent.Tools[i].Name == name {
			return &r.tools[i]
		}
	}
	return nil
}

func (r *run) toolNames() []string {
	names := make([]string, len(r.agent.Tools))
	for i := range names {
		names[i] = r.agent.Tools[i].Name
	}
	return names
}

func (r *run) tell(call *runtime.Call, text string) {
	r.conv = append(r.conv, runtime.Message{
		Role: runtime.RoleTool, Content: text, CallID: call.ID, ToolName: call.Name,
	})
}
