package markdown

import (
	"strings"
	"unicode/utf8"
)

// Options are how Markdown is shown.
type Options struct {
	Width int  // columns of the terminal; few count as 10. Lines of code can be longer
	Color bool // whether styles are used; without them, marks such as ** stay
}

// Limits, in bytes: the rest of a longer line counts as the next line, the rest of
// a longer block as another block. Markdown can take time that is quadratic in
// them.
const (
	maxLine  = 4 << 10
	maxBlock = 16 << 10
)

// A Stream renders a text that arrives in pieces. What it returns does not depend
// on where the pieces begin and end. It is used by one goroutine.
type Stream struct {
	renderer renderer

	partial string // the start of a character whose end has not arrived
	rest    string // the line that is not complete
	lines   lineState
}

// A lineState is what the lines so far mean for those that follow.
type lineState struct {
	block block // the block that is not finished
	blank bool  // the previous line was blank
	begun bool  // something has been returned
	after list  // what the last finished block was
}

// A list is an item of a list. The zero list is none.
type list struct {
	item   bool
	number int // 0 is a bullet
}

// A block is the source of consecutive lines that are rendered together.
type block struct {
	kind  blockKind
	text  string
	blank bool   // a blank line came before it
	inner int    // list item: the column in which its content begins; code: that of the fence
	fence string // code: the shortest line that closes it
}

type blockKind uint8

const (
	noBlock   blockKind = iota
	plain               // ends at a blank line
	listItem            // ends where the next item or something else begins
	codeStart           // fenced code without any line yet
	code                // fenced code; each line is finished on its own
)

// NewStream returns a Stream that has got nothing yet.
func NewStream(o *Options) *Stream {
	return &Stream{renderer: renderer{width: max(o.Width, minWidth), color: o.Color}}
}

// Render returns the lines of a whole text.
func Render(text string, o *Options) []string {
	s := NewStream(o)
	return append(s.Write(text), s.Close()...)
}

// Write adds text and returns the lines that are finished by it. No later call
// returns them again.
func (s *Stream) Write(text string) (finished []string) {
	text = s.partial + text
	s.partial = ""
	if n := incompleteEnd(text); n > 0 {
		text, s.partial = text[:len(text)-n], text[len(text)-n:]
	}
	s.rest += clean(text)
	for {
		line, ok := s.nextLine()
		if !ok {
			return finished
		}
		finished = append(finished, s.lines.line(&s.renderer, line)...)
	}
}

// nextLine takes the first line, or the start of one that is too long.
func (s *Stream) nextLine() (line string, ok bool) {
	n := strings.IndexByte(s.rest, '\n')
	if n >= 0 && n <= maxLine {
		line, s.rest = s.rest[:n], s.rest[n+1:]
		return line, true
	}
	if len(s.rest) <= maxLine {
		return "", false
	}
	if n = strings.LastIndexByte(s.rest[:maxLine], ' ') + 1; n == 0 {
		for n = maxLine; !utf8.RuneStart(s.rest[n]); n-- {
		}
	}
	line, s.rest = s.rest[:n], s.rest[n:]
	return line, true
}

// incompleteEnd returns how many bytes at the end of text begin a character
// without being all of it.
func incompleteEnd(text string) int {
	for n := 1; n <= min(utf8.UTFMax-1, len(text)); n++ {
		if start := len(text) - n; utf8.RuneStart(text[start]) {
			if utf8.FullRuneInString(text[start:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// Pending returns the lines of what is not finished, as it is now.
func (s *Stream) Pending() []string {
	state, finished := s.lines, []string(nil)
	if s.rest != "" {
		finished = state.line(&s.renderer, s.rest)
	}
	return append(finished, state.end(&s.renderer)...)
}

// Resize changes the width of the lines that are not finished.
func (s *Stream) Resize(width int) { s.renderer.width = max(width, minWidth) }

// Close returns the rest of the lines. The Stream can then get another text.
func (s *Stream) Close() (finished []string) {
	if s.partial != "" {
		s.rest += "\ufffd"
	}
	finished = s.Pending()
	*s = Stream{renderer: s.renderer}
	return finished
}

// line takes one more line and returns what it finishes.
func (s *lineState) line(r *renderer, line string) (finished []string) {
	if s.block.kind >= codeStart {
		return s.codeLine(r, line)
	}
	if strings.TrimSpace(line) == "" {
		s.blank = true
		if s.block.kind == listItem {
			s.block.text += "\n"
			return nil
		}
		return s.end(r)
	}
	fence := openingFence(line)
	if fence != "" && s.block.kind == listItem && indent(line) >= s.block.inner {
		fence = "" // in the item
	}
	if fence != "" || s.endsBlock(line) {
		finished = s.end(r)
	}
	if s.block.kind == noBlock {
		s.block = block{kind: plain, blank: s.blank}
		switch inner := itemContent(line); {
		case fence != "":
			s.block.kind, s.block.fence, s.block.inner = codeStart, fence, indent(line)
			s.blank = false
			return finished
		case inner > 0:
			s.block.kind, s.block.inner = listItem, inner
		}
	}
	s.blank = false
	s.block.text += line + "\n"
	if s.block.kind == plain && isHeading(line) || len(s.block.text) > maxBlock {
		finished = append(finished, s.end(r)...)
	}
	return finished
}

// endsBlock reports whether a line that is not blank begins another block than
// the one before it.
func (s *lineState) endsBlock(line string) bool {
	begins := itemContent(line) > 0 || isHeading(line)
	switch s.block.kind {
	case plain:
		return begins
	case listItem:
		return indent(line) < s.block.inner && (begins || s.blank)
	}
	return false
}

// codeLine takes a line of fenced code.
func (s *lineState) codeLine(r *renderer, line string) []string {
	trimmed := strings.TrimRight(line, " \t")
	marks := strings.TrimLeft(trimmed, " ")
	if strings.HasPrefix(marks, s.block.fence) && strings.Trim(marks, s.block.fence[:1]) == "" && indent(line) <= 3 {
		s.block, s.after = block{}, list{}
		return nil
	}
	first := s.block.kind == codeStart
	s.block.kind = code
	for n := s.block.inner; n > 0 && strings.HasPrefix(line, " "); n-- {
		line = line[1:]
	}
	lines := []string{r.code(line)}
	if first {
		return s.separated(lines, false)
	}
	return lines
}

// end returns the lines of the unfinished block, which is finished by it.
func (s *lineState) end(r *renderer) []string {
	b := s.block
	s.block = block{}
	switch b.kind {
	case plain:
		s.after = list{}
		return s.separated(r.block(b.text, nil), false)
	case listItem:
		before := s.after
		s.after = before.next(b.text)
		return s.separated(r.block(b.text, &s.after), before.item && !b.blank)
	}
	return nil
}

// separated puts a blank line before the lines of a block, except between items that
// are close together.
func (s *lineState) separated(lines []string, close bool) []string {
	if s.begun && !close && len(lines) > 0 {
		lines = append([]string{""}, lines...)
	}
	s.begun = s.begun || len(lines) > 0
	return lines
}
