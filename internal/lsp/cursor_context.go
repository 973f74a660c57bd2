package lsp

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/grammar"
)

// A cursorContext is the brackets and the token around an offset of a document.
// It is read from the text and not from the tree, which has gaps where text is
// being typed.
type cursorContext struct {
	d       *document
	offset  int
	frames  []*frame     // the brackets that are open, the outermost first
	token   contextToken // what the cursor is in or right behind
	comment bool         // the cursor is in a comment
}

// A frameKind is the kind of a bracket.
type frameKind uint8

const (
	inPattern frameKind = iota // [name:Label {…} | …]
	inNode                     // (name:Label {…})
	inRecord                   // {…} of a pattern or a node, or of the file
	inMap                      // {…} that is a value
	inArray                    // […] that is a value
)

// A frame is a bracket that is open.
type frame struct {
	kind   frameKind
	start  int
	name   string   // of a pattern or a node
	labels []string // of a pattern or a node
	bar    bool     // of a pattern: its elements have begun
	refs   []string // of a pattern: the names of its elements
	nodes  int      // of a pattern or a node: the nodes before the cursor
	keys   []string // of a record or a map: all of them
	key    string   // of a record or a map: whose value is being written
	colons int      // behind that key
	last   byte     // the sign that came last; w = word, e = something that is closed
	word   string   // the last word
}

// A contextToken is a word or the inside of a text.
type contextToken struct {
	start, end int
	quote      byte // 0 for a word, ` for a fence too
	fence      bool
	tag        string
	open       bool // a text that is not closed
}

// contextAt returns the context of an offset.
func (d *document) contextAt(offset int) *cursorContext {
	c := &cursorContext{d: d, offset: offset, token: contextToken{start: offset, end: offset}}
	r := &contextReader{text: d.text, scan: grammar.NewScanner(d.text)}
	r.scan.Seek(d.contextStart(offset))
	for t := r.scan.Next(); t.Kind != grammar.EndToken && t.Start < offset; t = r.scan.Next() {
		if r.reaches(t, c) {
			break
		}
	}
	c.frames = make([]*frame, len(r.frames))
	for i, f := range r.frames {
		copied := *f
		c.frames[i] = &copied
	}
	if top := c.top(); top != nil && top.last == ':' && c.token.quote == 0 && c.token.start == c.token.end {
		end := offset + wordLength(d.text[offset:])   // of the label or the value that the cursor is before
		if end == len(d.text) || d.text[end] != '`' { // which makes it a tag
			c.token.end = end
		}
	}
	if !c.comment {
		c.readAhead(r)
	}
	return c
}

// readAhead adds what comes later in the two innermost brackets.
func (c *cursorContext) readAhead(r *contextReader) {
	depth := len(r.frames)
	from := max(depth-2, 0)
	inner := slices.Clone(r.frames[from:])
	at := max(c.token.end, c.offset)
	if c.token.quote != 0 && !c.token.open {
		at++
	}
	r.scan.Seek(at)
	for len(r.frames) > 0 && len(r.frames) >= depth-1 {
		t := r.scan.Next()
		if t.Kind == grammar.EndToken || t.Start >= c.offset+maxAhead || r.text[t.Start] == '[' && r.text[t.Start-1] == '\n' { // a pattern at the top
			break
		}
		r.reaches(t, nil)
	}
	for i, f := range inner {
		mine := c.frames[from+i]
		mine.keys, mine.labels, mine.refs = f.keys, f.labels, f.refs
	}
}

// maxAhead is how many bytes after the cursor are read.
const maxAhead = 64 << 10

// contextStart returns the offset to read from: the start of the pattern at
// the top of the file around an offset or before it.
func (d *document) contextStart(offset int) int {
	f := d.ast()
	for _, p := range slices.Backward(f.Patterns) {
		at := p.Span().Start
		if at < offset && (at == 0 || d.text[at-1] == '\n') && p.Form != ast.FormBad {
			return at
		}
	}
	return 0
}

// top returns the innermost bracket, nil when there is none.
func (c *cursorContext) top() *frame { return c.up(0) }

// up returns the bracket that is n levels around the innermost one.
func (c *cursorContext) up(n int) *frame {
	if i := len(c.frames) - 1 - n; i >= 0 {
		return c.frames[i]
	}
	return nil
}

// isInText reports whether the cursor is inside of a text, a quoted name or a
// comment, where whitespace is content.
func (c *cursorContext) isInText() bool { return c.comment || c.token.quote != 0 }

// written returns the text of the token before the cursor.
func (c *cursorContext) written() string { return c.d.text[min(c.token.start, c.offset):c.offset] }

// has reports whether a pattern or a node has one of some labels.
func (f *frame) has(labels ...string) bool {
	return f != nil && slices.ContainsFunc(f.labels, func(l string) bool { return slices.Contains(labels, l) })
}

// A contextReader reads a text, bracket by bracket.
type contextReader struct {
	text   string
	scan   *grammar.Scanner
	frames []*frame
}

