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

// nearby tries the changes of one token around a mistake, or of a pair of tokens.
func (r *repairer) nearby(p *problem) {
	const before, after = 6, 2
	at, _ := slices.BinarySearchFunc(r.tokens, p.start, func(t token, start int) int { return cmp.Compare(t.end(), start+1) })
	r.distance = 2
	for _, i := range r.opened(at - before) {
		r.bracket(i)
	}
	for i := max(0, at-before); i <= min(at+after, len(r.tokens)-1); i++ {
		r.distance = 2 * max(at-i, i-at)
		r.value(i)
		r.toolList(i)
		r.enumValues(i)
		r.missingName(i)
		r.quote(i)
		r.fence(&r.tokens[i])
		r.insert(i)
		r.swap(i)
		r.change(i)
	}
	r.distance = 0
	r.lostFence(at)
	if p.kind == unclosed {
		r.closeAll(p)
	}
}

// change proposes what may be meant by the token at i.
func (r *repairer) change(i int) {
	t := &r.tokens[i]
	switch {
	case t.kind == tokSymbol && strings.HasSuffix(t.text, "."):
		r.propose(0, writeFix(t.end()-1, t.end(), ",").asSafe())
	case names.has(t.kind), texts.has(t.kind):
		r.name(i)
	case openers.has(t.kind), closers.has(t.kind):
		r.bracket(i)
	case t.text == "?":
		r.optional(i)
	case t.kind == tokColon && r.tokens[i+1].kind == tokLeftBrace:
		for n, label := range r.likelyLabels(i + 1) {
			r.propose(n, insertFix(label, t.end()))
		}
	case t.kind == tokColon && i > 0 && (r.tokens[i-1].kind == tokLeftBrace || r.tokens[i-1].kind == tokComma):
		for _, key := range r.missingKeys(i) {
			r.propose(lead, insertFix(key, t.begin()))
		}
	case t.kind == tokArrow:
		r.arrow(i)
	}
	if signs.has(t.kind) || t.kind == tokBadChars {
		r.sign(i)
	}
}

// name proposes to remove a second name or text, or to put a name in parentheses.
func (r *repairer) name(i int) {
	t := &r.tokens[i]
	if i > 0 && r.tokens[i-1].text == t.text && !(texts.has(t.kind) && r.inside(i, tokLeftBracket)) {
		r.propose(-1, changeFix("remove the second "+clipMessage(t.text), r.tokens[i-1].end(), t.end(), ""))
	}
	if names.has(t.kind) && r.fits(i, tokLeftParen, i) && follows(tokRightParen, r.tokens[i+1].kind) {
		f := writeFix(t.begin(), t.end(), "("+t.text+")")
		f.safe = i == 0 || !(names | 1<<tokRightParen).has(r.tokens[i-1].kind) || t.first()
		r.propose(3, f)
	}
	next := &r.tokens[i+1]
	if t.kind == tokSymbol && texts.has(next.kind) && next.begin() == t.end() && len(t.text) < 3 {
		r.propose(0, changeFix("remove "+t.text, t.begin(), t.end(), "")) // f"…" of Python
	}
	if t.kind == tokSymbol && next.kind == tokSymbol && isLabel(t.text) && i > 0 && r.tokens[i-1].kind == tokLeftBracket && r.tokens[i+2].kind != tokColon {
		label := strings.ToUpper(t.text[:1]) + t.text[1:]
		r.propose(-1, writeFix(t.begin(), next.end(), next.text+":"+label))
	}
	if strings.HasSuffix(t.text, "-") && t.kind == tokSymbol {
		if r.inRecord(i) {
			r.propose(0, writeFix(t.end()-1, t.end(), ":"))
		} else if r.inParentheses(i) {
			r.propose(2, insertFix(")", t.end()-1))
		}
	}
}

