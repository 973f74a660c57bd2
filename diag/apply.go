package diag

import (
	"cmp"
	"slices"
	"strings"
)

// Apply returns text with fixes applied, and these fixes in the order of the
// text. A fix is applied as a whole or not at all: not if its edits touch those
// of another, after which it can be applied in another round, and not if it
// belongs to another text.
func Apply(text string, fixes []Fix) (fixed string, applied []Fix) {
	usable := make([]Fix, 0, len(fixes))
	for _, f := range fixes {
		if f, ok := f.sortedToApply(text); ok {
			usable = append(usable, f)
		}
	}
	slices.SortStableFunc(usable, func(a, b Fix) int {
		return cmp.Compare(a.Edits[0].Span.Start, b.Edits[0].Span.Start)
	})
	var b strings.Builder
	done := 0 // text up to here is in b
	for _, f := range usable {
		if len(applied) > 0 && f.Edits[0].Span.Start <= done {
			continue // if both only insert, their order is ambiguous
		}
		for _, e := range f.Edits {
			b.WriteString(text[done:e.Span.Start])
			b.WriteString(e.NewText)
			done = e.Span.End
		}
		applied = append(applied, f)
	}
	b.WriteString(text[done:])
	return b.String(), applied
}

// sortedToApply returns the fix with its edits in the order of the text. It reports
// whether they belong to that text and do not overlap.
func (f Fix) sortedToApply(text string) (Fix, bool) {
	edits := slices.Clone(f.Edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	end := 0
	for _, e := range edits {
		s := e.Span
		if s.IsZero() || s.File.Text() != text || s.Start < end || s.End < s.Start || s.End > len(text) {
			return Fix{}, false
		}
		end = s.End
	}
	f.Edits = edits
	return f, len(edits) > 0
}

// MaxRounds is how often a text is fixed and checked again: a fix may reveal
// another problem, or overlap with another fix.
const MaxRounds = 10

// maxChecked is about how many bytes of fixed texts are checked.
const maxChecked = 4 << 20

// A Fixed is a text after its safe fixes.
type Fixed struct {
	Text     string
	Problems List // that are left
	Applied  int  // how many fixes were made
	Refused  bool // more fixes would have left more errors

	left int // how many bytes may still be checked
}

// ApplySafe applies the safe fixes of the problems of a text, and those of the
// problems that check then finds, until there are no more or a text would have
// more errors than before. It stops earlier where the texts are long.
func ApplySafe(text string, problems List, check func(text string) List) Fixed {
	f := Fixed{Text: text, Problems: problems, left: maxChecked}
	for round := 0; round < MaxRounds && f.left > 0; round++ {
		text, applied := Apply(f.Text, f.Problems.SafeFixes())
		if len(applied) == 0 {
			break
		}
		left := check(text)
		f.left -= len(text)
		if !left.BetterThan(f.Problems) {
			text, applied, left = f.oneOf(applied, check)
		}
		if f.Refused = len(applied) == 0; f.Refused {
			break
		}
		f.Text, f.Problems, f.Applied = text, left, f.Applied+len(applied)
	}
	return f
}

// oneOf applies the first of the fixes that by itself makes the text better.
func (f *Fixed) oneOf(fixes []Fix, check func(text string) List) (text string, applied []Fix, left List) {
	for _, fix := range fixes {
		if f.left < 0 {
			break
		}
		text, applied = Apply(f.Text, []Fix{fix})
		f.left -= len(text)
		if left = check(text); left.BetterThan(f.Problems) {
			return text, applied, left
		}
	}
	return "", nil, nil
}
