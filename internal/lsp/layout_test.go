package lsp

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
)

// goldens returns the texts of the golden files, by name.
func goldens(t testing.TB) map[string]string {
	t.Helper()
	names, err := filepath.Glob("../../testdata/golden/*.gram")
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	texts := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(name)] = string(data)
	}
	return texts
}

// shaken returns a text with other blanks where blanks stand between pieces.
func shaken(text string, r *rand.Rand) string {
	var b strings.Builder
	c := &cutter{text: text}
	for last := 0; ; {
		p := c.next()
		blank := text[last:p.start]
		switch {
		case blank == "" || r.IntN(3) > 0:
		case strings.Contains(blank, "\n"):
			blank = []string{"\n", "\n\n\n  ", " \n\t"}[r.IntN(3)]
		default:
			blank = []string{" ", "   ", "\n", "\n      "}[r.IntN(4)]
		}
		b.WriteString(blank + text[p.start:p.end])
		if last = p.end; p.start == p.end {
			return b.String()
		}
	}
}

// respaced returns the text of a document after changes.
func respaced(d *document, changes []respacing) string {
	var b strings.Builder
	last := 0
	for _, r := range changes {
		b.WriteString(d.text[last:r.start] + r.text)
		last = r.end
	}
	return b.String() + d.text[last:]
}

func treeOf(t testing.TB, text string) string {
	t.Helper()
	file, problems := grammar.Parse("f.gram", text)
	var b strings.Builder
	if err := ast.WriteJSON(&b, file); err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		b.WriteString("\n" + p.Message)
	}
	return b.String()
}

// TestRespacings tests that all changes of blanks together are formatting, and
// that those of any part change nothing of what the file says, be it right or
// broken.
func TestRespacings(t *testing.T) {
	for name, golden := range goldens(t) {
		text, r := golden, rand.New(rand.NewPCG(1, uint64(len(golden))))
		for round := range 40 {
			d := newDocument("file:///f.gram", text, utf16Encoding)
			want := format.File(d.ast(), nil)
			if got := respaced(d, d.respacings()); got != want {
				t.Fatalf("%s, round %d: of\n%s\nall changes make\n%s\nnot\n%s", name, round, text, got, want)
			}
			before := treeOf(t, text)
			for range 8 {
				start := r.IntN(len(text) + 1)
				part := respaced(d, d.respacingsIn(start, start+r.IntN(len(text)+1-start)))
				if after := treeOf(t, part); after != before {
					t.Fatalf("%s: a part of the changes makes\n%s\nof\n%s", name, part, text)
				}
			}
			if text = shaken(golden, r); round%2 == 1 {
				at := r.IntN(len(text))
				text = text[:at] + text[min(len(text), at+1+r.IntN(3)):]
			}
		}
	}
}
