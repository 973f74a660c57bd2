package workspace

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

// maxRepaired is the length of the longest text whose fixes are compared.
const maxRepaired = 256 << 10

// maxRechecked is how many bytes of texts with fixes are checked to put these in order:
// what a large file is reported must not wait for it.
const maxRechecked = 256 << 10

// examineFixes returns the problems of a file besides those of parsing, and orders
// the fixes of these. If they leave no mistakes, the problems are those of the
// text with the fixes: else they could follow from the mistakes.
func examineFixes(f *ast.File, mistakes diag.List, o *compile.Options) diag.List {
	if len(mistakes) == 0 || len(f.Source.Text()) > maxRepaired {
		return compile.Check(f, o)
	}
	r := &fixRepair{src: f.Source}
	if o != nil {
		r.options = *o
	}
	if r.options.Elsewhere != nil { // it searches files
		r.options.Elsewhere = func(string) (string, bool) {
			r.asked = true
			return "", false
		}
	}
	best := r.choose(mistakes)
	fixesInTurn(mistakes, f.Source.Text())
	doubtFixes(mistakes, withoutSafeFix(mistakes))
	if best.mistakes > 0 || len(r.fixes) < len(mistakes) {
		problems := compile.Check(f, o)
		doubtFixes(problems, mistakes)
		doubtFixes(mistakes, problems)
		return problems
	}
	problems := best.problems
	if best.asked {
		problems = compile.Check(best.file, o)
	}
	problems, written := r.inSource(best.file, problems)
	doubtFixes(mistakes, problems)
	doubtFixes(mistakes, written)
	return problems
}

// inSource moves problems of the text with the fixes to where they are without. They
// keep the fixes that change nothing of these, which are not safe as long as the
// mistakes are there. Errors of what a fix writes are returned apart.
func (r *fixRepair) inSource(fixed *ast.File, problems diag.List) (all, written diag.List) {
	_, applied := diag.Apply(r.src.Text(), r.fixes)
	var edits []diag.Edit
	for _, f := range applied {
		edits = append(edits, f.Edits...)
	}
	move := func(s source.Span) source.Span {
		if s.File != fixed.Source {
			return s
		}
		return r.src.Span(beforeFixes(s.Start, edits), beforeFixes(s.End, edits))
	}
	for _, d := range problems {
		ofFix := d.Span.File == fixed.Source && beforeFixes(d.Span.Start, edits) == beforeFixes(d.Span.Start+1, edits)
		switch {
		case !ofFix:
			all = append(all, d)
		case d.Severity == diag.Error:
			written = append(written, d)
		}
		d.Fixes = slices.DeleteFunc(d.Fixes, func(f diag.Fix) bool {
			return slices.ContainsFunc(f.Edits, func(e diag.Edit) bool { return move(e.Span).Text() != e.Span.Text() })
		})
		d.Span = move(d.Span)
		for i := range d.Related {
			d.Related[i].Span = move(d.Related[i].Span)
		}
		for i, f := range d.Fixes {
			d.Fixes[i].Safe = false
			for i := range f.Edits {
				f.Edits[i].Span = move(f.Edits[i].Span)
			}
		}
	}
	return all, written
}

// beforeFixes returns where an offset after some edits was before them.
func beforeFixes(offset int, edits []diag.Edit) int {
	moved := 0 // how far the edits so far move what follows them
	for _, e := range edits {
		switch start := e.Span.Start + moved; {
		case offset <= start:
			return offset - moved
		case offset < start+len(e.NewText):
			return e.Span.Start
		}
		moved += len(e.NewText) - (e.Span.End - e.Span.Start)
	}
	return offset - moved
}

// A fixOutcome is what is wrong with a text after some fixes.
type fixOutcome struct {
	file                       *ast.File
	problems                   diag.List // none if there are mistakes
	asked                      bool      // names were looked for in other files, in vain
	mistakes, errors, warnings int
}

func (o *fixOutcome) compare(p *fixOutcome) int {
	return cmp.Or(cmp.Compare(o.mistakes, p.mistakes), cmp.Compare(o.errors, p.errors), cmp.Compare(o.warnings, p.warnings))
}

// A fixRepair applies to a text with mistakes the fixes that make the best file of it.
type fixRepair struct {
	src     *source.File
	options compile.Options
	fixes   []diag.Fix // the first one of each mistake
	checked int        // bytes of texts with fixes that were checked
	asked   bool       // the last check looked for a name in other files
}

// outcome returns what is wrong after the fixes.
func (r *fixRepair) outcome() *fixOutcome {
	text, _ := diag.Apply(r.src.Text(), r.fixes)
	r.checked += len(text)
	o := &fixOutcome{}
	if o.file, o.mistakes = grammar.ParseRecovered(r.src.Name(), text); o.mistakes > 0 {
		return o
	}
	r.asked = false
	o.problems = compile.Check(o.file, &r.options)
	o.asked = r.asked
	for _, d := range o.problems {
		if d.Severity == diag.Error {
			o.errors++
		} else {
			o.warnings++
		}
	}
	return o
}

