package lsp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// large returns a file of about 200 KB, with characters of two units.
func large() string {
	var b strings.Builder
	for i := 0; b.Len() < 200<<10; i++ {
		fmt.Fprintf(&b, "[agent%d:Agent {instruction: \"Use `tool%d`, 😀\", model: \"OpenAI/gpt-5.4-mini\"} |\n  [tool%d:Tool {description: \"d\"} |\n    (city::Text {default: \"x\"})==>(list::`[{a: Text, b?: Int}]`)==>(::Text)\n  ]\n]\n", i, i, i)
	}
	return b.String()
}

// BenchmarkAfterKey measures what an editor asks after each key, of a text that
// has just changed.
func BenchmarkAfterKey(b *testing.B) {
	text := large()
	at := protocol.Position{Line: 1500, Character: 4}
	run := func(name string, f func(s *snapshot, d *document)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				s := showing(map[string]string{"/w/a.gram": text})
				d := s.open["/w/a.gram"]
				s.examine(d)
				b.StartTimer()
				f(s, d)
			}
		})
	}
	run("tokens", func(s *snapshot, d *document) { d.encodeTokens(d.treeTokens(s.deprecatedNames(d))) })
	run("actions", func(s *snapshot, d *document) {
		if _, err := s.actionsAt(context.Background(), d, protocol.Range{Start: at, End: at}, nil); err != nil {
			b.Fatal(err)
		}
	})
	run("newline", func(s *snapshot, d *document) { d.formattedIndent(d.offset(at)) })
	run("bracket", func(s *snapshot, d *document) { d.formattingBetween(d.offset(at), d.offset(at)+200) })
	run("folding", func(s *snapshot, d *document) {
		_, _ = foldingRanges(context.Background(), s, d, &protocol.FoldingRangeParams{})
	})
}
