package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/diag"
)

// maxProblems is how many problems of one file are reported.
const maxProblems = diag.MaxPerList

// reportForgiven drops, of the problems since from, those that follow from another:
// closing brackets that are missing because a text without end took them, and
// everything about a pattern that is nested too deep but that.
func (c *cursor) reportForgiven(from int) {
	problems := c.problems[from:]
	deep := slices.IndexFunc(problems, func(p problem) bool { return p.code == diag.CodeTooDeep })
	if deep >= 0 {
		c.problems = append(c.problems[:from], problems[deep])
		return
	}
	swallowed := false
	kept := slices.DeleteFunc(problems, func(p problem) bool {
		swallowed = swallowed || p.kind == swallower
		return swallowed && (p.kind == closer || p.kind == unclosed)
	})
	c.problems = c.problems[:from+len(kept)]
}

// reportFull notes that a file has too many tokens. What is missing after that is no
// mistake of the author.
func (c *cursor) reportFull(at int) {
	c.problems = slices.DeleteFunc(c.problems, func(p problem) bool { return p.kind == unclosed || p.start >= at })
	c.problems = append(c.problems, problem{start: at, end: at, code: diag.CodeTooLarge, message: fmt.Sprintf("more than %d names, values and signs; split the file", c.limit)})
}

// reportDistinct returns the problems in the order of the text, one for a place, and
// one, the innermost, for the brackets that the end of the file left open.
func (c *cursor) reportDistinct() []problem {
	problems := sortReported(c.problems)
	innermost := -1
	for _, p := range problems {
		if p.kind == unclosed {
			innermost = p.start
		}
	}
	return slices.DeleteFunc(problems, func(p problem) bool { return p.kind == unclosed && p.start != innermost })
}

// sortReported sorts problems and keeps one for a place.
func sortReported(problems []problem) []problem {
	slices.SortStableFunc(problems, func(x, y problem) int { return x.start - y.start })
	return slices.CompactFunc(problems, func(x, y problem) bool { return x.start == y.start })
}

// report turns the problems into diagnostics.
func (c *cursor) report() diag.List {
	src := c.file
	var list diag.List
	problems := c.reportRepaired()
	for i, p := range problems {
		span := src.Span(p.start, p.end)
		if i == maxProblems {
			list.Errorf(span, diag.CodeTooManyErrors, "and %d more", len(problems)-i+c.dropped)
			break
		}
		list.Errorf(span, cmp.Or(p.code, diag.CodeSyntax), "%s", p.message).Fixes = p.diagFixes(src)
		if p.opened.text != "" {
			list[len(list)-1].Relate(src.Span(p.opened.begin(), p.opened.end()), "it opens here")
		}
	}
	return list
}

// reportRepaired returns the problems with their fixes, without those that follow from
// another one.
func (c *cursor) reportRepaired() (all []problem) {
	problems := c.reportDistinct()
	budget := maxRepair
	openFence := strings.Count(c.file.Text(), fence)%2 == 1
	for len(problems) > 0 {
		start, end := c.reportPart(problems[0].start)
		if openFence { // prose may look like items
			end = len(c.file.Text())
		}
		n := 1
		for n < len(problems) && problems[n].start < end {
			n++
		}
		special := slices.ContainsFunc(problems[:n], func(p problem) bool { return p.code != "" })
		if r := (repairer{file: c.file.Text(), text: c.file.Text()[start:end], start: start, budget: &budget, openFence: openFence, unused: map[string]string{}}); !special && r.repairable() {
			all = append(all, r.repair()...)
		} else {
			all = append(all, problems[:n]...)
		}
		problems = problems[n:]
	}
	return sortReported(all)
}

// reportPart returns the part of the text that holds the broken items around an offset.
func (c *cursor) reportPart(at int) (start, end int) {
	i, _ := slices.BinarySearch(c.items, at+1)
	start, end = 0, len(c.file.Text())
	if i > 0 {
		start = c.items[i-1]
	}
	if i < len(c.items) {
		end = c.items[i]
	}
	return start, end
}
