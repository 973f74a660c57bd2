package terminal

import (
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A screen paints some lines below everything that was printed, and paints them
// again when they change. A renderer of full screens would need frames, and
// cannot know what the terminal does with lines that it has scrolled away.
type screen struct {
	out           io.Writer
	width, height int

	lines  []string // as they are painted
	cursor place    // as it was asked for
	at     place    // where it is, from the first line
}

// A place is a column and a row from 0. A negative row hides the cursor.
type place struct{ x, y int }

// Escape sequences around the whole and around each change: pasted text is marked,
// keys such as Shift+Enter are reported, and changes appear at once.
const (
	openScreen  = ansi.SetModeBracketedPaste + "\x1b[>1u"
	closeScreen = ansi.ResetModeBracketedPaste + "\x1b[<u" + ansi.ShowCursor
	beginChange = ansi.SetModeSynchronizedOutput + ansi.HideCursor
	endChange   = ansi.ResetModeSynchronizedOutput
)

// open prepares the terminal.
func (s *screen) open() error {
	_, err := io.WriteString(s.out, openScreen)
	return err
}

// close removes the painted lines, and leaves the terminal as it was.
func (s *screen) close() error {
	erase := s.top() + ansi.EraseLineRight // see paint
	if len(s.lines) > 1 {
		erase += "\r\n" + ansi.EraseScreenBelow + ansi.CursorUp(1)
	}
	_, err := io.WriteString(s.out, erase+closeScreen)
	s.lines, s.at = nil, place{}
	return err
}

// clear empties the screen. What was scrolled away remains.
func (s *screen) clear() error {
	_, err := io.WriteString(s.out, ansi.CursorHomePosition+ansi.EraseEntireScreen)
	s.lines, s.at = nil, place{}
	return err
}

// resize is called when the terminal has another size. Terminals break lines that
// have become too long.
func (s *screen) resize(width, height int) {
	if width > 0 && len(s.lines) > 0 {
		y := max(s.at.x, 0) / width
		for _, line := range s.lines[:min(max(s.at.y, 0), len(s.lines))] {
			y += max(1, (ansi.StringWidth(line)+width-1)/width)
		}
		s.at.y = y
	}
	s.width, s.height = width, height
	if len(s.lines) > 0 {
		s.lines = append(s.lines[:0], "\x00", "\x00") // to be erased and painted again
	}
}

// top returns what moves the cursor to the first painted line.
func (s *screen) top() string {
	if s.at.y <= 0 {
		return "\r"
	}
	return "\r" + ansi.CursorUp(s.at.y)
}

// paint prints lines that are finished, and paints others below them. Of these
// the last ones are painted that fit on the screen; longer ones are cut.
func (s *screen) paint(finished, lines []string, cursor place) error {
	if most := max(s.height-1, 1); len(lines) > most {
		cursor.y -= len(lines) - most
		lines = lines[len(lines)-most:]
	}
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], s.width, "…")
	}
	if len(finished) == 0 && cursor == s.cursor && slices.Equal(lines, s.lines) {
		return nil
	}
	var b strings.Builder
	b.WriteString(beginChange + s.top())
	// Terminals put a screen that is erased from its very first cell into what was
	// scrolled away, so the first line is erased alone.
	b.WriteString(ansi.EraseLineRight)
	erased := false
	newLine := func() {
		b.WriteString("\r\n")
		if !erased {
			b.WriteString(ansi.EraseScreenBelow)
			erased = true
		}
	}
	if len(s.lines) > 1 && len(finished) > 0 && ansi.StringWidth(finished[0]) > s.width { // it is broken over what was painted
		newLine()
		b.WriteString(ansi.CursorUp(1))
	}
	for _, line := range finished {
		b.WriteString(line)
		newLine()
	}
	for i, line := range lines {
		if i > 0 {
			newLine()
		}
		b.WriteString(line)
	}
	if !erased && len(s.lines) > 1 {
		newLine()
		b.WriteString(ansi.CursorUp(1))
	}
	s.lines, s.cursor, s.at = append(s.lines[:0], lines...), cursor, cursor
	last := max(len(lines)-1, 0)
	if cursor.y >= 0 && cursor.y <= last {
		b.WriteString("\r")
		if up := last - cursor.y; up > 0 {
			b.WriteString(ansi.CursorUp(up))
		}
		if cursor.x > 0 {
			b.WriteString(ansi.CursorForward(cursor.x))
		}
		b.WriteString(ansi.ShowCursor)
	} else {
		s.at = place{0, last}
		if len(lines) > 0 {
			s.at.x = min(ansi.StringWidth(lines[last]), s.width-1)
		}
	}
	b.WriteString(endChange)
	_, err := io.WriteString(s.out, b.String())
	return err
}
