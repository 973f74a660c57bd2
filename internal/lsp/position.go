package lsp

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/source"
)

// An encoding is how the columns of positions are counted.
type encoding string

const (
	utf16Encoding encoding = "utf-16"
	utf8Encoding  encoding = "utf-8"
)

// A positionMapper turns byte offsets of a text into positions of the protocol, and
// back. LF, CRLF and CR end a line, unlike in gram, where only LF does. It is
// the only code that knows what a column is.
type positionMapper struct {
	text     string
	encoding encoding

	once  sync.Once
	lines []int32 // the first byte of each line
	wide  []wide  // the characters of several bytes
}

// A wide is a character of several bytes: its bytes, and its units in the text.
type wide struct{ start, end, from, to int32 }

func newPositionMapper(text string, e encoding) *positionMapper {
	return &positionMapper{text: text, encoding: e}
}

// index makes the tables. A text is far smaller than 2 GiB.
func (m *positionMapper) index() {
	m.once.Do(func() {
		m.lines = make([]int32, 1, 2+strings.Count(m.text, "\n"))
		units := 0
		for i := 0; i < len(m.text); {
			if b := m.text[i]; ' ' <= b && b < utf8.RuneSelf { // nearly all
				i, units = i+1, units+1
				continue
			}
			size, width := 1, 1
			switch b := m.text[i]; {
			case b == '\n', b == '\r' && !strings.HasPrefix(m.text[i+1:], "\n"):
				m.lines = append(m.lines, int32(i+1))
			case b >= utf8.RuneSelf:
				var r rune
				r, size = utf8.DecodeRuneInString(m.text[i:]) // a byte that is no UTF-8 is one unit
				if width = size; m.encoding == utf16Encoding {
					width = utf16.RuneLen(r)
				}
				if size > 1 {
					m.wide = append(m.wide, wide{int32(i), int32(i + size), int32(units), int32(units + width)})
				}
			}
			i, units = i+size, units+width
		}
	})
}

// unit returns the number of units before the character of an offset.
func (m *positionMapper) unit(offset int) int {
	i := sort.Search(len(m.wide), func(i int) bool { return int(m.wide[i].start) >= offset })
	switch {
	case i == 0:
		return offset
	case offset < int(m.wide[i-1].end):
		return int(m.wide[i-1].from)
	}
	return int(m.wide[i-1].to) + offset - int(m.wide[i-1].end)
}

// position returns the position of an offset. One inside of a character is at
// its start, and one outside of the text at its edge.
func (m *positionMapper) position(offset int) protocol.Position {
	m.index()
	offset = min(max(offset, 0), len(m.text))
	line := m.lineOf(offset)
	return protocol.Position{Line: uint32(line), Character: uint32(m.unit(offset) - m.unit(int(m.lines[line])))}
}

// offset returns the offset of a position. A column behind the end of its line
// is that end, a line behind the last the end of the text, and the middle of a
// character its start.
func (m *positionMapper) offset(p protocol.Position) int {
	m.index()
	if int64(p.Line) >= int64(len(m.lines)) {
		return len(m.text)
	}
	start, end := int(m.lines[p.Line]), m.lineEnd(int(p.Line))
	want := m.unit(start) + min(int(p.Character), end-start)
	i := sort.Search(len(m.wide), func(i int) bool { return int(m.wide[i].from) >= want })
	switch {
	case i == 0:
		return min(want, end)
	case want < int(m.wide[i-1].to):
		return min(int(m.wide[i-1].start), end)
	}
	return min(want-int(m.wide[i-1].to)+int(m.wide[i-1].end), end)
}

// lineOf returns the number of the line that holds an offset.
func (m *positionMapper) lineOf(offset int) int {
	m.index()
	return sort.Search(len(m.lines), func(i int) bool { return int(m.lines[i]) > offset }) - 1
}

// lineEnd returns where the text of a line ends, before its line end.
func (m *positionMapper) lineEnd(line int) int {
	if line+1 == len(m.lines) {
		return len(m.text)
	}
	end := int(m.lines[line+1]) - 1
	if m.text[end] == '\n' && end > int(m.lines[line]) && m.text[end-1] == '\r' {
		end--
	}
	return end
}

// span returns the range of bytes of the text.
func (m *positionMapper) span(start, end int) protocol.Range {
	return protocol.Range{Start: m.position(start), End: m.position(end)}
}

// rangeOf returns the range of a span of the text.
func (m *positionMapper) rangeOf(s source.Span) protocol.Range { return m.span(s.Start, s.End) }

// offsets returns the bytes of a range; one that ends before it starts is
// empty.
func (m *positionMapper) offsets(r protocol.Range) (start, end int) {
	start = m.offset(r.Start)
	return start, max(start, m.offset(r.End))
}
