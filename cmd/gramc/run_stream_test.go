package main

import (
	"bufio"
	"bytes"
	"testing"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// However a text is cut, a terminal gets what it would get of the whole.
func TestStreamedTextIsCleanedAcrossPieces(t *testing.T) {
	for _, text := range []string{
		"é😀 \x1b[31mred\r\nnext\r\tline\u202e 👩\u200d💻",
		"cut \xf0\x9f\x98", "\xff\xfe", "\r", "é",
	} {
		for size := 1; size <= len(text); size++ {
			var out bytes.Buffer
			s := &answerStream{out: bufio.NewWriter(&out)}
			s.event(&interp.Event{Kind: interp.EventRequest})
			for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
				s.event(&interp.Event{Kind: interp.EventDelta, Delta: &runtime.Delta{Kind: runtime.DeltaText, Text: rest[:min(size, len(rest))]}})
			}
			if !s.event(&interp.Event{Kind: interp.EventAnswer, Answer: &interp.AgentResponse{Content: text}}) {
				t.Errorf("%q in pieces of %d: not the answer", text, size)
			}
			s.out.Flush()
			if want := clean(text) + "\n"; out.String() != want {
				t.Errorf("%q in pieces of %d: got %q, want %q", text, size, out.String(), want)
			}
		}
	}
}

func TestAnAnswerThatWasNotStreamedIsShownAsAWhole(t *testing.T) {
	var out bytes.Buffer
	s := &answerStream{out: bufio.NewWriter(&out)}
	delta := func(d runtime.Delta) { s.event(&interp.Event{Kind: interp.EventDelta, Delta: &d}) }
	delta(runtime.Delta{Kind: runtime.DeltaReasoning, Text: "hm"})
	delta(runtime.Delta{Kind: runtime.DeltaText, Text: "Hel"})
	delta(runtime.Delta{Kind: runtime.DeltaRestart})
	delta(runtime.Delta{Kind: runtime.DeltaText, Text: "{}"})
	s.event(&interp.Event{Kind: interp.EventResponse, Response: &runtime.Response{Content: "{}"}})
	if s.event(&interp.Event{Kind: interp.EventAnswer, Answer: &interp.AgentResponse{Content: `{"a":1}`}}) {
		t.Error("another answer was shown")
	}
	if !s.event(&interp.Event{Kind: interp.EventAnswer, Answer: &interp.AgentResponse{Content: "{}"}}) {
		t.Error("the answer was not shown")
	}
	s.out.Flush()
	if want := "Hel\n(the response broke off and starts again)\n{}\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
}
