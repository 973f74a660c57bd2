package terminal

import (
	"bytes"
	"testing"

	"github.com/gram-lang/gramc/internal/visible"
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
			s := NewAnswerStream(&out)
			s.Event(&interp.Event{Kind: interp.EventRequest})
			for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
				s.Event(&interp.Event{Kind: interp.EventDelta, Delta: &runtime.Delta{Kind: runtime.DeltaText, Text: rest[:min(size, len(rest))]}})
			}
			if !s.Event(&interp.Event{Kind: interp.EventAnswer, Answer: &interp.AgentResponse{Content: text}}) {
				t.Errorf("%q in pieces of %d: not the answer", text, size)
			}
			if want := visible.Text(text) + "\n"; out.String() != want {
				t.Errorf("%q in pieces of %d: got %q, want %q", text, size, out.String(), want)
			}
		}
	}
}

func TestAnAnswerThatWasNotStreamedIsShownAsAWhole(t *testing.T) {
	var out bytes.Buffer
	s := NewAnswerStream(&out)
	delta := func(d runtime.Delta) { s.Event(&interp.Event{Kind: interp.EventDelta, Delta: &d}) }
	delta(runtime.Delta{Kind: runtime.DeltaReasoning, Text: "hm"})
	delta(runtime.Delta{Kind: runtime.DeltaText, Text: "Hel"})
	delta(runtime.Delta{Kind: runtime.DeltaRestart})
	delta(runtime.Delta{Kind: runtime.DeltaText, Text: "{}"})
	s.Event(&interp.Event{Kind: interp.EventResponse, Response: &runtime.Response{Content: "{}"}})
	if s.Event(&interp.Event{Kind: interp.EventAnswer, Answer: &interp.AgentResponse{Content: `{"a":1}`}}) {
		t.Error("another answer was shown")
	}
	if !s.Event(&interp.Event{Kind: interp.EventAnswer, Answer: &interp.AgentResponse{Content: "{}"}}) {
		t.Error("the answer was not shown")
	}
	if want := "Hel\n(the response broke off and starts again)\n{}\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
}
