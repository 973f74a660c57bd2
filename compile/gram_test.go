package compile_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// checked returns everything that is said of a text.
func checked(text string) diag.List {
	file, problems := grammar.Parse("input", text)
	return append(problems, compile.Check(file, nil)...)
}

// fix returns text with the edits of one fix.
func applied(text string, f diag.Fix) string {
	edits := slices.Clone(f.Edits)
	slices.SortStableFunc(edits, func(a, b diag.Edit) int { return b.Span.Start - a.Span.Start })
	for _, e := range edits {
		text = text[:e.Span.Start] + e.NewText + text[e.Span.End:]
	}
	return text
}

// isLoud reports whether a diagnostic is a warning or an error about gram, and
// not about agents.
func isLoud(d *diag.Diagnostic) bool {
	ofGram := []diag.Code{
		diag.CodeSyntax, diag.CodeDuplicateKey, diag.CodeInvisible, diag.CodeOddNumber, diag.CodeOddLayout, diag.CodeDuplicateLabel,
		diag.CodeDuplicateAnnotation, diag.CodeDuplicateDefinition, diag.CodeSelfReference,
	}
	return d.Severity <= diag.Warning && slices.Contains(ofGram, d.Code)
}

func TestWhatIsOddInTheCorpusIsTold(t *testing.T) {
	type row struct{ Input, Recommend, Note string }
	for _, r := range golden.Lines[row](t, "corpus", "tricky.jsonl") {
		said := checked(r.Input)
		switch r.Recommend {
		case "accept":
			if slices.ContainsFunc(said, isLoud) {
				t.Errorf("%q (%s): %v", r.Input, r.Note, said)
			}
		case "accept-warn":
			if len(said) == 0 || said.HasErrors() {
				t.Errorf("%q (%s): %v", r.Input, r.Note, said)
			}
		}
		for _, d := range said {
			for _, f := range d.Fixes {
				text := applied(r.Input, f)
				again := checked(text)
				if d.Severity > diag.Error && (again.HasErrors() || len(again) >= len(said)) {
					t.Errorf("%q: the fix %q of %v gives %q: %v", r.Input, f.Title, d, text, again)
				}
			}
		}
	}
}

func TestExamplesGiveNoFalseAlarm(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(golden.Shared(t, "corpus", "examples"), "*.gram"))
	if len(files) < 10 {
		t.Fatalf("%d examples", len(files))
	}
	for _, file := range files {
		text := golden.Read(t, file)
		if _, syntax := grammar.Parse(file, text); syntax.HasErrors() {
			continue
		}
		for _, d := range checked(text) {
			if isLoud(d) {
				t.Errorf("%s: %s: %s", filepath.Base(file), d.Severity, d)
			}
		}
	}
}
