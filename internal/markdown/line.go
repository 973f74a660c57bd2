package markdown

import (
	"strconv"
	"strings"
)

// This file recognizes what a line begins, by the rules of CommonMark.

// indent returns how many columns of white space a line begins with.
func indent(line string) (columns int) {
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

// openingFence returns the marks of the fence that a line opens; "" if it opens
// none.
func openingFence(line string) string {
	text := strings.TrimLeft(line, " ")
	if indent(line) > 3 || text == "" || text[0] != '`' && text[0] != '~' {
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

// isHeading reports whether a line is a heading that begins with #.
func isHeading(line string) bool {
	text := strings.TrimLeft(line, " ")
	rest := strings.TrimLeft(text, "#")
	level := len(text) - len(rest)
	return indent(line) <= 3 && level >= 1 && level <= 6 && (strings.TrimSpace(rest) == "" || rest[0] == ' ' || rest[0] == '\t')
}

// isRule reports whether a line is a thematic break, such as "- - -".
func isRule(line string) bool {
	marks := strings.NewReplacer(" ", "", "\t", "").Replace(line)
	return indent(line) <= 3 && len(marks) >= 3 && strings.ContainsAny(marks[:1], "-*_") && strings.Trim(marks, marks[:1]) == ""
}

// itemContent returns the column in which the content of a list item begins; 0 for
// a line that begins none.
func itemContent(line string) int {
	marker := itemMarker(line)
	if marker == "" || isRule(line) {
		return 0
	}
	before := indent(line) + len(marker)
	content := strings.TrimLeft(line, " ")[len(marker):]
	spaces := indent(strings.Repeat(" ", before)+content) - before
	switch {
	case strings.TrimSpace(content) == "" || spaces > 4:
		return before + 1
	case spaces == 0:
		return 0
	}
	return before + spaces
}

// itemMarker returns what looks like the marker of a list item, such as "-" or
// "12.".
func itemMarker(line string) string {
	text := strings.TrimLeft(line, " ")
	if indent(line) > 3 || text == "" {
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
	number, err := strconv.Atoi(strings.TrimRight(itemMarker(item), ".)"))
	switch {
	case err != nil:
		number = 0
	case l.item && l.number > 0:
		number = l.number + 1
	}
	return list{item: true, number: number}
}