// sign proposes to remove the sign at i, or to write another one.
func (r *repairer) sign(i int) {
	t := &r.tokens[i]
	bracket := (openers | closers).has(t.kind)
	if !bracket {
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
	if end := r.unitEnd(i); !bracket || r.surplus(t.kind) > 0 {
		r.other(i, end)
	}
}

// other proposes to write any other sign for the one before end at i.
func (r *repairer) other(i, end int) {
	if i > 0 && r.unitEnd(i-1) > i {
		return
	}
	t := &r.tokens[i]
	for k := tokLeftParen; k <= tokArrow; k++ {
		written, cost := signOf[k], unlikely
		switch {
		case k == t.kind, k == tokColons && r.inRecord(i) && !r.typeAt(end), end == i+1 && slices.Contains(similar[t.text], written), (openers | closers).has(k) && r.surplus(k) >= 0, !r.fits(i, k, end):
			continue
		case k == tokArrow:
			written = "==>"
		case k == tokColon && r.inParentheses(i) && strings.Contains(r.text, "::"):
			cost++
		}
		r.propose(cost, writeFix(t.begin(), r.tokens[end-1].end(), written))
	}
}

// unlikely is the cost of what is rarely meant.
const unlikely = 2 * lead

// surplus returns how many more brackets of a kind there are than of its partner.
func (r *repairer) surplus(k kind) int {
	if closers.has(k) {
		return -r.balance[k-1]
	}
	return r.balance[k]
}

// swap proposes to exchange the token at i and the next one.
func (r *repairer) swap(i int) {
	j := r.unitEnd(i)
	k := r.unitEnd(j)
	if i > 0 && r.unitEnd(i-1) > i || k >= len(r.tokens) {
		return
	}
	first, second := r.tokens[i], r.tokens[j]
	last := r.tokens[j-1]
	if !signs.has(first.kind) && !signs.has(second.kind) || first.kind == second.kind || first.bad() || second.bad() || second.kind == tokEnd {
		return
	}
	if i > 0 && !follows(r.tokens[i-1].kind, second.kind) || !follows(r.tokens[k-1].kind, first.kind) || !follows(last.kind, r.tokens[k].kind) {
		return
	}
	end := r.tokens[k-1].end()
	a, b := r.text[first.begin():last.end()], r.text[second.begin():end]
	title := "put " + clipMessage(b) + " before " + clipMessage(a)
	r.propose(unlikely, changeFix(title, first.begin(), end, b+r.text[last.end():second.begin()]+a))
}

// unitEnd returns the index after the token at i, or after the arrow there.
func (r *repairer) unitEnd(i int) int {
	if i >= len(r.tokens) {
		return i
	}
	for i++; i < len(r.tokens) && r.tokens[i].kind == tokArrow && r.tokens[i-1].kind == tokArrow && r.tokens[i].begin() == r.tokens[i-1].end(); i++ {
	}
	return i
}

// likelyLabels returns the labels of which the properties are known that stand in the
// record at i, the likeliest first.
func (r *repairer) likelyLabels(i int) (likely []string) {
	keys := r.keysFrom(i)
	const most = 3
	var found []vocabulary.Word
	known := func(w vocabulary.Word) (n int) {
		all := vocabulary.Keys(w.Owner)
		for _, key := range keys {
			if slices.Contains(all, key) {
				n++
			}
		}
		return n
	}
	for _, w := range labels() {
		if known(w) > 0 {
			found = append(found, w)
		}
	}
	slices.SortStableFunc(found, func(a, b vocabulary.Word) int { return cmp.Compare(known(b), known(a)) })
	if len(found) == 0 {
		return []string{ast.LabelAgent, ast.LabelTool}
	}
	for _, w := range found[:min(len(found), most)] {
		likely = append(likely, w.Name)
	}
	return likely
}

// keysFrom returns the keys of the record that opens at i.
func (r *repairer) keysFrom(i int) (keys []string) {
	depth := 0
	for ; i+1 < len(r.tokens); i++ {
		switch t := &r.tokens[i]; {
		case openers.has(t.kind):
			depth++
		case closers.has(t.kind):
			depth--
		case depth == 1 && names.has(t.kind) && colons.has(r.tokens[i+1].kind):
			keys = append(keys, t.text)
		}
		if depth == 0 {
			break
		}
	}
	return keys
}

// missingKeys returns the properties that what has the record around i must have and
// has not.
func (r *repairer) missingKeys(i int) (missing []string) {
	open := r.opened(i)
	if len(open) == 0 || open[0] < 2 || !colons.has(r.tokens[open[0]-2].kind) {
		return nil
	}
	label := r.tokens[open[0]-1].text
	keys := r.keysFrom(open[0])
	for _, w := range labels() {
		if w.Name != label {
			continue
		}
		for _, p := range vocabulary.Properties(w.Owner) {
			if p.Required && !slices.Contains(keys, p.Key) {
				missing = append(missing, p.Key)
			}
		}
	}
	return missing
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
			f := insertFix(" |", end)
			f.safe = i > 0 && !openers.has(r.tokens[i-1].kind)
			r.propose(2, f)
		case colons.has(k) && !r.inRecord(i):
			f := insertFix(signOf[k], end)
			cost := 2 + lead
			if f.safe = r.missesColon(i, k); f.safe {
				cost = 2
			}
			r.propose(cost, f)
		case openers.has(k), k == tokAt:
			f := insertFix(signOf[k], start)
			switch k {
			case tokAt:
				f.safe = !strings.Contains(r.tokens[i].text, "@")
			case tokLeftParen:
				glued := i > 0 && start == end && closers.has(r.tokens[i-1].kind)
				f.safe = !glued && !(colons | closers).has(r.tokens[i].kind) // which of the two colons is not clear
			}
			r.propose(2, f)
		default:
			f := insertFix(signOf[k], end) // where a list ends is not clear
			touching := start == end && (k == tokComma || openers.has(r.tokens[i].kind))
			cut := i > 0 && r.tokens[i-1].kind == tokSymbol && strings.ContainsAny(r.text[end-1:end], "@-") // of a name
			f.safe = k != tokRightBracket && k != tokRightBrace && k != tokAts && !cut && !touching && !(k == tokComma && r.betweenTexts(i, i))
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
		f.safe = r.superfluous(i)
		r.propose(cost, f)
	}
}

