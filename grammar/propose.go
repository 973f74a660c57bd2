package grammar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// This file proposes the changes near a mistake that may fix it.

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

// isLabel reports whether a name is a label of a pattern or of an entry of a library, in
// capitals or not.
func isLabel(name string) bool {
	return slices.ContainsFunc(labels(), func(w vocabulary.Word) bool { return strings.EqualFold(w.Name, name) })
}

func labels() []vocabulary.Word { return slices.Concat(vocabulary.Labels(), vocabulary.EntryLabels()) }

// isType reports whether a name is a type of the language.
func isType(name string) bool {
	return slices.ContainsFunc(vocabulary.TypeNames(), func(t vocabulary.TypeName) bool { return t.Name == name })
}

// missesColon reports whether : or :: clearly is what is missing before the token at i: a
// known label or type, after the name at the start of a pattern. Any other word would
// become a label.
func (r *repairer) missesColon(i int, k kind) bool {
	if i < 2 || r.tokens[i-1].kind != tokSymbol || !openers.has(r.tokens[i-2].kind) {
		return false
	}
	name, word := r.tokens[i-1].text, r.tokens[i].text
	if isLabel(name) || isType(name) || strings.EqualFold(name, word) {
		return false
	}
	if k == tokColons {
		return r.tokens[i-2].kind == tokLeftParen && isType(word)
	}
	return slices.ContainsFunc(labels(), func(w vocabulary.Word) bool { return w.Name == word })
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
