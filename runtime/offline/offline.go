package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/runtime"
)

const mark = "[offline] "

// A Model plays a model by the rules of the package. It has no state and may
// be shared.
type Model struct{}

// New returns a Model.
func New() *Model { return &Model{} }

// Name returns "offline".
func (*Model) Name() string { return "offline" }

// Generate returns the next call of a tool, or the answer when all calls have
// been made. It fails only when ctx has ended.
func (*Model) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := lastTurn(r.Messages)
	var notes []string
	for _, tool := range choose(r, t.said) {
		if t.called[tool.Name] {
			continue
		}
		args, err := arguments(tool.Input, r.Messages)
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s was not called: %v", tool.Name, err))
			continue
		}
		call := runtime.Call{ID: fmt.Sprintf("offline_%d", t.calls+1), Name: tool.Name, Args: args}
		return &runtime.Response{Calls: []runtime.Call{call}, Finish: "tool_calls"}, nil
	}
	if !r.Output.IsText() {
		value, err := answer(r.Output.Schema, r.Messages, t.results)
		if err == nil {
			return &runtime.Response{Content: string(value), Finish: "stop"}, nil
		}
		notes = append(notes, fmt.Sprint(err))
	}
	var lines []string
	for _, m := range t.results {
		lines = append(lines, report(&m))
	}
	lines = append(lines, notes...)
	if len(lines) == 0 {
		lines = []string{"No model was called. You said: " + t.said}
	}
	return &runtime.Response{Content: mark + strings.Join(lines, "\n"), Finish: "stop"}, nil
}

// A turn is what happened since the user spoke last.
type turn struct {
	said    string
	called  map[string]bool
	results []runtime.Message
	calls   int // in the whole conversation
}

func lastTurn(messages []runtime.Message) turn {
	t := turn{called: map[string]bool{}}
	for _, m := range messages {
		switch m.Role {
		case runtime.RoleUser:
			t.said, t.called, t.results = strings.TrimSpace(m.Content), map[string]bool{}, nil
		case runtime.RoleAssistant:
			t.calls += len(m.Calls)
			for _, c := range m.Calls {
				t.called[c.Name] = true
			}
		case runtime.RoleTool:
			t.called[m.ToolName] = true
			t.results = append(t.results, m)
		}
	}
	return t
}

// report tells the result of a tool.
func report(m *runtime.Message) string {
	if text, failed := strings.CutPrefix(m.Content, "Error:"); failed {
		return fmt.Sprintf("%s failed: %s", m.ToolName, strings.TrimSpace(text))
	}
	text := m.Content
	var plain string
	if json.Unmarshal([]byte(text), &plain) == nil {
		text = plain
	}
	if strings.TrimSpace(text) == "" {
		return m.ToolName + " answered nothing."
	}
	return fmt.Sprintf("%s answered: %s", m.ToolName, text)
}
