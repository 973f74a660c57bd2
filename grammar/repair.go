package grammar

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/source"
)

// This file finds the fixes of mistakes by trial: changes near the mistake, after
// which the text has no new mistakes, and not this one. The text is parsed with the
// best fix of its first mistake, then with that of the next one: so a mistake that
// only follows from another one is not reported.

const (
	maxRepair = 512 << 10 // how much text is parsed to find the fixes of a file
	maxPart   = 32 << 10  // the longest part of a file that is parsed again
	perTrial  = 1 << 10   // what a trial costs besides its text
	maxFixes  = 4         // the most fixes of one mistake
	lead      = 4         // how much more likely than any other a safe fix is
)

// A trial is a fix and what it leaves.
type trial struct {
	fix
	cost int   // how unlikely the fix is
	left []int // where the remaining mistakes are in the text without the fix
}

// A repairer finds the fixes of the mistakes in a part of a file.
type repairer struct {
	file   string // the text of the whole file
	text   string // the part, with the fixes so far
	start  int    // of the part in the file
	done   []edit // the fixes so far, each in the text after those before
	budget *int   // how much text may still be parsed

	tokens    []token
	problems  []problem
	mistakes  []int // where these are
	balance   map[kind]int
	distance  int               // how far from the mistake the next proposals are
	openText  bool              // a quote is not closed: signs may belong to the text
	openFence bool              // the file has a fence without its other one: prose may be read as gram
	unused    map[string]string // the name that nothing uses, by its possible labels
	trials    []trial
	good      []trial
}

// parse parses the text.
func (r *repairer) parse(text string) []problem {
	*r.budget -= len(text) + perTrial
	c := newCursor(source.NewFile("", text))
	c.inner = r.start > 0
	c.parseTree()
	return c.reportDistinct()
}

// repairable parses the part, and reports whether it has mistakes as a part.
func (r *repairer) repairable() bool {
	if len(r.text) > maxPart || *r.budget < len(r.text) {
		return false
	}
	r.problems = r.parse(r.text)
	return len(r.problems) > 0
}

// repair returns the problems with their fixes.
func (r *repairer) repair() (all []problem) {
	safe := !r.openFence // all fixes so far
	for i := 0; i < len(r.problems) && len(all) <= maxProblems; {
		p := r.problems[i]
		found := r.fixesOf(&p)
		safe = safe && len(found) > 0 && found[0].safe
		reported := p
		reported.start, reported.end = r.inFile(p.start), r.inFile(p.end)
		reported.opened.start = int32(r.inFile(p.opened.begin()))
		for _, f := range found {
			f.safe = safe
			reported.fixes = append(reported.fixes, r.fixInFile(f.fix))
		}
		all = append(all, reported)
		if len(found) == 0 {
			i++
			continue
		}
		r.text = appliedRepair(r.text, found[0].edits)
		r.done = append(r.done, repairBackwards(found[0].edits)...)
		r.problems = r.parse(r.text)
	}
	return all
}

// appliedRepair returns a text with edits, which are in the order of the text.
func appliedRepair(text string, edits []edit) string {
	var b strings.Builder
	done := 0
	for _, e := range edits {
		b.WriteString(text[done:e.start])
		b.WriteString(e.text)
		done = e.end
	}
	b.WriteString(text[done:])
	return b.String()
}

func repairBackwards(edits []edit) []edit {
	edits = slices.Clone(edits)
	slices.Reverse(edits)
	return edits
}

// undoRepair returns where an offset was before an edit.
func undoRepair(at int, e edit) int {
	switch {
	case at >= e.start+len(e.text):
		return at - len(e.text) + e.end - e.start
	case at > e.start:
		return e.start
	}
	return at
}

// inFile returns the offset in the file of one in the text.
func (r *repairer) inFile(at int) int {
	for _, e := range slices.Backward(r.done) {
		at = undoRepair(at, e)
	}
	return r.start + at
}

func (r *repairer) fixInFile(f fix) fix {
	f.edits = slices.Clone(f.edits)
	for i, e := range f.edits {
		f.edits[i] = edit{r.inFile(e.start), r.inFile(e.end), e.text}
	}
	return f
}

// fixesOf returns the fixes of a mistake, the most likely one first.
func (r *repairer) fixesOf(p *problem) []trial {
	if *r.budget < len(r.text) {
		return nil
	}
	r.scan()
	r.trials, r.good = r.trials[:0], nil
	if p.lazyFixes != nil {
		for i, f := range p.lazyFixes(r.text) {
			if f.safe {
				i -= lead
			}
			r.trials = append(r.trials, trial{fix: f, cost: i})
		}
	}
	r.proposeNearby(p)
	slices.SortStableFunc(r.trials, func(a, b trial) int { return cmp.Compare(a.cost, b.cost) })
	enough := math.MaxInt
	for _, t := range r.trials {
		if t.cost > enough {
			break
		}
		if r.try(p, &t) {
			r.good = append(r.good, t)
			if len(t.left) == 0 {
				enough = min(enough, t.cost+2*lead)
			}
		}
	}
	slices.SortStableFunc(r.good, func(a, b trial) int {
		return cmp.Or(cmp.Compare(len(a.left), len(b.left)), cmp.Compare(a.cost, b.cost))
	})
	seen := map[string]bool{}
	r.good = slices.DeleteFunc(r.good, func(t trial) bool {
		text := appliedRepair(r.text, t.edits)
		again := seen[text]
		seen[text] = true
		return again
	})
	r.good = r.good[:min(len(r.good), maxFixes)]
	if len(r.good) > 1 && len(r.good[0].left) == len(r.good[1].left) && r.good[1].cost < r.good[0].cost+lead {
		r.good[0].safe = false
	}
	return r.good
}

// scan cuts the text into tokens and counts its brackets and mistakes.
func (r *repairer) scan() {
	r.tokens, r.mistakes, r.balance, r.openText = r.tokens[:0], r.mistakes[:0], map[kind]int{}, false
	scan := gramLexer{file: source.NewFile("", r.text), text: r.text}
	for more := true; more; {
		var t token
		scan.next(&t)
		r.tokens = append(r.tokens, t)
		more = t.kind != tokEnd
		switch {
		case t.kind == tokBadText:
			r.openText = true
		case openers.has(t.kind):
			r.balance[t.kind]++
		case closers.has(t.kind):
			r.balance[t.kind-1]--
		}
	}
	for _, p := range r.problems {
		r.mistakes = append(r.mistakes, p.start)
	}
}

// try reports whether a fix leaves no mistake but some of the others.
func (r *repairer) try(p *problem, t *trial) bool {
	if *r.budget < len(r.text) {
		return false
	}
	for _, q := range r.parse(appliedRepair(r.text, t.edits)) {
		at := q.start
		for _, e := range t.edits {
			at = undoRepair(at, e)
		}
		if at == p.start || !slices.Contains(r.mistakes, at) {
			return false
		}
		t.left = append(t.left, at)
	}
	return true
}
