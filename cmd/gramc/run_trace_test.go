package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

func TestATraceTellsTokensAndRefusals(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.jsonl")
	trace, err := newCLI(&stdio{lookup: noVariables}).openTrace("--trace", name)
	if err != nil {
		t.Fatal(err)
	}
	defer trace.close()
	response := &runtime.Response{Refusal: "no", Usage: runtime.Usage{Input: 12, Output: 3, Total: 15}}
	if err := trace.event(&interp.Event{Kind: interp.EventResponse, Turn: 1, Response: response}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil || !strings.HasSuffix(string(text), `,"turn":1,"refusal":"no","usage":{"input":12,"output":3,"total":15}}`+"\n") {
		t.Errorf("%s, %v", text, err)
	}
}