// superfluous reports whether the sign at i can only be too much: there it is again, or it
// is a comma before the end of a list. With a gap beside it something else may be missing.
func (r *repairer) superfluous(i int) bool {
	t, next := &r.tokens[i], &r.tokens[i+1]
	again := i > 0 && r.tokens[i-1].kind == t.kind && r.tokens[i-1].end() == t.begin() || next.kind == t.kind && t.end() == next.begin()
	switch {
	case (openers | closers).has(t.kind), t.kind == tokComma && r.betweenTexts(i, i):
		return false
	case t.kind == tokComma && i > 0 && r.tokens[i-1].end() == t.begin():
		return again || closers.has(next.kind) && (t.end() == next.begin() || next.indent > 0)
	}
	return again
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
		if partner >= 0 {
			partner := &r.tokens[partner]
			pair := fix{title: "write " + other + " " + similar[partner.text][n], edits: []edit{
				{t.begin(), t.end(), other}, {partner.begin(), partner.end(), similar[partner.text][n]},
			}}
			pair.safe = t.kind != tokLeftBracket && (other != "{" || len(r.opened(i)) > 0) // else a declaration disappears
			r.propose(2, pair)
		}
	}
}

// partner returns the index of the bracket that closes the one at i, -1 when i opens none.
func (r *repairer) partner(i int) int {
	depth := 0
	for j := i; j < len(r.tokens) && openers.has(r.tokens[i].kind); j++ {
		switch kind := r.tokens[j].kind; {
		case openers.has(kind):
			depth++
		case closers.has(kind):
			depth--
		}
		if depth == 0 && r.tokens[j].kind == r.tokens[i].kind+1 {
			return j
		} else if depth == 0 {
			return -1
		}
	}
	return -1
}

// optional proposes to write (x?::Text) as (x::Text {optional: true}).
func (r *repairer) optional(i int) {
	if i == 0 || i+4 > len(r.tokens) || !names.has(r.tokens[i-1].kind) || !colons.has(r.tokens[i+1].kind) {
		return
	}
	mark, label, next := &r.tokens[i], &r.tokens[i+2], &r.tokens[i+3]
	if !names.has(label.kind) {
		return
	}
	written := "::" + r.text[label.begin():label.end()]
	if label.kind == tokSymbol {
		written = "::" + typeWord(label.text)
	}
	record, end := " {optional: true}", label.end()
	switch {
	case !r.inParentheses(i):
		written, record = "::{type: "+strings.TrimPrefix(written, "::"), ", optional: true}"
	case next.kind == tokLeftBrace && r.tokens[i+4].kind == tokRightBrace:
		end = r.tokens[i+4].end()
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
