package lsp

import (
	"math"
	"slices"
	"sort"
	"strings"
	"sync"
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

// A mapper turns byte offsets of a text into positions of the protocol, and
// back. LF, CRLF and CR end a line, unlike in gram, where only LF does. It is
// the only code that knows what a column is.
type mapper struct {
	text     string
	encoding encoding

	once  sync.Once
	lines []int32 // the first byte of each line
	units []int32 // units before each block of the text; nil where a byte is one
}

// blockSize is how many bytes are counted one by one at most.
const blockSize = 1 << 10

func newMapper(text string, e encoding) *mapper { return &mapper{text: text, encoding: e} }

// index makes the tables. A text is far smaller than 2 GiB.
func (m *mapper) index() {
	m.once.Do(func() {
		m.lines = lineStarts(m.text)
		if m.encoding == utf8Encoding || isASCII(m.text) {
			return
		}
		m.units = make([]int32, 0, len(m.text)/blockSize+1)
		n := int32(0)
		for start := 0; start <= len(m.text); start += blockSize {
			m.units = append(m.units, n)
			n += int32(m.count(start, min(start+blockSize, len(m.text))))
		}
	})
}

func lineStarts(text string) []int32 {
	lines := make([]int32, 1, 2+strings.Count(text, "\n"))
	if strings.IndexByte(text, '\r') < 0 {
		for i := 0; ; {
			n := strings.IndexByte(text[i:], '\n')
			if n < 0 {
				return lines
			}
			i += n + 1
			lines = append(lines, int32(i))
		}
	}
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			lines = append(lines, int32(i+1))
		}
	}
	return lines
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// count returns the units of the characters that start in text[start:end]. A
// byte that is no UTF-8 is one unit.
func (m *mapper) count(start, end int) int {
	if m.units == nil {
		return end - start
	}
	n := 0
	for i := m.runeStart(start); i < end; {
		r, size := rune(m.text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(m.text[i:])
		}
		if i >= start {
			n += width(r)
		}
		i += size
	}
	return n
}

func width(r rune) int {
	if r > math.MaxUint16 {
		return 2
	}
	return 1
}

// runeStart returns where the character that holds a byte starts.
func (m *mapper) runeStart(offset int) int {
	for i := offset; i >= 0 && i > offset-utf8.UTFMax && i < len(m.text); i-- {
		if utf8.RuneStart(m.text[i]) {
			if _, size := utf8.DecodeRuneInString(m.text[i:]); i+size > offset {
				return i
			}
			break
		}
	}
	return offset
}

// unit returns the number of units before an offset.
func (m *mapper) unit(offset int) int {
	if m.units == nil {
		return offset
	}
	block := offset / blockSize
	return int(m.units[block]) + m.count(block*blockSize, offset)
}

// position returns the position of an offset. One inside of a character is at
// its start, and one outside of the text at its edge.
func (m *mapper) position(offset int) protocol.Position {
	m.index()
	offset = m.runeStart(min(max(offset, 0), len(m.text)))
	line := m.lineOf(offset)
	return protocol.Position{Line: uint32(line), Character: uint32(m.unit(offset) - m.unit(int(m.lines[line])))}
}

// offset returns the offset of a position. A column behind the end of its line
// is that end, a line behind the last the end of the text, and the middle of a
// character its start.
func (m *mapper) offset(p protocol.Position) int {
	m.index()
	if int64(p.Line) >= int64(len(m.lines)) {
		return len(m.text)
	}
	start := int(m.lines[p.Line])
	end := m.lineEnd(int(p.Line))
	if m.units == nil {
		return m.runeStart(start + min(int(p.Character), end-start))
	}
	want := m.unit(start) + int(p.Character)
	block := sort.Search(len(m.units), func(i int) bool { return int(m.units[i]) > want }) - 1
	at, n := start, want-int(p.Character)
	if from := block * blockSize; from > start {
		at, n = from, int(m.units[block])
		if m.runeStart(at) != at { // its units are those of the block before
			_, size := utf8.DecodeRuneInString(m.text[m.runeStart(at):])
			at = m.runeStart(at) + size
		}
	}
	for at < end {
		r, size := utf8.DecodeRuneInString(m.text[at:])
		if n += width(r); n > want {
			break
		}
		at += size
	}
	return min(at, end)
}

// lineOf returns the number of the line that holds an offset.
func (m *mapper) lineOf(offset int) int {
	m.index()
	return sort.Search(len(m.lines), func(i int) bool { return int(m.lines[i]) > offset }) - 1
}

// lineEnd returns where the text of a line ends, before its line end.
func (m *mapper) lineEnd(line int) int {
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
func (m *mapper) span(start, end int) protocol.Range {
	return protocol.Range{Start: m.position(start), End: m.position(end)}
}

// rangeOf returns the range of a span of the text.
func (m *mapper) rangeOf(s source.Span) protocol.Range { return m.span(s.Start, s.End) }

// offsets returns the bytes of a range; one that ends before it starts is
// empty.
func (m *mapper) offsets(r protocol.Range) (start, end int) {
	start = m.offset(r.Start)
	return start, max(start, m.offset(r.End))
}

// A change is one change of a text, as the protocol sends it. Without a range
// it is the new text.
type change struct {
	Range *protocol.Range `json:"range"`
	Text  string          `json:"text"`
}

// apply returns a text after changes, of which each refers to the text that the
// one before it made. Changes from the end of the text to its start, as editors
// send them that change many places at once, are made together.
func apply(text string, changes []change, e encoding) string {
	m := newMapper(text, e)
	var together []byteChange // from the end of the text of m to its start
	for _, c := range changes {
		if c.Range == nil {
			m, together = newMapper(c.Text, e), nil
			continue
		}
		start, end := m.offsets(*c.Range)
		if n := len(together); n > 0 && end >= together[n-1].start { // it does not refer to the text of m
			m, together = newMapper(applyAll(m.text, together), e), nil
			start, end = m.offsets(*c.Range)
		}
		together = append(together, byteChange{start, end, c.Text})
	}
	return applyAll(m.text, together)
}

// A byteChange is a change in bytes.
type byteChange struct {
	start, end int
	text       string
}

// applyAll makes changes that are in order from the end of a text to its start.
func applyAll(text string, cuts []byteChange) string {
	if len(cuts) == 0 {
		return text
	}
	var b strings.Builder
	from := 0
	for _, c := range slices.Backward(cuts) {
		b.WriteString(text[from:c.start])
		b.WriteString(c.text)
		from = c.end
	}
	b.WriteString(text[from:])
	return b.String()
}
