package source

import (
	"strings"
	"unicode/utf8"
)

// A Place is where something is defined, as plain data: bytes from Start to
// End of the file, and line and column of the first. The zero Place is none.
type Place struct {
	File   string `json:"file"`
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// A Cursor counts lines and columns while it moves forward through a file.
type Cursor struct {
	File         *File
	offset       int
	line, column int // both from 0
}

// Move moves to the start of a span, which must not lie before the cursor, and
// returns the place of the span.
func (c *Cursor) Move(s Span) Place {
	text := c.File.Text()[c.offset:s.Start]
	if n := strings.Count(text, "\n"); n > 0 {
		c.line += n
		c.column = 0
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	c.column += utf8.RuneCountInString(text)
	c.offset = s.Start
	return Place{File: c.File.Name(), Start: s.Start, End: s.End, Line: c.line + 1, Column: c.column + 1}
}