// choose puts the fixes of each mistake in order: first the one after which the
// fewest problems are left. It is safe if all others leave more, and if it keeps
// all names, texts and numbers. Fixes that take too much to compare stay as they are.
// It returns the outcome of all first fixes.
func (r *fixRepair) choose(mistakes diag.List) *fixOutcome {
	var at []*diag.Diagnostic
	for _, d := range mistakes {
		if len(d.Fixes) > 0 {
			at = append(at, d)
			r.fixes = append(r.fixes, d.Fixes[0])
		}
	}
	best := r.outcome()
	for i, d := range at {
		if len(d.Fixes) == 1 || r.checked+(len(d.Fixes)-1)*len(r.src.Text()) > maxRechecked {
			continue
		}
		type choice struct {
			fix  diag.Fix
			left *fixOutcome
		}
		choices := []choice{{d.Fixes[0], best}}
		for _, f := range d.Fixes[1:] {
			r.fixes[i] = f
			choices = append(choices, choice{f, r.outcome()})
		}
		slices.SortStableFunc(choices, func(a, b choice) int { return a.left.compare(b.left) })
		first := choices[0]
		clear := first.left.compare(choices[1].left) < 0
		first.fix.Safe = first.fix.Safe || clear && fixKeepsWords(r.src.Text(), first.fix) && !fixMovesSign(first.fix)
		d.Fixes = []diag.Fix{first.fix}
		for _, c := range choices[1:] {
			if c.left.compare(first.left) == 0 {
				c.fix.Safe = false
				d.Fixes = append(d.Fixes, c.fix)
			}
		}
		r.fixes[i], best = first.fix, first.left
	}
	return best
}

// fixMovesSign reports whether a fix changes the kind of a bracket, adds a bracket, a colon or a
// comma, removes any sign, or exchanges some: what starts, ends or is declared there is not
// clear then.
func fixMovesSign(f diag.Fix) bool {
	const brackets = "[](){}"
	written, removed := f.Edits[0].NewText, f.Edits[0].Span.Text()
	switch {
	case len(f.Edits) > 1:
		return removed == "["
	case removed == "":
		return strings.ContainsAny(written, brackets+":,@")
	case written == "", removed == ",":
		return true
	}
	return strings.ContainsAny(removed, brackets) != strings.ContainsAny(written, brackets) || len(fixedWords(removed)) > 0 || strings.ContainsAny(removed, " \n")
}

// fixesInTurn clears Safe of what is fixed on the assumption that a mistake before it, which
// has no safe fix, has been fixed: up to the next pattern that starts a line.
func fixesInTurn(mistakes diag.List, text string) {
	unsafe := -1 // where the last mistake is that has no safe fix
	for _, d := range mistakes {
		if unsafe >= 0 && !lineOfPattern().MatchString(text[unsafe:d.Span.Start]) {
			for i := range d.Fixes {
				d.Fixes[i].Safe = false
			}
		}
		if len(d.Fixes) == 0 || !d.Fixes[0].Safe {
			unsafe = d.Span.Start
		}
	}
}

// doubtFixes clears Safe of fixes next to other problems, which are still there after them.
func doubtFixes(fixed, others diag.List) {
	const next = 40 // bytes
	for _, d := range fixed {
		if len(d.Fixes) == 0 {
			continue
		}
		at := d.Fixes[0].Edits[0].Span
		if slices.ContainsFunc(others, func(p *diag.Diagnostic) bool {
			return p != d && p.Span.End > at.Start-next && p.Span.Start < at.End+next
		}) {
			d.Fixes[0].Safe = false
		}
	}
}

// doubtFixesOfErrors clears Safe of fixes inside of what an error is about that has no fix:
// it says that something else is meant there.
func doubtFixesOfErrors(problems diag.List) {
	for _, d := range problems {
		if len(d.Fixes) == 0 || !d.Fixes[0].Safe || len(d.Fixes[0].Edits) == 0 {
			continue
		}
		at := d.Fixes[0].Edits[0].Span
		if slices.ContainsFunc(problems, func(p *diag.Diagnostic) bool {
			return p != d && p.Severity == diag.Error && len(p.Fixes) == 0 && p.Span.Start <= at.Start && p.Span.End >= at.End && p.Span.File == at.File
		}) {
			d.Fixes[0].Safe = false
		}
	}
}

// withoutSafeFix returns the problems that --fix leaves.
func withoutSafeFix(problems diag.List) (left diag.List) {
	for _, d := range problems {
		if len(d.Fixes) == 0 || !d.Fixes[0].Safe {
			left = append(left, d)
		}
	}
	return left
}

var lineOfPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[\[(@]`)
})

// fixKeepsWords reports whether a text has the same names, texts and numbers after a fix.
func fixKeepsWords(text string, f diag.Fix) bool {
	fixed, _ := diag.Apply(text, []diag.Fix{f})
	return slices.Equal(fixedWords(text), fixedWords(fixed))
}

func fixedWords(text string) (all []string) {
	scan := grammar.NewScanner(text)
	for t := scan.Next(); t.Kind != grammar.EndToken; t = scan.Next() {
		if t.Kind != grammar.SignToken && t.Kind != grammar.CommentToken && t.End > t.Start+1 {
			all = append(all, text[t.Start:t.End])
		}
	}
	return all
}
