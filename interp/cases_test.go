package interp_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// TestBindCases drives the conformance cases of binding: a library is made
// tool by tool, and then bound to the agent.
func TestBindCases(t *testing.T) {
	type entry struct {
		RegisterAs, Name, Description string
		Schema                        json.RawMessage
	}
	type row struct {
		ID, Kind, Input   string
		Library           json.RawMessage
		Proposal, Roadmap bool
		Expect            struct {
			OK       bool
			Error    string
			Bound    []string
			Mentions []string
		}
	}
	tried := 0
	for _, r := range golden.Lines[row](t, "cases", "cases.jsonl") {
		if r.Kind != "bind" || r.Proposal || r.Roadmap {
			continue
		}
		tried++
		var entries []entry
		if err := json.Unmarshal(r.Library, &entries); err != nil {
			t.Fatal(err)
		}
		file, _ := grammar.Parse(r.ID, r.Input)
		agent, problems := interp.Load(file, "", interp.ModeAuto, nil)
		if agent == nil {
			t.Fatalf("%s: %v", r.ID, problems.Err())
		}
		var lib runtime.Library
		var err error
		for _, e := range entries {
			var tool runtime.Tool
			tool, err = runtime.NewTool(runtime.ToolConfig{Name: e.Name, Description: e.Description, Input: e.Schema, Execute: echo})
			if err == nil {
				key := e.RegisterAs
				if key == "" {
					key = e.Name
				}
				lib, err = lib.Add(key, tool)
			}
			if err != nil {
				break
			}
		}
		var bound []string
		if err == nil {
			var tools []runtime.Binding
			tools, err = lib.Bind(agent.Tools, nil)
			for _, tool := range tools {
				bound = append(bound, tool.Name())
			}
		}
		if r.Expect.OK != (err == nil) || err == nil && !slices.Equal(bound, r.Expect.Bound) {
			t.Errorf("%s: bound %v, error %v", r.ID, bound, err)
			continue
		}
		if err == nil {
			continue
		}
		if got := reason(err); got != r.Expect.Error {
			t.Errorf("%s: %q for %q: %v", r.ID, got, r.Expect.Error, err)
		}
		for _, word := range r.Expect.Mentions {
			if !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(word)) {
				t.Errorf("%s: %q does not mention %q", r.ID, err, word)
			}
		}
	}
	if tried < 6 {
		t.Errorf("%d cases of binding", tried)
	}
}

// reason returns the word for why a tool was refused.
func reason(err error) string {
	var bind *runtime.BindError
	if errors.As(err, &bind) {
		return string(bind.Reason)
	}
	return err.Error()
}
