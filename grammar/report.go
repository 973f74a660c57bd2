package grammar

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gram-lang/gramc/diag"
)

// maxProblems is how many problems of one file are reported.
const maxProblems = diag.MaxPerList

// forgive drops, of the problems since from, those that follow from another:
// closing brackets that are missing because a text without end took them, and
// everything about a pattern that is nested too deep but that.
func (c *cursor) forgive(from int) {
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

// full notes that a file has too many tokens. What is missing after that is no
// mistake of the author.
func (c *cursor) full(at int) {
	c.problems = slices.DeleteFunc(c.problems, func(p problem) bool { return p.kind == unclosed || p.start >= at })
	c.problems = append(c.problems, problem{start: at, end: at, code: diag.CodeTooLarge, message: fmt.Sprintf("more than %d names, values and signs; split the file", c.limit)})
}

// report turns the problems into diagnostics: in the order of the text, one
// for a place, and one, the innermost, for the brackets that the end of the
// file left open.
func (c *cursor) report() diag.List {
	src := c.file
	var list diag.List
	slices.SortStableFunc(c.problems, func(x, y problem) int { return x.start - y.start })
	innermost := -1
	for _, p := range c.problems {
		if p.kind == unclosed {
			innermost = p.start
		}
	}
	reported := slices.DeleteFunc(c.problems, func(p problem) bool { return p.kind == unclosed && p.start != innermost })
	reported = slices.CompactFunc(reported, func(x, y problem) bool { return x.start == y.start })
	for i, p := range reported {
		span := src.Span(p.start, p.end)
		if i == maxProblems {
			list.Errorf(span, diag.CodeTooManyErrors, "and %d more", len(reported)-i+c.dropped)
			break
		}
		list.Errorf(span, cmp.Or(p.code, diag.CodeSyntax), "%s", p.message).Fixes = p.fixes(src)
		if p.opened.text != "" {
			list[len(list)-1].Relate(src.Span(p.opened.begin(), p.opened.end()), "it opens here")
		}
	}
	return list
}
