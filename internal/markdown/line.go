package markdown

import (
	"strconv"
	"strings"
)

// This file recognizes what a line begins, by the rules of CommonMark.

// lineIndent returns how many columns of white space a line begins with.
func lineIndent(line string) (columns int) {
	for _, c := range line {
		switch c {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns
		}
	}
	return columns
}

// lineFence returns the marks of the fence that a line opens; "" if it opens
// none.
func lineFence(line string) string {
	text := strings.TrimLeft(line, " ")
	if lineIndent(line) > 3 || text == "" || text[0] != '`' && text[0] != '~' {
		return ""
	}
	mark := text[:1]
	info := strings.TrimLeft(text, mark)
	marks := text[:len(text)-len(info)]
	if len(marks) < 3 || mark == "`" && strings.Contains(info, "`") {
		return ""
	}
	return marks
}

// isHeadingLine reports whether a line is a heading that begins with #.
func isHeadingLine(line string) bool {
	text := strings.TrimLeft(line, " ")
	rest := strings.TrimLeft(text, "#")
	level := len(text) - len(rest)
	return lineIndent(line) <= 3 && level >= 1 && level <= 6 && (strings.TrimSpace(rest) == "" || rest[0] == ' ' || rest[0] == '\t')
}

// isRuleLine reports whether a line is a thematic break, such as "- - -".
func isRuleLine(line string) bool {
	marks := strings.NewReplacer(" ", "", "\t", "").Replace(line)
	return lineIndent(line) <= 3 && len(marks) >= 3 && strings.ContainsAny(marks[:1], "-*_") && strings.Trim(marks, marks[:1]) == ""
}

// itemLineContent returns the column in which the content of a list item begins; 0 for
// a line that begins none.
func itemLineContent(line string) int {
	marker := itemLineMarker(line)
	if marker == "" || isRuleLine(line) {
		return 0
	}
	before := lineIndent(line) + len(marker)
	content := strings.TrimLeft(line, " ")[len(marker):]
	spaces := lineIndent(strings.Repeat(" ", before)+content) - before
	switch {
	case strings.TrimSpace(content) == "" || spaces > 4:
		return before + 1
	case spaces == 0:
		return 0
	}
	return before + spaces
}

// itemLineMarker returns what looks like the marker of a list item, such as "-" or
// "12.".
func itemLineMarker(line string) string {
	text := strings.TrimLeft(line, " ")
	if lineIndent(line) > 3 || text == "" {
		return ""
	}
	if strings.ContainsAny(text[:1], "-*+") {
		return text[:1]
	}
	rest := strings.TrimLeft(text, "0123456789")
	digits := len(text) - len(rest)
	if digits == 0 || digits > 9 || rest == "" || rest[0] != '.' && rest[0] != ')' {
		return ""
	}
	return text[:digits+1]
}

// next returns the list of an item that follows l: it counts on.
func (l list) next(item string) list {
	number, err := strconv.Atoi(strings.TrimRight(itemLineMarker(item), ".)"))
	switch {
	case err != nil:
		number = 0
	case l.item && l.number > 0:
		number = l.number + 1
	}
	return list{item: true, number: number}
}

// A lineState is what the lines so far mean for those that follow.
type lineState struct {
	block block // the block that is not finished
	blank bool  // the previous line was blank
	begun bool  // something has been returned
	after list  // what the last finished block was
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
	fence := lineFence(line)
	if fence != "" && s.block.kind == listItem && lineIndent(line) >= s.block.inner {
		fence = "" // in the item
	}
	if fence != "" || s.endsBlock(line) {
		finished = s.end(r)
	}
	if s.block.kind == noBlock {
		s.block = block{kind: plain, blank: s.blank}
		switch inner := itemLineContent(line); {
		case fence != "":
			s.block.kind, s.block.fence, s.block.inner = codeStart, fence, lineIndent(line)
			s.blank = false
			return finished
		case inner > 0:
			s.block.kind, s.block.inner = listItem, inner
		}
	}
	s.blank = false
	s.block.text += line + "\n"
	if s.block.kind == plain && isHeadingLine(line) || len(s.block.text) > maxBlock {
		finished = append(finished, s.end(r)...)
	}
	return finished
}

// endsBlock reports whether a line that is not blank begins another block than
// the one before it.
func (s *lineState) endsBlock(line string) bool {
	begins := itemLineContent(line) > 0 || isHeadingLine(line)
	switch s.block.kind {
	case plain:
		return begins
	case listItem:
		return lineIndent(line) < s.block.inner && (begins || s.blank)
	}
	return false
}

// codeLine takes a line of fenced code.
func (s *lineState) codeLine(r *renderer, line string) []string {
	trimmed := strings.TrimRight(line, " \t")
	marks := strings.TrimLeft(trimmed, " ")
	if strings.HasPrefix(marks, s.block.fence) && strings.Trim(marks, s.block.fence[:1]) == "" && lineIndent(line) <= 3 {
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
