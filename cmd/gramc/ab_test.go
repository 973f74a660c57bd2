package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
)

// TestTwoLibrariesOneAgent runs examples/ab with each of its libraries: what the
// model is sent is the same, byte for byte, up to the first result of a tool,
// and what it answers is not.
func TestTwoLibrariesOneAgent(t *testing.T) {
	golden.Needs(t, "sh")
	type outcome struct {
		requests [][]byte
		answer   string
	}
	outcomes := map[string]outcome{}
	for _, library := range []string{"titles", "texts"} {
		s, err := newStub([]byte(`[
			{"tool_calls": [{"id": "call_1", "name": "searchHelp", "arguments": "{\"word\": \"return\"}"}]},
			{"repeats": true}
		]`), nil)
		if err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := gramc("", map[string]string{"OPENAI_API_KEY": "test"}, "run", "--base-url", s.URL,
			"../../examples/ab/agent.gram", "--library", "../../examples/ab/"+library+".gram", "How do I return a book?")
		s.close()
		if code != exitFine {
			t.Fatalf("%s: exit code %d\n%s", library, code, stderr)
		}
		o := outcome{answer: stdout}
		for _, request := range s.received() {
			o.requests = append(o.requests, request)
		}
		outcomes[library] = o
	}
	a, b := outcomes["titles"], outcomes["texts"]
	if a.answer != "[\"Returning a book\"]\n" || b.answer != "[\"Payment\",\"Returning a book\"]\n" {
		t.Errorf("the answers are %q and %q", a.answer, b.answer)
	}
	if len(a.requests) != 2 || len(b.requests) != 2 {
		t.Fatalf("%d and %d requests", len(a.requests), len(b.requests))
	}
	if !bytes.Equal(a.requests[0], b.requests[0]) {
		t.Errorf("the first requests differ:\n%s\n%s", a.requests[0], b.requests[0])
	}
	const result = `"role":"tool"`
	beforeA, afterA, _ := strings.Cut(string(a.requests[1]), result)
	beforeB, afterB, found := strings.Cut(string(b.requests[1]), result)
	if !found || beforeA != beforeB || afterA == afterB {
		t.Errorf("the second requests are\n%s\n%s", a.requests[1], b.requests[1])
	}
}
