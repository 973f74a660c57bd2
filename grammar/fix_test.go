package grammar_test

import (
	"slices"
	"testing"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// apply returns text with the edits of those fixes.
func apply(text string, fixes []diag.Fix) string {
	var edits []diag.Edit
	for _, f := range fixes {
		edits = append(edits, f.Edits...)
	}
	slices.SortStableFunc(edits, func(a, b diag.Edit) int { return b.Span.Start - a.Span.Start })
	for _, e := range edits {
		text = text[:e.Span.Start] + e.NewText + text[e.Span.End:]
	}
	return text
}

// firstFixes returns the first fix of each diagnostic.
func firstFixes(list diag.List) (fixes []diag.Fix) {
	for _, d := range list {
		if len(d.Fixes) > 0 {
			fixes = append(fixes, d.Fixes[0])
		}
	}
	return fixes
}

func TestMistakesOfTheCorpusHaveTheirFix(t *testing.T) {
	type row struct{ Input, Recommend, Note string }
	fixed := 0
	for _, r := range golden.Lines[row](t, "corpus", "tricky.jsonl") {
		_, problems := grammar.Parse("input", r.Input)
		fixes := firstFixes(problems)
		if r.Recommend == "reject-fix" && len(fixes) == 0 {
			t.Errorf("%q (%s): no fix: %v", r.Input, r.Note, problems.Err())
			continue
		}
		if len(fixes) == 0 {
			continue
		}
		fixed++
		text := apply(r.Input, fixes)
		if _, left := grammar.Parse("fixed", text); left.HasErrors() && r.Recommend == "reject-fix" {
			t.Errorf("%q (%s) is fixed as %q: %v", r.Input, r.Note, text, left.Err())
		}
	}
	if fixed < 60 {
		t.Errorf("only %d fixes", fixed)
	}
}
