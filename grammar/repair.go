package grammar

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
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
	text   string // the part, with the fixes so far
	start  int    // of the part in the file
	done   []edit // the fixes so far, each in the text after those before
	budget *int   // how much text may still be parsed

	tokens    []token
	problems  []problem
	mistakes  []int // where these are
	balance   map[kind]int
	distance  int  // how far from the mistake the next proposals are
	openText  bool // a quote is not closed: signs may belong to the text
	openFence bool // the file has a fence without its other one: prose may be read as gram
	trials    []trial
	good      []trial
}

// parse parses the text.
func (r *repairer) parse(text string) []problem {
	*r.budget -= len(text) + perTrial
	c := newCursor(source.NewFile("", text))
	c.inner = r.start > 0
	c.read()
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
		r.text = applied(r.text, found[0].edits)
		r.done = append(r.done, backwards(found[0].edits)...)
		r.problems = r.parse(r.text)
	}
	return all
}

// applied returns a text with edits, which are in the order of the text.
func applied(text string, edits []edit) string {
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

func backwards(edits []edit) []edit {
	edits = slices.Clone(edits)
	slices.Reverse(edits)
	return edits
}

// undo returns where an offset was before an edit.
func undo(at int, e edit) int {
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
		at = undo(at, e)
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
	r.nearby(p)
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
		text := applied(r.text, t.edits)
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
	for _, q := range r.parse(applied(r.text, t.edits)) {
		at := q.start
		for _, e := range t.edits {
			at = undo(at, e)
		}
		if at == p.start || !slices.Contains(r.mistakes, at) {
			return false
		}
		t.left = append(t.left, at)
	}
	return true
}

// propose adds a fix to those that are tried.
func (r *repairer) propose(cost int, f fix) {
	f.safe = f.safe && !r.openText
	r.trials = append(r.trials, trial{fix: f, cost: r.distance + cost})
}

// similar are the signs that people write for each other.
var similar = map[string][]string{
	"(": {"[", "{"}, "[": {"{", "("}, "{": {"(", "["}, ")": {"]", "}"}, "]": {"}", ")"}, "}": {")", "]"},
	"|": {","}, ",": {" |", ":"}, ":": {"|", ","}, ".": {",", ":"}, ";": {":", ","}, "=": {":"}, "!": {"|"},
}

// nearby tries the changes of one token around a mistake, or of a pair of brackets.
func (r *repairer) nearby(p *problem) {
	const before, after = 6, 2
	at, _ := slices.BinarySearchFunc(r.tokens, p.start, func(t token, start int) int { return cmp.Compare(t.end(), start+1) })
	r.distance = 2
	for _, i := range r.opened(at - before) {
		r.bracket(i)
	}
	for i := max(0, at-before); i <= min(at+after, len(r.tokens)-1); i++ {
		t := &r.tokens[i]
		r.distance = 2 * max(at-i, i-at)
		r.quote(t)
		r.fence(t)
		r.insert(i)
		switch {
		case t.kind == tokSymbol && strings.HasSuffix(t.text, "."):
			r.propose(0, writeFix(t.end()-1, t.end(), ",").asSafe())
		case names.has(t.kind):
			if i > 0 && r.tokens[i-1].text == t.text {
				r.propose(-1, changeFix("remove the second "+t.text, r.tokens[i-1].end(), t.end(), ""))
			}
			if r.fits(i, tokLeftParen, i) && (follows(tokRightParen, r.tokens[i+1].kind)) {
				r.propose(3, writeFix(t.begin(), t.end(), "("+t.text+")").asSafe())
			}
		case openers.has(t.kind), closers.has(t.kind):
			r.bracket(i)
		case t.text == "?":
			r.optional(i)
		case t.kind == tokColon && r.tokens[i+1].kind == tokLeftBrace:
			for _, label := range []string{ast.LabelAgent, ast.LabelTool} {
				r.propose(0, insertFix(label, t.end()))
			}
		case t.kind == tokArrow:
			r.arrow(i)
		}
		if (openers | closers).has(t.kind) || !signs.has(t.kind) && t.kind != tokBadChars {
			continue
		}
		if t.text == "=" {
			cost := 1 + lead
			switch {
			case r.inParentheses(i):
				cost = 0
			case r.typeAt(i + 1):
				cost = 2
			}
			r.replace(i, "::", cost)
		}
		for _, other := range similar[t.text] {
			r.replace(i, other, 1)
		}
		r.remove(i)
	}
	if r.distance = 0; p.kind == unclosed {
		r.closeAll(p)
	}
}

// closeAll tries to close all brackets at the end of the text.
func (r *repairer) closeAll(p *problem) {
	var open []kind
	for _, t := range r.tokens {
		switch {
		case openers.has(t.kind):
			open = append(open, t.kind)
		case closers.has(t.kind) && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	var all strings.Builder
	for _, k := range slices.Backward(open) {
		all.WriteString(closerInMessage(k + 1))
	}
	r.propose(0, insertFix(all.String(), p.start))
}

// insert proposes to add a sign before a token.
func (r *repairer) insert(i int) {
	start := r.tokens[i].begin()
	end := start
	if i > 0 {
		end = r.tokens[i-1].end()
	}
	for k := tokLeftParen; k <= tokArrow; k++ {
		switch {
		case k == tokColons && !r.inParentheses(i) && !r.typeAt(i), !r.fits(i, k, i), openers.has(k) && r.balance[k] >= 0, closers.has(k) && r.balance[k-1] <= 0:
		case k == tokArrow:
			r.propose(2, insertFix("==>", start).asSafe())
		case k == tokBar:
			r.propose(2, insertFix(" |", end).asSafe())
		case colons.has(k) && !r.inRecord(i):
			f := insertFix(signOf[k], end)
			cost := 2 + lead
			if f.safe = r.missesColon(i, k); f.safe {
				cost = 2
			}
			r.propose(cost, f)
		case openers.has(k), k == tokAt:
			f := insertFix(signOf[k], start)
			f.safe = k == tokAt || k == tokLeftParen
			r.propose(2, f)
		default:
			f := insertFix(signOf[k], end) // where a list ends is not clear
			f.safe = k != tokRightBracket && k != tokRightBrace && !(k == tokComma && r.betweenTexts(i, i))
			r.propose(2, f)
		}
	}
}

// opened returns the brackets that are open before the token at i, at most the four
// innermost.
func (r *repairer) opened(i int) (open []int) {
	depth := 0
	for i--; i >= 0 && len(open) < 4; i-- {
		switch kind := r.tokens[i].kind; {
		case closers.has(kind):
			depth++
		case openers.has(kind) && depth > 0:
			depth--
		case openers.has(kind):
			open = append(open, i)
		}
	}
	return open
}

func (r *repairer) inParentheses(i int) bool { return r.inside(i, tokLeftParen) }

func (r *repairer) inRecord(i int) bool { return r.inside(i, tokLeftBrace) }

// inside reports whether the innermost bracket that is open before the token at i is of
// that kind.
func (r *repairer) inside(i int, opener kind) bool {
	open := r.opened(i)
	return len(open) > 0 && r.tokens[open[0]].kind == opener
}

// declaredLabels are the labels that a name can be meant to have, and declaredTypes the
// types.
var (
	declaredLabels = []string{ast.LabelAgent, ast.LabelTool, ast.LabelType, ast.LabelEnum, ast.LabelUnion, ast.LabelLibrary, "Command", "Mcp", "Http"}
	declaredTypes  = []string{"Text", "Int", "Number", "Double", "Bool", "Any", "Array", "Object"}
)

// missesColon reports whether : or :: clearly is what is missing before the token at i: a
// known label or type, after the name at the start of a pattern. Any other word would
// become a label.
func (r *repairer) missesColon(i int, k kind) bool {
	if i < 2 || r.tokens[i-1].kind != tokSymbol || !openers.has(r.tokens[i-2].kind) {
		return false
	}
	name, word := r.tokens[i-1].text, r.tokens[i].text
	if slices.Contains(declaredLabels, name) || slices.Contains(declaredTypes, name) || strings.EqualFold(name, word) {
		return false
	}
	if k == tokColons {
		return r.tokens[i-2].kind == tokLeftParen && slices.Contains(declaredTypes, word)
	}
	return slices.Contains(declaredLabels, word) && !slices.ContainsFunc(declaredLabels, func(l string) bool { return strings.EqualFold(l, name) })
}

// betweenTexts reports whether a comma before the token at i, or the one at i, separates two texts of a
// list: they may have been meant as one, or one may be missing.
func (r *repairer) betweenTexts(i, next int) bool {
	if !r.inside(i, tokLeftBracket) {
		return false
	}
	for i--; i > 0 && r.tokens[i].kind == tokComma; i-- {
	}
	for r.tokens[next].kind == tokComma {
		next++
	}
	return texts.has(r.tokens[i].kind) && texts.has(r.tokens[next].kind)
}

// typeAt reports whether what stands at i may be a type, so that a field may be declared.
func (r *repairer) typeAt(i int) bool {
	text := r.tokens[i].text
	return text == "type" || text == "{" || r.tokens[i].kind == tokBacktick || text != "" && 'A' <= text[0] && text[0] <= 'Z'
}

// fits reports whether a token of that kind can stand between the tokens before one
// and from another one on.
func (r *repairer) fits(before int, k kind, from int) bool {
	return (before == 0 || follows(r.tokens[before-1].kind, k)) && follows(k, r.tokens[from].kind)
}

// follows reports whether gram has a token of the second kind after one of the first.
func follows(first, second kind) bool {
	const ends = closers | 1<<tokComma
	set := ends // after a value
	switch {
	case first >= tokBadText || second >= tokBadText:
		return true
	case first == tokArrow:
		set = patterns | 1<<tokArrow
	case first == tokBar:
		set = patterns | names
	case first == tokAt, first == tokAts:
		set = names | colons
	case first == tokComma, colons.has(first):
		set = texts | names | openers | 1<<tokNumber | 1<<tokEllipsis
	case first == tokLeftBrace:
		set = keys | 1<<tokRightBrace
	case first == tokLeftParen, first == tokLeftBracket:
		set = texts | names | openers | colons | 1<<tokNumber | 1<<tokEllipsis | 1<<tokBar | 1<<(first+1)
	case first == tokRightParen, first == tokRightBracket:
		set |= tops | 1<<tokArrow | 1<<tokEnd
	case first == tokRightBrace:
		set |= tops | 1<<tokBar | 1<<tokEnd
	case first == tokDots:
		set = 1<<tokInteger | 1<<tokNumber
	case keys.has(first), names.has(first):
		set |= tops | colons | 1<<tokLeftBrace | 1<<tokBar | 1<<tokBacktick | 1<<tokDots | 1<<tokEllipsis
	}
	return set.has(second)
}

// replace proposes to write another sign for the one at i.
func (r *repairer) replace(i int, text string, cost int) {
	t := &r.tokens[i]
	if k := slices.Index(signOf[:], strings.TrimSpace(text)); r.fits(i, kind(k), i+1) {
		r.propose(cost, writeFix(t.begin(), t.end(), text).asSafe())
	}
}

// remove proposes to remove the sign at i.
func (r *repairer) remove(i int) {
	t := &r.tokens[i]
	cost := 2
	if i > 0 && r.tokens[i-1].text == t.text {
		cost = 0
	}
	if i == 0 || follows(r.tokens[i-1].kind, r.tokens[i+1].kind) {
		f := changeFix("remove "+t.text, t.begin(), t.end(), "")
		f.safe = !(openers | closers).has(t.kind) && t.text != "?" // where a list ends is not clear
		switch {
		case colons.has(t.kind):
			f.safe = i > 0 && r.tokens[i-1].kind == t.kind || r.tokens[i+1].kind == t.kind
		case t.kind == tokComma:
			f.safe = !r.betweenTexts(i, i)
		}
		r.propose(cost, f)
	}
}

// bracket proposes to remove the bracket at i, to write another one, or to write
// another pair. One bracket changes only where that balances them better.
func (r *repairer) bracket(i int) {
	t := &r.tokens[i]
	step, own := 1, t.kind // of the balance
	if closers.has(t.kind) {
		step, own = -1, t.kind-1
	}
	if r.balance[own]*step > 0 {
		r.remove(i)
	}
	partner := r.partner(i)
	for n, other := range similar[t.text] {
		k := kind(slices.Index(signOf[:], other))
		if step < 0 {
			k--
		}
		if r.balance[own]*step > 0 && r.balance[k]*step < 0 {
			r.replace(i, other, 1)
		}
		if partner != nil {
			pair := fix{title: "write " + other + " " + similar[partner.text][n], edits: []edit{
				{t.begin(), t.end(), other}, {partner.begin(), partner.end(), similar[partner.text][n]},
			}}
			pair.safe = t.kind != tokLeftBracket && (other != "{" || len(r.opened(i)) > 0) // else a declaration disappears
			r.propose(2, pair)
		}
	}
}

// partner returns the bracket that closes the one at i, nil when i opens none.
func (r *repairer) partner(i int) *token {
	depth := 0
	for j := i; j < len(r.tokens) && openers.has(r.tokens[i].kind); j++ {
		switch kind := r.tokens[j].kind; {
		case openers.has(kind):
			depth++
		case closers.has(kind):
			depth--
		}
		if depth == 0 && r.tokens[j].kind == r.tokens[i].kind+1 {
			return &r.tokens[j]
		} else if depth == 0 {
			return nil
		}
	}
	return nil
}

// optional proposes to write (x?::Text) as (x::Text {optional: true}).
func (r *repairer) optional(i int) {
	if i == 0 || i+4 > len(r.tokens) || !names.has(r.tokens[i-1].kind) || !r.inParentheses(i) || !colons.has(r.tokens[i+1].kind) {
		return
	}
	mark, label, next := &r.tokens[i], &r.tokens[i+2], &r.tokens[i+3]
	if !names.has(label.kind) {
		return
	}
	written := "::" + r.text[label.begin():label.end()]
	if label.kind == tokSymbol {
		written = "::" + typeLabel(label.text, "")
	}
	record, end := " {optional: true}", label.end()
	switch {
	case next.kind == tokLeftBrace && r.tokens[i+4].kind == tokRightBrace:
		return
	case next.kind == tokLeftBrace:
		record, end = " {optional: true, ", r.tokens[i+4].begin()
	}
	r.propose(-lead, changeFix("write optional: true", mark.begin(), end, written+record).asSafe())
}

// arrow proposes to write another arrow for the signs around i.
func (r *repairer) arrow(i int) {
	from, to := i, i
	for from > 0 && r.tokens[from-1].kind == tokArrow {
		from--
	}
	for r.tokens[to+1].kind == tokArrow || r.tokens[to+1].text == ">" {
		to++
	}
	arrows := []string{longArrow(r.tokens[from].text)}
	if strings.Contains(r.text, "::") { // it may stand between parameters
		arrows = slices.Insert(arrows, 0, "==>")
	}
	for n, arrow := range arrows {
		r.propose(1+n, writeFix(r.tokens[from].begin(), r.tokens[to].end(), arrow).asSafe())
	}
}

// fence proposes to complete the fence that opens a text or that closes it.
func (r *repairer) fence(t *token) {
	switch {
	case t.text == "``":
		r.propose(0, changeFix("open the fence", t.begin(), t.end(), fence))
	case t.kind == tokBadText && t.text[0] == '`':
		r.propose(0, changeFix("open the fence", t.begin(), t.begin()+1, fence))
	case t.kind == tokFence, t.kind == tokBadFence:
		head := strings.IndexByte(t.text, '\n') + 1
		start, end := fenceEnd(r.text[t.begin()+head:])
		written := fence
		if rest := r.text[t.begin()+head+end:]; start == end && rest != "" {
			switch {
			case class[rest[0]]&symbolStart != 0:
				written += ",\n"
			case rest[0] != ',':
				written += "\n"
			}
		}
		r.propose(0, changeFix("close the fence", t.begin()+head+start, t.begin()+head+end, written))
	}
}

// quote proposes to open or to close a text, where that balances the quotes of a line.
func (r *repairer) quote(t *token) {
	line := r.text[strings.LastIndexByte(r.text[:t.begin()], '\n')+1 : lineEnd(r.text, t.begin())]
	for _, quote := range []string{`"`, "`", "'"} {
		if strings.Count(line, quote)%2 == 1 && (t.kind == tokSymbol || t.bad() || openers.has(t.kind)) {
			r.propose(1, changeFix("open the text", t.begin(), t.begin(), quote))
		}
	}
	if t.kind < tokSingle || t.kind == tokFence || t.kind > tokBacktick && !t.bad() || strings.Count(line, t.text[:1])%2 == 0 {
		return
	}
	n := 0
	for at := 1; at < len(t.text) && n < 20; at++ {
		if strings.IndexByte(",|)]}", t.text[at]) >= 0 {
			n++
			end := t.begin() + len(strings.TrimRight(t.text[:at], " \t"))
			r.propose(n, changeFix("close the text", end, end, t.text[:1]))
		}
	}
}