// reaches reads a token, unless the cursor is in it or right behind it; it stores
// the token there then. Without a cursor there is none in it.
func (r *contextReader) reaches(t grammar.Token, c *cursorContext) bool {
	switch first := r.text[t.Start]; {
	case t.Kind == grammar.CommentToken:
		if c != nil && t.Start+1 < c.offset && strings.IndexByte(r.text[t.Start:c.offset], '\n') < 0 {
			c.comment = true
			return true
		}
	case t.Kind == grammar.TextToken, t.Kind == grammar.OpenTextToken:
		return r.quoted(t, "", c)
	case isWordByte(first):
		if c != nil && c.offset <= t.End {
			c.token = contextToken{start: t.Start, end: t.End}
			return true
		}
		word := r.text[t.Start:t.End]
		if strings.HasPrefix(r.text[t.End:], "`") { // it is a tag
			return r.quoted(r.scan.Next(), word, c)
		}
		r.take(word)
	default:
		r.sign(t)
		if t.Kind == grammar.BadToken || t.End-t.Start > 1 && strings.IndexByte("[({", first) >= 0 { // brackets that are too deep
			r.scan.Seek(t.Start + 1)
		}
	}
	return false
}

// quoted reads a text as reaches reads a token.
func (r *contextReader) quoted(t grammar.Token, tag string, c *cursorContext) bool {
	in := contextContent(r.text, t)
	in.tag = tag
	switch {
	case in.fence:
		r.scan.Seek(min(in.end+len("\n```"), len(r.text)))
	case in.open:
		r.scan.Seek(in.end)
	}
	if c != nil && in.start <= c.offset && (c.offset <= in.end || in.open) {
		if in.open && !in.fence {
			in.end = c.offset // its end is unknown
		}
		c.token = in
		return true
	}
	r.take(r.text[in.start:max(in.end, in.start)])
	return false
}

// contextContent returns the inside of a text. One that is not closed ends with
// its line, or if it is fenced with the text around it.
func contextContent(text string, t grammar.Token) contextToken {
	in := contextToken{quote: text[t.Start], start: t.Start + 1, end: t.End - 1, open: t.Kind == grammar.OpenTextToken}
	head := strings.IndexByte(text[t.Start:], '\n')
	if head < 0 {
		head = len(text) - t.Start
	}
	in.fence = strings.HasPrefix(text[t.Start:t.End], "```")
	switch {
	case in.fence:
		in.start = min(t.Start+head+1, len(text))
		closing := strings.Index(text[in.start-1:], "\n```")
		if in.open = closing < 0; in.open {
			in.end = len(text)
		} else {
			in.end = in.start - 1 + closing
		}
	case in.open:
		in.end = t.Start + head
		in.end = max(in.start, len(strings.TrimSuffix(text[:in.end], "\r")))
	}
	return in
}

func (r *contextReader) inner() *frame {
	if len(r.frames) == 0 {
		return nil
	}
	return r.frames[len(r.frames)-1]
}

// take adds a word or a text to the innermost bracket.
func (r *contextReader) take(word string) {
	f := r.inner()
	if f == nil {
		return
	}
	switch {
	case f.kind > inNode:
	case f.last == ':':
		f.labels = append(f.labels, word)
	case !f.bar:
		f.name = word
	default:
		f.refs = append(f.refs, word)
	}
	f.word, f.last = word, 'w'
}

// sign reads a sign.
func (r *contextReader) sign(t grammar.Token) {
	f := r.inner()
	c := r.text[t.Start]
	switch c {
	case '[', '(', '{':
		r.open(t.Start, f)
		return
	case ']', ')', '}':
		r.close(c)
		return
	}
	if f == nil {
		return
	}
	switch {
	case c == ':' && (f.kind == inRecord || f.kind == inMap) && f.key == "":
		f.key, f.colons = f.word, t.End-t.Start
		f.keys = append(f.keys, f.word)
	case c == ',':
		f.key, f.colons, f.word = "", 0, ""
	case c == '|':
		f.bar = true
	}
	f.last = r.text[t.End-1]
}

func (r *contextReader) open(start int, around *frame) {
	c := r.text[start]
	value := around != nil && around.kind > inNode
	f := &frame{start: start, last: c}
	switch {
	case c == '{' && value:
		f.kind = inMap
	case c == '{':
		f.kind = inRecord
	case c == '(':
		f.kind = inNode
		if around != nil {
			around.nodes++
			f.nodes = around.nodes - 1
		}
	case value:
		f.kind = inArray
	}
	r.frames = append(r.frames, f)
}

// close closes the innermost bracket of a sign, and those that are open in it.
func (r *contextReader) close(c byte) {
	for i, f := range slices.Backward(r.frames) {
		if strings.IndexByte("[({", r.text[f.start]) != strings.IndexByte("])}", c) {
			continue
		}
		r.frames = r.frames[:i]
		if around := r.inner(); around != nil {
			around.last = 'e'
			if f.kind == inPattern && f.name != "" {
				around.refs = append(around.refs, f.name)
			}
		}
		return
	}
}
