package grammar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// surplusTokens returns how many more brackets of a kind there are than of its partner.
func (r *repairer) surplusTokens(k kind) int {
	if closers.has(k) {
		return -r.balance[k-1]
	}
	return r.balance[k]
}

// unitEndToken returns the index after the token at i, or after the arrow there.
func (r *repairer) unitEndToken(i int) int {
	if i >= len(r.tokens) {
		return i
	}
	for i++; i < len(r.tokens) && r.tokens[i].kind == tokArrow && r.tokens[i-1].kind == tokArrow && r.tokens[i].begin() == r.tokens[i-1].end(); i++ {
	}
	return i
}

// likelyLabelsFromTokens returns the labels of which the properties are known that stand in the
// record at i, the likeliest first.
func (r *repairer) likelyLabelsFromTokens(i int) (likely []string) {
	keys := r.keysFromTokens(i)
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
	for _, w := range repairTokenLabels() {
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

// keysFromTokens returns the keys of the record that opens at i.
func (r *repairer) keysFromTokens(i int) (keys []string) {
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

// missingKeysFromTokens returns the required properties that are missing in the record around the
// token at i.
func (r *repairer) missingKeysFromTokens(i int) (missing []string) {
	open := r.openTokens(i)
	if len(open) == 0 || open[0] < 2 || !colons.has(r.tokens[open[0]-2].kind) {
		return nil
	}
	label := r.tokens[open[0]-1].text
	keys := r.keysFromTokens(open[0])
	for _, w := range repairTokenLabels() {
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

// openTokens returns the brackets that are open before the token at i, at most the four
// innermost.
func (r *repairer) openTokens(i int) (open []int) {
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

func (r *repairer) tokenIsInParentheses(i int) bool { return r.tokenIsInside(i, tokLeftParen) }

func (r *repairer) tokenIsInRecord(i int) bool { return r.tokenIsInside(i, tokLeftBrace) }

// tokenIsInside reports whether the innermost bracket that is open before the token at i is of
// that kind.
func (r *repairer) tokenIsInside(i int, opener kind) bool {
	open := r.openTokens(i)
	return len(open) > 0 && r.tokens[open[0]].kind == opener
}

// repairTokenIsLabel reports whether a name is a label of a pattern or of an entry of a library, in
// capitals or not.
func repairTokenIsLabel(name string) bool {
	return slices.ContainsFunc(repairTokenLabels(), func(w vocabulary.Word) bool { return strings.EqualFold(w.Name, name) })
}

func repairTokenLabels() []vocabulary.Word {
	return slices.Concat(vocabulary.Labels(), vocabulary.EntryLabels())
}

// repairTokenIsType reports whether a name is a type of the language.
func repairTokenIsType(name string) bool {
	return slices.ContainsFunc(vocabulary.TypeNames(), func(t vocabulary.TypeName) bool { return t.Name == name })
}

// tokenMissesColon reports whether : or :: clearly is what is missing before the token at i: a
// known label or type, after the name at the start of a pattern. Any other word would
// become a label.
func (r *repairer) tokenMissesColon(i int, k kind) bool {
	if i < 2 || r.tokens[i-1].kind != tokSymbol || !openers.has(r.tokens[i-2].kind) {
		return false
	}
	name, word := r.tokens[i-1].text, r.tokens[i].text
	if repairTokenIsLabel(name) || repairTokenIsType(name) || strings.EqualFold(name, word) {
		return false
	}
	if k == tokColons {
		return r.tokens[i-2].kind == tokLeftParen && repairTokenIsType(word)
	}
	return slices.ContainsFunc(repairTokenLabels(), func(w vocabulary.Word) bool { return w.Name == word })
}

// tokenIsBetweenTexts reports whether a comma before the token at i, or the one at i, separates two texts of a
// list: they may have been meant as one, or one may be missing.
func (r *repairer) tokenIsBetweenTexts(i, next int) bool {
	if !r.tokenIsInside(i, tokLeftBracket) {
		return false
	}
	for i--; i > 0 && r.tokens[i].kind == tokComma; i-- {
	}
	for r.tokens[next].kind == tokComma {
		next++
	}
	return texts.has(r.tokens[i].kind) && texts.has(r.tokens[next].kind)
}

// tokenIsBesideOtherValue reports whether the token at i and the one before it, both in a list, are
// values of different kinds: words, texts or numbers.
func (r *repairer) tokenIsBesideOtherValue(i int) bool {
	if i == 0 || !r.tokenIsInside(i, tokLeftBracket) {
		return false
	}
	before, after := simpleValueKind(r.tokens[i-1].kind), simpleValueKind(r.tokens[i].kind)
	return before != 0 && after != 0 && before != after
}

// tokenIsConjunction reports whether the token at i is a word that joins others in prose.
func (r *repairer) tokenIsConjunction(i int) bool {
	return i > 0 && r.tokens[i].kind == tokSymbol && (r.tokens[i].text == "and" || r.tokens[i].text == "or")
}

// simpleValueKind returns the kinds of tokens that are values like one of that kind, 0 for
// what is no value.
func simpleValueKind(k kind) kinds {
	for _, alike := range []kinds{1 << tokSymbol, texts, 1<<tokInteger | 1<<tokNumber} {
		if alike.has(k) {
			return alike
		}
	}
	return 0
}

// tokenIsType reports whether what stands at i may be a type, so that a field may be declared.
func (r *repairer) tokenIsType(i int) bool {
	text := r.tokens[i].text
	return text == "type" || text == "{" || r.tokens[i].kind == tokBacktick || text != "" && 'A' <= text[0] && text[0] <= 'Z'
}

// tokenFits reports whether a token of that kind can stand between the tokens before one
// and from another one on.
func (r *repairer) tokenFits(before int, k kind, from int) bool {
	return (before == 0 || repairTokenFollows(r.tokens[before-1].kind, k)) && repairTokenFollows(k, r.tokens[from].kind)
}

// repairTokenFollows reports whether gram has a token of the second kind after one of the first.
func repairTokenFollows(first, second kind) bool {
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

// superfluousToken reports whether the sign at i can only be too much: there it is again, or it
// is a comma before the end of a list. With a gap beside it something else may be missing.
func (r *repairer) superfluousToken(i int) bool {
	t, next := &r.tokens[i], &r.tokens[i+1]
	again := i > 0 && r.tokens[i-1].kind == t.kind && r.tokens[i-1].end() == t.begin() || next.kind == t.kind && t.end() == next.begin()
	switch {
	case (openers | closers).has(t.kind), t.kind == tokComma && r.tokenIsBetweenTexts(i, i):
		return false
	case t.kind == tokComma && i > 0 && r.tokens[i-1].end() == t.begin():
		return again || closers.has(next.kind) && (t.end() == next.begin() || next.indent > 0)
	}
	return again
}

// partnerToken returns the index of the bracket that closes the one at i, -1 when i opens none.
func (r *repairer) partnerToken(i int) int {
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
