package grammar

import (
	"cmp"
	"slices"
	"strings"
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

// proposeNearby tries the changes of one token around a mistake, or of a pair of tokens.
func (r *repairer) proposeNearby(p *problem) {
	const before, after = 6, 2
	at, _ := slices.BinarySearchFunc(r.tokens, p.start, func(t token, start int) int { return cmp.Compare(t.end(), start+1) })
	r.distance = 2
	for _, i := range r.openTokens(at - before) {
		r.proposeBracket(i)
	}
	for i := max(0, at-before); i <= min(at+after, len(r.tokens)-1); i++ {
		r.distance = 2 * max(at-i, i-at)
		r.proposeForeignValue(i)
		r.proposeForeignToolList(i)
		r.proposeForeignEnumValues(i)
		r.proposeMissingName(i)
		r.proposeStepText(i)
		r.proposeTextQuote(i)
		r.proposeTextFence(&r.tokens[i])
		r.proposeInsert(i)
		r.proposeSwap(i)
		r.proposeChange(i)
	}
	r.distance = 0
	r.proposeLostTextFence(at)
	if p.kind == unclosed {
		r.proposeClosers(p)
	}
}

// proposeChange proposes what may be meant by the token at i.
func (r *repairer) proposeChange(i int) {
	t := &r.tokens[i]
	switch {
	case t.kind == tokSymbol && strings.HasSuffix(t.text, ".") && r.tokenIsInRecord(i) && i > 0 && (r.tokens[i-1].kind == tokLeftBrace || r.tokens[i-1].kind == tokComma) && startsValue(r.tokens[i+1]):
		r.propose(-lead, writeFix(t.begin()+len(strings.TrimRight(t.text, ".")), t.end(), ":"))
	case t.kind == tokSymbol && strings.HasSuffix(t.text, "."):
		r.propose(0, writeFix(t.end()-1, t.end(), ",").asSafe())
	case names.has(t.kind), texts.has(t.kind):
		r.proposeName(i)
	case openers.has(t.kind), closers.has(t.kind):
		r.proposeBracket(i)
	case t.text == "?":
		r.proposeOptional(i)
	case t.kind == tokColon && r.tokens[i+1].kind == tokLeftBrace:
		for n, label := range r.likelyLabelsFromTokens(i + 1) {
			r.propose(n, insertFix(label, t.end()))
		}
	case t.kind == tokColon && i > 0 && (r.tokens[i-1].kind == tokLeftBrace || r.tokens[i-1].kind == tokComma):
		for _, key := range r.missingKeysFromTokens(i) {
			r.propose(lead, insertFix(key, t.begin()))
		}
	case t.kind == tokArrow:
		r.proposeArrow(i)
	}
	if signs.has(t.kind) || t.kind == tokBadChars {
		r.proposeSign(i)
	}
}

// proposeName proposes to remove a second name or text, or to put a name in parentheses.
func (r *repairer) proposeName(i int) {
	t := &r.tokens[i]
	if i > 0 && r.tokens[i-1].text == t.text && !(texts.has(t.kind) && r.tokenIsInside(i, tokLeftBracket)) {
		r.propose(-1, changeFix("remove the second "+clipMessage(t.text), r.tokens[i-1].end(), t.end(), ""))
	}
	if names.has(t.kind) && r.tokenFits(i, tokLeftParen, i) && repairTokenFollows(tokRightParen, r.tokens[i+1].kind) {
		f := writeFix(t.begin(), t.end(), "("+t.text+")")
		touching := r.tokens[i+1].kind == tokLeftBracket && r.tokens[i+1].begin() == t.end() // the name may stand in it
		f.safe = r.tokens[i+1].kind != tokLeftParen && !touching && (i == 0 || !(names | 1<<tokRightParen).has(r.tokens[i-1].kind) || t.first())
		r.propose(3, f)
	}
	next := &r.tokens[i+1]
	if r.tokenIsConjunction(i) && (r.tokenIsBesideOtherValue(i) && next.kind != tokSymbol || r.tokenIsInside(i, tokLeftBracket) && next.kind == tokSymbol) {
		r.propose(-lead, writeFix(r.tokens[i-1].end(), t.end(), ","))
	}
	if t.kind == tokSymbol && texts.has(next.kind) && next.begin() == t.end() && len(t.text) < 3 {
		r.propose(0, changeFix("remove "+t.text, t.begin(), t.end(), "")) // f"…" of Python
	}
	if t.kind == tokSymbol && next.kind == tokSymbol && repairTokenIsLabel(t.text) && i > 0 && r.tokens[i-1].kind == tokLeftBracket && r.tokens[i+2].kind != tokColon {
		label := strings.ToUpper(t.text[:1]) + t.text[1:]
		r.propose(-1, writeFix(t.begin(), next.end(), next.text+":"+label))
	}
	if strings.HasSuffix(t.text, "-") && t.kind == tokSymbol {
		if r.tokenIsInRecord(i) {
			r.propose(0, writeFix(t.end()-1, t.end(), ":"))
		} else if r.tokenIsInParentheses(i) {
			r.propose(2, insertFix(")", t.end()-1))
		}
	}
}

// proposeSign proposes to remove the sign at i, or to write another one.
func (r *repairer) proposeSign(i int) {
	t := &r.tokens[i]
	bracket := (openers | closers).has(t.kind)
	if !bracket {
		if t.text == "=" {
			cost := 1 + lead
			switch {
			case r.tokenIsInParentheses(i):
				cost = 0
			case r.tokenIsType(i + 1):
				cost = 2
			}
			r.proposeReplace(i, "::", cost)
		}
		if i > 0 && r.tokens[i-1].kind == tokRightParen && r.tokens[i+1].kind == tokLeftParen && strings.Contains(r.text, "==>") {
			r.propose(0, writeFix(t.begin(), t.end(), chainArrow(r.text, t.begin()))) // another sign can be meant
		}
		for _, other := range similar[t.text] {
			r.proposeReplace(i, other, 1)
		}
		r.proposeRemove(i)
	}
	if end := r.unitEndToken(i); !bracket || r.surplusTokens(t.kind) > 0 {
		r.proposeOther(i, end)
	}
}

// proposeOther proposes to write any other sign for the one before end at i.
func (r *repairer) proposeOther(i, end int) {
	if i > 0 && r.unitEndToken(i-1) > i {
		return
	}
	t := &r.tokens[i]
	for k := tokLeftParen; k <= tokArrow; k++ {
		written, cost := signOf[k], unlikely
		switch {
		case k == t.kind, k == tokColons && r.tokenIsInRecord(i) && !r.tokenIsType(end), end == i+1 && slices.Contains(similar[t.text], written), (openers | closers).has(k) && r.surplusTokens(k) >= 0, !r.tokenFits(i, k, end):
			continue
		case k == tokArrow:
			written = chainArrow(r.text, t.begin())
		case k == tokColon && r.tokenIsInParentheses(i) && strings.Contains(r.text, "::"):
			cost++
		}
		r.propose(cost, writeFix(t.begin(), r.tokens[end-1].end(), written))
	}
}

// unlikely is the cost of what is rarely meant.
const unlikely = 2 * lead

// proposeSwap proposes to exchange the token at i and the next one.
func (r *repairer) proposeSwap(i int) {
	j := r.unitEndToken(i)
	k := r.unitEndToken(j)
	if i > 0 && r.unitEndToken(i-1) > i || k >= len(r.tokens) {
		return
	}
	first, second := r.tokens[i], r.tokens[j]
	last := r.tokens[j-1]
	if !signs.has(first.kind) && !signs.has(second.kind) || first.kind == second.kind || first.bad() || second.bad() || second.kind == tokEnd {
		return
	}
	if i > 0 && !repairTokenFollows(r.tokens[i-1].kind, second.kind) || !repairTokenFollows(r.tokens[k-1].kind, first.kind) || !repairTokenFollows(last.kind, r.tokens[k].kind) {
		return
	}
	end := r.tokens[k-1].end()
	a, b := r.text[first.begin():last.end()], r.text[second.begin():end]
	title := "put " + clipMessage(b) + " before " + clipMessage(a)
	r.propose(unlikely, changeFix(title, first.begin(), end, b+r.text[last.end():second.begin()]+a))
}

// proposeClosers tries to close all brackets at the end of the text.
func (r *repairer) proposeClosers(p *problem) {
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

// proposeInsert proposes to add a sign before a token.
func (r *repairer) proposeInsert(i int) {
	start := r.tokens[i].begin()
	end := start
	if i > 0 {
		end = r.tokens[i-1].end()
	}
	for k := tokLeftParen; k <= tokArrow; k++ {
		switch {
		case k == tokColons && !r.tokenIsInParentheses(i) && !r.tokenIsType(i), !r.tokenFits(i, k, i), openers.has(k) && r.balance[k] >= 0, closers.has(k) && r.balance[k-1] <= 0:
		case k == tokArrow:
			r.propose(2, insertFix(chainArrow(r.text, start), start).asSafe())
		case k == tokBar:
			f := insertFix(" |", end)
			f.safe = i > 0 && !openers.has(r.tokens[i-1].kind) && !(start == end && names.has(r.tokens[i].kind))
			r.propose(2, f)
		case colons.has(k) && !r.tokenIsInRecord(i):
			f := insertFix(signOf[k], end)
			cost := 2 + lead
			if f.safe = r.tokenMissesColon(i, k); f.safe || k == tokColon && !strings.Contains(r.text, "::") {
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
			empty := i > 0 && openers.has(r.tokens[i-1].kind)
			cut := i > 0 && r.tokens[i-1].kind == tokSymbol && strings.ContainsAny(r.text[end-1:end], "@-") // of a name
			f.safe = k != tokRightBracket && k != tokRightBrace && k != tokAts && !empty && !cut && !touching && !(k == tokComma && (r.tokenIsBetweenTexts(i, i) || r.tokenIsBesideOtherValue(i) || r.tokenIsConjunction(i) || r.tokenIsConjunction(i-1)))
			r.propose(2, f)
		}
	}
}

// proposeReplace proposes to write another sign for the one at i.
func (r *repairer) proposeReplace(i int, text string, cost int) {
	t := &r.tokens[i]
	if k := slices.Index(signOf[:], strings.TrimSpace(text)); r.tokenFits(i, kind(k), i+1) {
		f := writeFix(t.begin(), t.end(), text)
		f.safe = t.kind != tokComma || i == 0 || !lowerCaseName(r.tokens[i-1]) // it can be the first element
		r.propose(cost, f)
	}
}

func lowerCaseName(t token) bool { return t.kind == tokSymbol && 'a' <= t.text[0] && t.text[0] <= 'z' }

// proposeRemove proposes to remove the sign at i.
func (r *repairer) proposeRemove(i int) {
	t := &r.tokens[i]
	cost := 2
	if i > 0 && r.tokens[i-1].text == t.text {
		cost = 0
	}
	if i == 0 || repairTokenFollows(r.tokens[i-1].kind, r.tokens[i+1].kind) {
		f := changeFix("remove "+t.text, t.begin(), t.end(), "")
		f.safe = r.superfluousToken(i)
		r.propose(cost, f)
	}
}

// proposeBracket proposes to remove the bracket at i, to write another one, or to write
// another pair. One bracket changes only where that balances them better.
func (r *repairer) proposeBracket(i int) {
	t := &r.tokens[i]
	step, own := 1, t.kind // of the balance
	if closers.has(t.kind) {
		step, own = -1, t.kind-1
	}
	if r.balance[own]*step > 0 {
		r.proposeRemove(i)
	}
	partner := r.partnerToken(i)
	for n, other := range similar[t.text] {
		k := kind(slices.Index(signOf[:], other))
		if step < 0 {
			k--
		}
		if r.balance[own]*step > 0 && r.balance[k]*step < 0 {
			r.proposeReplace(i, other, 1)
		}
		if partner >= 0 {
			partner := &r.tokens[partner]
			pair := fix{title: "write " + other + " " + similar[partner.text][n], edits: []edit{
				{t.begin(), t.end(), other}, {partner.begin(), partner.end(), similar[partner.text][n]},
			}}
			pair.safe = t.kind != tokLeftBracket && (other != "{" || len(r.openTokens(i)) > 0) // else a declaration disappears
			r.propose(2, pair)
		}
	}
}

// proposeOptional proposes to write (x?::Text) as (x::Text {optional: true}).
func (r *repairer) proposeOptional(i int) {
	if i == 0 || i+4 > len(r.tokens) || !names.has(r.tokens[i-1].kind) || !colons.has(r.tokens[i+1].kind) {
		return
	}
	mark, label, next := &r.tokens[i], &r.tokens[i+2], &r.tokens[i+3]
	if !names.has(label.kind) {
		return
	}
	written := "::" + r.text[label.begin():label.end()]
	if label.kind == tokSymbol {
		written = "::" + foreignTypeWord(label.text)
	}
	record, end := " {optional: true}", label.end()
	switch {
	case !r.tokenIsInParentheses(i):
		written, record = "::{type: "+strings.TrimPrefix(written, "::"), ", optional: true}"
	case next.kind == tokLeftBrace && r.tokens[i+4].kind == tokRightBrace:
		end = r.tokens[i+4].end()
	case next.kind == tokLeftBrace:
		record, end = " {optional: true, ", r.tokens[i+4].begin()
	}
	r.propose(-lead, changeFix("write optional: true", mark.begin(), end, written+record).asSafe())
}

// proposeArrow proposes to write another arrow for the signs around i.
func (r *repairer) proposeArrow(i int) {
	from, to := i, i
	for from > 0 && r.tokens[from-1].kind == tokArrow {
		from--
	}
	for r.tokens[to+1].kind == tokArrow || r.tokens[to+1].text == ">" {
		to++
	}
	arrows := []string{longPathArrow(r.tokens[from].text)}
	chain := chainArrow(r.text, r.tokens[from].begin())
	switch chains := strings.Count(r.text, "==>"); {
	case chain == arrows[0]:
	case strings.Contains(r.text, "::"), chains > strings.Count(r.text, "-->"): // it may stand between parameters
		arrows = slices.Insert(arrows, 0, chain)
	case chains > 0:
		arrows = append(arrows, chain)
	}
	for n, arrow := range arrows {
		r.propose(1+n, writeFix(r.tokens[from].begin(), r.tokens[to].end(), arrow).asSafe())
	}
}
