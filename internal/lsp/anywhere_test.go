package lsp

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// TestAnywhere asks for what stands around random places of the golden files, as
// they are and broken: folds lie in the text, selections grow, and what is laid
// out while somebody types says what it said.
func TestAnywhere(t *testing.T) {
	pieces := []string{"", "😀", "\r\n", "\"", "`", "```md\n", "[", "]", "{a:", "::Text", "// c\n", "==>", "(", "|", "\n"}
	for name, text := range goldens(t) {
		r := rand.New(rand.NewPCG(5, uint64(len(text))))
		for range 10 {
			checkAnywhere(t, name, text, r)
			at := r.IntN(len(text))
			text = strings.ToValidUTF8(text[:at]+pieces[r.IntN(len(pieces))]+text[min(len(text), at+r.IntN(3)):], "")
		}
	}
}

func checkAnywhere(t *testing.T, name, text string, r *rand.Rand) {
	t.Helper()
	ctx, s := context.Background(), showing(map[string]string{"/w/" + name: text})
	d := s.open["/w/"+name]
	folds, err := foldingRanges(ctx, s, d, &protocol.FoldingRangeParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folds {
		if f.StartLine >= f.EndLine || int(f.EndLine) >= len(d.lines) {
			t.Errorf("%s: a fold from %d to %d of\n%s", name, f.StartLine, f.EndLine, text)
		}
	}
	for range 6 {
		offset := r.IntN(len(text) + 1)
		spans := d.selectionRangesAround(offset)
		for i, inner := range spans[1:] {
			if outer := spans[i]; inner.Start < outer.Start || inner.End > outer.End || inner == outer || inner.Start > offset || offset > inner.End {
				t.Errorf("%s: %v grows to %v at %d of\n%s", name, inner, outer, offset, text)
			}
		}
		at := protocol.TextDocumentPositionParams{Position: d.position(offset)}
		if _, err := linkedEditing(ctx, s, d, &protocol.LinkedEditingRangeParams{TextDocumentPositionParams: at}); err != nil {
			t.Error(err)
		}
		if _, err := embeddedLanguages(ctx, s, d, nil); err != nil {
			t.Error(err)
		}
		checkTyped(t, s, d, at)
	}
}

// checkTyped checks that layout while somebody types changes nothing of what a
// text without mistakes says.
func checkTyped(t *testing.T, s *snapshot, d *document, at protocol.TextDocumentPositionParams) {
	t.Helper()
	_, problems := d.file()
	for _, ch := range []string{"\n", "]", "}"} {
		edits, err := onTypeFormatting(context.Background(), s, d, &protocol.DocumentOnTypeFormattingParams{TextDocumentPositionParams: at, Ch: ch})
		if err != nil {
			t.Error(err)
		}
		c := s.changes()
		c.add(d, edits...)
		if text := applied(t, c)[d.key]; len(problems) == 0 && treeOf(t, text) != treeOf(t, d.text) {
			t.Errorf("%q typed before %v makes\n%s\nof\n%s", ch, at.Position, text, d.text)
		}
	}
}
