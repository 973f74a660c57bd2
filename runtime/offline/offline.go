package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/runtime"
)

const mark = "[offline] "

// A Model responds by the rules of the package. It has no state and is safe
// for concurrent use.
type Model struct{}

// New returns a Model.
func New() *Model { return &Model{} }

// Name returns "offline".
func (*Model) Name() string { return "offline" }

// Generate returns the next call of a tool, or the final response when all calls
// have been made. It fails only when ctx has ended.
func (*Model) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	said, calls := wordsOfMessage(r.Messages), 0
	var results []runtime.Message // since the last message of the user
	for _, m := range r.Messages {
		switch calls += len(m.Calls); m.Role {
		case runtime.RoleUser:
			results = nil
		case runtime.RoleTool:
			results = append(results, m)
		}
	}
	var lines []string
	for _, m := range results {
		lines = append(lines, describeResult(&m))
	}
	for _, tool := range chooseTools(r.Tools, said) {
		if slices.ContainsFunc(results, func(m runtime.Message) bool { return m.ToolName == tool.Name }) {
			continue
		}
		args, err := arguments(tool.Input, said)
		if err != nil {
			lines = append(lines, fmt.Sprintf("%s was not called: %v", tool.Name, err))
			continue
		}
		call := runtime.Call{ID: fmt.Sprintf("offline_%d", calls+1), Name: tool.Name, Args: args}
		return &runtime.Response{Calls: []runtime.Call{call}, Finish: "tool_calls"}, nil
	}
	if !r.Output.IsText() {
		value, err := buildOutput(r.Output.Schema, said, results)
		if err == nil {
			return &runtime.Response{Content: string(value), Finish: "stop"}, nil
		}
		lines = append(lines, err.Error())
	}
	if len(lines) == 0 {
		lines = []string{"No model was called. You said: " + said.message}
	}
	return &runtime.Response{Content: mark + strings.Join(lines, "\n"), Finish: "stop"}, nil
}

// chooseTools returns the tools that the message names, or else the first. Of say and
// sayHello, "say hello" names the second alone.
func chooseTools(tools []runtime.Contract, said messageWords) []runtime.Contract {
	var named []runtime.Contract
	for _, tool := range tools {
		if said.mention(tool.Name) {
			named = append(named, tool)
		}
	}
	if named == nil && said.message != "" {
		return tools[:min(1, len(tools))]
	}
	return slices.DeleteFunc(slices.Clone(named), func(a runtime.Contract) bool {
		return slices.ContainsFunc(named, func(b runtime.Contract) bool {
			return plainWords(a.Name) != plainWords(b.Name) && strings.Contains(plainWords(b.Name), plainWords(a.Name))
		})
	})
}

// describeResult returns one line about the result of a tool.
func describeResult(m *runtime.Message) string {
	if text, failed := strings.CutPrefix(m.Content, "Error:"); failed {
		return fmt.Sprintf("%s failed: %s", m.ToolName, strings.TrimSpace(text))
	}
	text := m.Content
	json.Unmarshal([]byte(m.Content), &text) // a string, if it is one
	if strings.TrimSpace(text) == "" {
		return m.ToolName + " answered nothing."
	}
	return fmt.Sprintf("%s answered: %s", m.ToolName, text)
}
