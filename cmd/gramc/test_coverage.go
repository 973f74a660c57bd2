package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gram-lang/gramc/runtime"
)

// An agentCoverage says how tests use the tools of an agent.
type agentCoverage struct {
	Agent string          `json:"agent"`
	File  string          `json:"file"`
	Tools []*toolCoverage `json:"tools"`
}

// A toolCoverage counts the calls of a tool, and those of them that failed.
type toolCoverage struct {
	Name   string `json:"name"`
	Calls  int    `json:"calls"`
	Failed int    `json:"failed"`
}

// refuseCoverage reports flags that have no meaning with --coverage.
func (k *tester) refuseCoverage() error {
	switch {
	case !k.coverage:
		return nil
	case k.pattern != "":
		return errors.New("--coverage is about all tests; it cannot be combined with --run")
	case k.format.value != "human" && k.format.value != "json":
		return fmt.Errorf("--coverage is shown in the formats human and json, not in %s", k.format.value)
	}
	return nil
}

// coverageOf returns how tests use the tools of their agents.
func coverageOf(results []*testResult) []*agentCoverage {
	all := []*agentCoverage{}
	for _, t := range results {
		file := t.Agent.Pattern.Span().File.Name()
		i := slices.IndexFunc(all, func(a *agentCoverage) bool { return a.Agent == t.agent.Name && a.File == file })
		if i < 0 {
			i = len(all)
			all = append(all, newAgentCoverage(t, file))
		}
		for _, run := range t.runs {
			for _, turn := range run.Turns {
				for _, step := range turn.Steps {
					all[i].add(step.Invocation)
				}
			}
		}
	}
	return all
}

func newAgentCoverage(t *testResult, file string) *agentCoverage {
	a := &agentCoverage{Agent: t.agent.Name, File: file, Tools: []*toolCoverage{}}
	for i := range t.agent.Tools {
		a.Tools = append(a.Tools, &toolCoverage{Name: t.agent.Tools[i].Name})
	}
	return a
}

// add counts a call; nil is none.
func (a *agentCoverage) add(call *runtime.Invocation) {
	for _, t := range a.Tools {
		if call == nil || t.Name != call.Tool {
			continue
		}
		t.Calls++
		if call.Err != nil {
			t.Failed++
		}
	}
}

// show writes what the tests leave out.
func (a *agentCoverage) show(w io.Writer) {
	var called, failed int
	for _, t := range a.Tools {
		called += min(t.Calls, 1)
		failed += min(t.Failed, 1)
	}
	fmt.Fprintf(w, "%s: %d of %s called, %d failed\n", cleanLine(a.Agent), called, counted(len(a.Tools), "tool"), failed)
	for _, t := range a.Tools {
		switch {
		case t.Calls == 0:
			fmt.Fprintf(w, "  %s is never called in any test\n", cleanLine(t.Name))
		case t.Failed == 0:
			fmt.Fprintf(w, "  %s never fails in any test\n", cleanLine(t.Name))
		}
	}
}
