package grammar

import "strings"

// This file proposes where texts in quotes and fences start and end.

// proposeTextFence proposes to complete the fence that opens a text or that closes it.
func (r *repairer) proposeTextFence(t *token) {
	switch {
	case t.text == "``":
		r.propose(0, changeFix("open the fence", t.begin(), t.end(), fence))
	case t.kind == tokBadText && t.text[0] == '`':
		r.propose(0, changeFix("open the fence", t.begin(), t.begin()+1, fence))
	case t.kind == tokFence, t.kind == tokBadFence:
		head := strings.IndexByte(t.text, '\n') + 1
		start, end := textFenceEnd(r.text[t.begin()+head:])
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

// proposeLostTextFence proposes to open the fence of the value before the token at i, of which only the
// closing one is there.
func (r *repairer) proposeLostTextFence(i int) {
	const before = 4
	if strings.Count(r.text, fence)%2 == 0 {
		return
	}
	for c := min(i, len(r.tokens)-2); c > max(0, i-before); c-- {
		value := &r.tokens[c+1]
		if r.tokens[c].kind != tokColon || !keys.has(r.tokens[c-1].kind) || !strings.Contains(r.text[value.begin():], fence) {
			continue
		}
		at, end, opened := value.begin(), value.begin(), fence
		gap := r.text[r.tokens[c].end():at]
		switch rest := r.text[value.end():lexLineEnd(r.text, value.end())]; {
		case strings.HasPrefix(r.text[at:], "``"):
			return // of which one backtick is missing
		case strings.Contains(gap, "\n"):
			at = r.tokens[c].end()
			end, opened = at+strings.IndexByte(gap, '\n'), " "+fence
		case value.kind == tokSymbol && strings.TrimSpace(rest) == "" && len(gap) < 2: // the tag
		default:
			at -= max(0, len(gap)-1) // the text may be indented
			end, opened = at, opened+"\n"
		}
		r.propose(-lead, changeFix("open the fence", at, end, opened))
	}
}

// proposeTextQuote proposes to open or to close a text, where that balances the quotes of a line.
func (r *repairer) proposeTextQuote(i int) {
	t := &r.tokens[i]
	line := r.text[strings.LastIndexByte(r.text[:t.begin()], '\n')+1 : lexLineEnd(r.text, t.begin())]
	after := i > 0 && (openers | colons | 1<<tokComma | 1<<tokBar).has(r.tokens[i-1].kind)
	if i > 0 && r.tokens[i-1].kind == tokSymbol && r.tokens[i-1].end() == t.begin() && strings.Count(line, "`")%2 == 1 {
		r.propose(1, changeFix("open the text", t.begin(), t.begin(), "`")) // after its tag
	}
	for _, quote := range []string{`"`, "`", "'"} {
		if strings.Count(line, quote)%2 == 1 && t.kind != tokEnd && (after || t.kind == tokSymbol || t.bad() || openers.has(t.kind)) {
			r.propose(1, changeFix("open the text", t.begin(), t.begin(), quote))
		}
	}
	if t.kind < tokSingle || t.kind == tokFence || t.kind > tokBacktick && !t.bad() || strings.Count(line, t.text[:1])%2 == 0 {
		return
	}
	r.proposeTextEnd(t)
}

// proposeTextEnd proposes to close a text before a sign that can follow it, or at the end of its
// line.
func (r *repairer) proposeTextEnd(t *token) {
	const most = 20
	n, depth := 0, 0
	for at := 1; at <= len(t.text) && n < most; at++ {
		next := byte('\n')
		if at < len(t.text) {
			next = t.text[at]
		}
		inside := depth > 0
		switch {
		case t.kind == tokBacktick || t.text[0] != '`':
		case strings.IndexByte("([{<", next) >= 0:
			depth++
		case strings.IndexByte(")]}>", next) >= 0:
			depth--
		}
		if !inside && strings.IndexByte(",|)]}\n", next) >= 0 || next == '{' && t.text[at-1] == ' ' {
			n++
			end := t.begin() + len(strings.TrimRight(t.text[:at], " \t"))
			r.propose(n, changeFix("close the text", end, end, t.text[:1]))
		}
		if next == '\n' {
			return
		}
	}
}
