package grammar

import (
	"fmt"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A problem is a mistake in the text, before it is tied to a file.
type problem struct {
	start, end int
	code       diag.Code // "" is CodeSyntax
	message    string
	kind       problemKind
	lazyFixes  lazyFixes // may be nil
	opened     token     // the bracket that is not closed, none for most
	fixes      []fix     // those that were tried
}

// A problemKind marks the problems that can follow from another one.
type problemKind uint8

const (
	plain     problemKind = iota
	swallower             // a text without end, which may have taken closing brackets
	closer                // a closing bracket is missing
	unclosed              // the file ended inside a bracket
)

// A cursor reads the tokens of a file. Its methods that are named after a part
// of gram parse that part: on a mistake they note a problem, skip to where they
// can go on, and never fail.
type cursor struct {
	file      *source.File
	scan      gramLexer
	tokens    []token // those around the next one
	pos       int     // the next token
	total     int     // tokens scanned so far
	limit     int     // tokens that are read
	problems  []problem
	dropped   int     // problems beyond those that are kept
	discarded problem // takes the place of problems that are not reported

	sync  int // up to here a problem is already noted
	lost  int // how often text was left out of the tree
	noted int // how often a mistake was noted

	arrowStart int   // where the last arrow starts
	valueStart int   // where the last value starts
	layout     bool  // what stands further left ends the brackets before
	spilled    bool  // a pattern was broken, and what follows can belong to it
	items      []int // where broken items and those after them start
	readTwice  int   // how much text parseTopBracket has read twice
	inner      bool  // the text is the middle of a file: it has no header

	arena
}

// How many tokens are scanned at a time, how many of those that were taken are looked
// back at, and how many of the next ones are looked at.
const (
	batch      = 32
	lookBehind = 3
	lookAhead  = 2
)

// newCursor returns a cursor at the start of a file.
func newCursor(src *source.File) *cursor {
	c := &cursor{file: src, scan: gramLexer{file: src, text: src.Text()}, limit: MaxTokens}
	c.tokens = make([]token, 0, lookBehind+lookAhead+batch)
	c.fill()
	return c
}

// fill scans some more tokens, unless the end is there. It comes early in a file
// of too many tokens.
func (c *cursor) fill() {
	c.discard()
	if n := len(c.tokens); n > 0 && c.tokens[n-1].kind == tokEnd {
		return
	}
	for range batch {
		c.tokens = append(c.tokens, token{})
		t := &c.tokens[len(c.tokens)-1]
		c.scan.next(t)
		if c.total++; c.total > c.limit {
			t.kind, t.text = tokEnd, ""
		}
		if t.kind == tokEnd {
			return
		}
	}
}

// discard forgets tokens that were taken long ago.
func (c *cursor) discard() {
	if c.pos > lookBehind {
		c.tokens = c.tokens[:copy(c.tokens, c.tokens[c.pos-lookBehind:])]
		c.pos = lookBehind
	}
}

// A mark is a place to which a cursor can return.
type mark struct {
	previous, next token
	depth, total   int // of the lexer, before next
}

func (c *cursor) mark() mark {
	m := mark{previous: c.previous(), next: c.peek(), depth: c.scan.depth, total: c.total - (len(c.tokens) - c.pos)}
	for _, t := range c.tokens[c.pos:] {
		switch {
		case openers.has(t.kind):
			m.depth--
		case closers.has(t.kind):
			m.depth++
		}
	}
	return m
}

// returnTo goes back to a mark.
func (c *cursor) returnTo(m mark) {
	at, s := m.next.begin(), &c.scan
	s.pos, s.depth, s.line, s.lineStart = at, max(0, m.depth), at-int(m.next.indent)+1, m.next.indent > 0
	for n := len(s.comments); n > 0 && s.comments[n-1].Span.Start >= at; n-- {
		s.comments = s.comments[:n-1]
	}
	for n := len(s.problems); n > 0 && s.problems[n-1].start >= at; n-- {
		s.problems = s.problems[:n-1]
	}
	c.total = m.total
	c.tokens, c.pos = c.tokens[:0], 0
	if m.previous.kind != tokEnd {
		c.tokens, c.pos = append(c.tokens, m.previous), 1
	}
	c.fill()
}

// fresh forgets what the productions before this one reported.
func (c *cursor) fresh() { c.sync = 0 }

// peek returns the next token.
func (c *cursor) peek() token { return c.tokens[c.pos] }

// next takes the next token; at the end it stays there.
func (c *cursor) next() token {
	t := c.tokens[c.pos]
	if t.kind != tokEnd {
		if c.pos++; c.pos+lookAhead >= len(c.tokens) {
			c.fill()
		}
	}
	return t
}

// at reports whether the next token is of that kind.
func (c *cursor) at(kind kind) bool { return c.tokens[c.pos].kind == kind }

// in reports whether the next token is of one of those kinds.
func (c *cursor) in(set kinds) bool { return set.has(c.tokens[c.pos].kind) }

// atEnd reports whether no tokens are left.
func (c *cursor) atEnd() bool { return c.at(tokEnd) }

// accept takes the next token if it is of that kind.
func (c *cursor) accept(kind kind) bool {
	if !c.at(kind) {
		return false
	}
	c.next()
	return true
}

// second returns the token after the next one.
func (c *cursor) second() token {
	return c.tokens[min(c.pos+1, len(c.tokens)-1)]
}

// previous returns the token before the next one, the zero token at the start.
func (c *cursor) previous() token {
	if c.pos == 0 {
		return token{}
	}
	return c.tokens[c.pos-1]
}

// end returns where the token before the next one ends.
func (c *cursor) end() int {
	if c.pos == 0 {
		return 0
	}
	return c.tokens[c.pos-1].end()
}

// since returns the base of a node from start to the last token.
func (c *cursor) since(start int) ast.Base {
	return c.between(start, c.end())
}

// base returns the base of a node of one token.
func (c *cursor) base(t token) ast.Base { return c.between(t.begin(), t.end()) }

// between returns the base of a node from start to stop.
func (c *cursor) between(start, stop int) ast.Base {
	return ast.At(source.Span{File: c.file, Start: start, End: max(start, stop)})
}

// note adds a problem.
func (c *cursor) note(start, end int, message string) *problem {
	return c.add(problem{start: start, end: end, message: message})
}

// add adds a problem and returns it, so that a fix can be added to it.
func (c *cursor) add(p problem) *problem {
	c.noted++
	c.sync = max(c.sync, p.end)
	if c.full() {
		c.dropped++
		return &c.discarded
	}
	c.problems = append(c.problems, p)
	return &c.problems[len(c.problems)-1]
}

// full reports whether no more problems are kept.
func (c *cursor) full() bool { return len(c.problems) > 10*maxProblems }

// quiet reports whether the trouble at this place was reported before, by this
// production or, with a bad token, by another.
func (c *cursor) quiet() bool {
	t := c.previous()
	return c.pos > 0 && (t.bad() || t.end() <= c.sync)
}

// missing notes that something is absent after the last token.
func (c *cursor) missing(message string) *problem {
	if c.quiet() {
		return &c.discarded
	}
	return c.note(c.end(), c.end(), message)
}

// unexpected notes that the next token is wrong. A bad token has its own reason.
func (c *cursor) unexpected(expected string) *problem {
	t := c.peek()
	if c.quiet() {
		c.sync = max(c.sync, t.end())
		return &c.discarded
	}
	p := problem{start: t.begin(), end: t.end()}
	if !c.full() {
		p.message = unexpectedMessage(t, expected)
	}
	switch t.kind {
	case tokTooDeep:
		p.code = diag.CodeTooDeep
	case tokBadText, tokBadFence:
		p.kind = swallower
		p.end = p.start + lexLineEnd(t.text, 0)
		c.lost++
	}
	if t.bad() {
		p.lazyFixes = badFixes(t, false)
	}
	c.sync = max(c.sync, t.end())
	return c.add(p)
}

// close takes the bracket that closes what stands at open, or notes that it is
// missing.
func (c *cursor) close(open token) {
	switch {
	case c.accept(open.kind + 1), c.quiet():
	case c.atEnd():
		p := c.missingCloser(open)
		p.message = fmt.Sprintf("missing %q: the file ends inside a bracket", closerInMessage(open.kind+1))
		p.kind, p.opened = unclosed, open
	default:
		c.missingCloser(open)
	}
}

// missingCloser notes that the bracket is missing that closes what stands at open.
func (c *cursor) missingCloser(open token) *problem {
	return c.add(problem{start: c.end(), end: c.end(), message: fmt.Sprintf("missing %q", closerInMessage(open.kind+1)), kind: closer})
}

// skip moves on until the next token is one of the given kinds at the same
// depth, or a bracket closes that was open before, or a top-level pattern
// seems to start.
func (c *cursor) skip(until kinds) {
	from, own := c.peek().begin(), until&closers
	until |= closers
	for depth := 0; !c.atEnd() && !c.restart(); c.next() {
		kind := c.peek().kind
		if depth == 0 && closers.has(kind) && !own.has(kind) && own.has(c.second().kind) {
			continue // its opening bracket is missing
		}
		if depth == 0 && until.has(kind) {
			break
		}
		switch {
		case openers.has(kind):
			depth++
		case closers.has(kind):
			depth--
		}
	}
	c.sync = max(c.sync, c.end())
	if c.peek().begin() > from {
		c.lost++
	}
}

// restart reports whether the next token looks like the start of a top-level
// pattern: an opening [, ( or @ in the first column.
func (c *cursor) restart() bool {
	t := c.peek()
	return t.first() && tops.has(t.kind)
}

// name takes the next token as a name.
func (c *cursor) name() *ast.Name {
	return c.nameOf(c.next())
}

func (c *cursor) nameOf(t token) *ast.Name {
	kinds := [...]ast.NameKind{tokInteger: ast.NameInteger, tokSingle: ast.NameDouble, tokDouble: ast.NameDouble, tokBacktick: ast.NameQuoted}
	n := c.names.take(c)
	n.Base, n.Kind, n.Text, n.Raw = c.base(t), kinds[t.kind], t.text, t.text
	if t.kind >= tokSingle {
		n.Text = c.unquoteValue(t)
	}
	return n
}
