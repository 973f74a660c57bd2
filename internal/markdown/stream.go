package markdown

import (
	"strings"
	"unicode/utf8"
)

// Options are how Markdown is shown.
type Options struct {
	Width  int // columns of the terminal; few count as 10. Lines of code can be longer
	Styles Styles
}

// Styles are the escape sequences that lines can have.
type Styles uint8

// The styles.
const (
	NoStyles Styles = iota // none: marks such as ** stay
	NoColors               // bold, italic, underlined and struck text
	Colors                 // and the colours that the user chose for the terminal
)

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
	return &Stream{renderer: renderer{width: max(o.Width, minWidth), styles: o.Styles}}
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
