package source

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// A File is the name and the text of one source file. It is immutable and may
// be shared between goroutines; its line table is made on first use.
type File struct {
	name, text string

	once  sync.Once
	lines []int // offset of the first byte of each line
}

// NewFile returns a file. The name is only shown to people, never opened.
func NewFile(name, text string) *File { return &File{name: name, text: text} }

// Name returns the name given to NewFile, "" for no file.
func (f *File) Name() string {
	if f == nil {
		return ""
	}
	return f.name
}

// Text returns the whole text.
func (f *File) Text() string { return f.text }

// Span returns the bytes start to end (exclusive) of the file. Bounds outside
// the text are moved to its edge.
func (f *File) Span(start, end int) Span {
	start = min(max(start, 0), len(f.text))
	return Span{File: f, Start: start, End: min(max(end, start), len(f.text))}
}

// Position returns the line and column of a byte offset, for people.
func (f *File) Position(offset int) Position {
	line, start, offset := f.find(offset)
	return Position{Line: line + 1, Column: utf8.RuneCountInString(f.text[start:offset]) + 1}
}

// UTF16 returns the line and the column of a byte offset as the language
// server protocol counts them: from 0, columns in UTF-16 units.
func (f *File) UTF16(offset int) (line, char int) {
	line, start, offset := f.find(offset)
	for _, r := range f.text[start:offset] {
		char++
		if r > 0xFFFF {
			char++
		}
	}
	return line, char
}

// LineStart returns the offset of the first byte of the line that holds offset.
func (f *File) LineStart(offset int) int {
	_, start, _ := f.find(offset)
	return start
}

// LineText returns line n, counted from 1, without its line end.
func (f *File) LineText(n int) string {
	f.index()
	if n < 1 || n > len(f.lines) {
		return ""
	}
	text := f.text[f.lines[n-1]:]
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		text = text[:end]
	}
	return strings.TrimSuffix(text, "\r")
}

// find returns the index of the line that holds offset, that line's first
// byte, and the offset moved into the text.
func (f *File) find(offset int) (line, start, clamped int) {
	f.index()
	offset = min(max(offset, 0), len(f.text))
	line = sort.SearchInts(f.lines, offset+1) - 1
	return line, f.lines[line], offset
}

// index makes the line table. As in gram comments, only LF ends a line.
func (f *File) index() {
	f.once.Do(func() {
		f.lines = append(make([]int, 0, 1+strings.Count(f.text, "\n")), 0)
		for line := range strings.Lines(f.text) {
			if strings.HasSuffix(line, "\n") {
				f.lines = append(f.lines, f.lines[len(f.lines)-1]+len(line))
			}
		}
	})
}

// A Position is a place for people: line and column from 1, columns in runes.
type Position struct{ Line, Column int }

// String returns "line:column".
func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }
