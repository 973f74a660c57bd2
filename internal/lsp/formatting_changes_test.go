package lsp

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
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

// shaken returns a text with other whitespace where whitespace stand between pieces.
func shaken(text string, r *rand.Rand) string {
	var b strings.Builder
	scan := grammar.NewScanner(text)
	for last := 0; ; {
		p := scan.Next()
		blank := text[last:p.Start]
		switch {
		case blank == "" || r.IntN(3) > 0:
		case strings.Contains(blank, "\n"):
			blank = []string{"\n", "\n\n\n  ", " \n\t"}[r.IntN(3)]
		default:
			blank = []string{" ", "   ", "\n", "\n      "}[r.IntN(4)]
		}
		b.WriteString(blank + text[p.Start:p.End])
		if last = p.End; p.Kind == grammar.EndToken {
			return b.String()
		}
	}
}

func treeOf(t testing.TB, text string) string {
	t.Helper()
	file, problems := grammar.Parse("f.gram", text)
	var b strings.Builder
	if err := ast.WriteJSON(&b, file); err != nil {
		t.Fatal(err)
	}
	for _, p := range problems[:min(len(problems), 1)] { // what follows depends on its fix
		b.WriteString("\n" + p.Message)
	}
	return b.String()
}

// TestFormattingChanges tests that all changes of whitespace together are formatting, and
// that those of any part change nothing of what the file says, be it right or
// broken.
func TestFormattingChanges(t *testing.T) {
	for name, golden := range goldens(t) {
		text, r := golden, rand.New(rand.NewPCG(1, uint64(len(golden))))
		for round := range 12 {
			d := newDocument("file:///f.gram", text, utf16Encoding)
			want := format.File(d.ast(), nil)
			if got := applyByteChanges(text, formattingChanges(text, want)); got != want {
				t.Fatalf("%s, round %d: of\n%s\nall changes make\n%s\nnot\n%s", name, round, text, got, want)
			}
			before := treeOf(t, text)
			for range 8 {
				start := r.IntN(len(text) + 1)
				part := applyByteChanges(text, d.formattingChangesIn(start, start+r.IntN(len(text)+1-start)))
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

// TestFormattingIsSmall tests that the edits of formatting make what formatting
// says, and that none takes a word away.
func TestFormattingIsSmall(t *testing.T) {
	for name, text := range goldens(t) {
		formatsBySmallEdits(t, name, text)
	}
}

// TestFormattingOfCorpusIsSmall does so with the texts that the implementers of
// gram share.
func TestFormattingOfCorpusIsSmall(t *testing.T) {
	for _, list := range []string{"agents.jsonl", "tricky.jsonl", "tree-sitter-gram.jsonl"} {
		for i, c := range golden.Lines[struct{ Input string }](t, "corpus", list) {
			formatsBySmallEdits(t, fmt.Sprint(list, " ", i), c.Input)
		}
	}
}

// formatsBySmallEdits formats a text, also with other whitespace and line ends.
func formatsBySmallEdits(t *testing.T, name, text string) {
	t.Helper()
	r := rand.New(rand.NewPCG(2, uint64(len(text))))
	for round, text := range []string{text, shaken(text, r), strings.ReplaceAll(shaken(text, r), "\n", "\r\n")} {
		s := showing(map[string]string{"/w/a.gram": text})
		d := s.open["/w/a.gram"]
		edits := d.formatted()
		c := s.changes()
		c.add(d, edits...)
		if got, want := applied(t, c)["/w/a.gram"], format.File(d.ast(), nil); got != want {
			t.Fatalf("%s, round %d: of %q the edits make %q, not %q", name, round, text, got, want)
		}
		for _, e := range edits {
			start, end := d.offsets(e.Range)
			if both := d.text[start:end] + e.NewText; strings.Trim(both, whitespace) != "" && !strings.Contains(both, "//") {
				t.Fatalf("%s, round %d: %q becomes %q in\n%s", name, round, d.text[start:end], e.NewText, text)
			}
		}
	}
}

// TestManyEditsBecomeOne tests that formatting more than a client can take in
// edits is one, of a whole document and of its lines.
func TestManyEditsBecomeOne(t *testing.T) {
	const line = "[a|b]\n"
	s := showing(map[string]string{"/w/a.gram": strings.Repeat(line, maxEdits)})
	d := s.open["/w/a.gram"]
	for what, edits := range map[string][]protocol.TextEdit{
		"": d.formatted(), strings.Repeat(line, 5): d.formattingBetween(5*len(line), len(d.text)),
	} {
		c := s.changes()
		c.add(d, edits...)
		want := what + strings.Repeat("[a | b]\n", maxEdits-strings.Count(what, "\n"))
		if got := applied(t, c)["/w/a.gram"]; len(edits) != 1 || got != want {
			t.Errorf("behind %q: %d edits", what, len(edits))
		}
	}
}

// TestIndentIsThatOfFormatting tests that a line that begins where formatting puts
// it stays there when somebody types its line end. Comments may stand deeper.
func TestIndentIsThatOfFormatting(t *testing.T) {
	lines := 0
	for name, text := range goldens(t) {
		tree, problems := grammar.Parse(name, text)
		if len(problems) > 0 {
			continue
		}
		laid := format.File(tree, nil)
		d := newDocument("file:///f.gram", laid, utf16Encoding)
		start := 0
		for line := range strings.Lines(laid) {
			at := start + len(line) - len(strings.TrimLeft(line, " "))
			if edits := d.formattedIndent(at); len(edits) > 0 && strings.TrimSpace(line) != "" && !strings.HasPrefix(laid[at:], "//") {
				t.Errorf("%s: %q gets the indent %q", name, line, edits[0].NewText)
			}
			start += len(line)
			lines++
		}
	}
	if lines < 500 {
		t.Errorf("only %d lines", lines)
	}
}
