package terminal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// What a lost connection or a busy model has left is distinguished from the answer.
func TestPlainLinesSayWhatIsVoid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p := &plain{Terminal: &Terminal{}, answer: NewAnswerStream(out)}
	p.Out = out
	text := func(s string) *interp.Event {
		return &interp.Event{Kind: interp.EventDelta, Delta: &runtime.Delta{Kind: runtime.DeltaText, Text: s}}
	}
	restart := &interp.Event{Kind: interp.EventDelta, Delta: &runtime.Delta{Kind: runtime.DeltaRestart}}
	change := &interp.Event{Kind: interp.EventFallback, Fallback: &interp.Fallback{
		From: compile.Model{Provider: "OpenAI", ID: "a"}, To: compile.Model{Provider: "Google", ID: "b"}, Err: errors.New("busy\x1b[2J"),
	}}
	compacted := &interp.Event{Kind: interp.EventCompacted, Compaction: &interp.Compaction{Messages: 14, Response: &runtime.Response{Usage: runtime.Usage{Output: 300}}}}
	for _, e := range []*interp.Event{text("Hel"), restart, change, compacted, text("Hello")} {
		p.show(e, false)
	}
	p.show(text("{}"), true)
	p.show(restart, true)
	got, err := os.ReadFile(file)
	want := "Hel\n(the response broke off and starts again)\nOpenAI/a has failed, Google/b goes on: busy\\x1b[2J\nthe conversation was too long: compacted 14 messages into a summary of 300 tokens\nHello"
	if err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
