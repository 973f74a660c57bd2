package grammar

import (
	"strings"
)

// This file recognizes the comments and quotes of other languages.

// foreignComment moves over a comment that another language would start with c,
// notes it, and reports whether there is one.
func (s *gramLexer) foreignComment(c byte) bool {
	rest := s.text[s.pos:]
	length := 0
	message := "a comment starts with // in gram"
	switch {
	case c == '/' && strings.HasPrefix(rest, "/*"):
		message = "gram has no /* */; a comment starts with // and ends with its line"
		length = s.blockCommentLength(rest)
	case c == '#' && (s.lineStart || len(rest) > 1 && isWhitespace(rest[1])):
		length = lexLineEnd(rest, 0)
	case c == '-' && s.lineStart && dashesComment(rest):
		length = lexLineEnd(rest, 0)
	}
	if length == 0 {
		return false
	}
	start, end := s.pos, s.pos+length
	s.moveInText(end)
	if len(s.problems) <= 10*maxProblems {
		p := problem{start: start, end: min(end, lexLineEnd(s.text, start)), message: message}
		p.fixWith(func(text string) []fix { return commentFixes(text, start, end) })
		s.problems = append(s.problems, p)
	}
	return true
}

// blockCommentLength returns the length of a block comment, of its first line when it
// is never closed.
func (s *gramLexer) blockCommentLength(rest string) int {
	if n := s.distanceTo("*/", s.pos+2, &s.noBlock); n >= 0 {
		return n + 4
	}
	return lexLineEnd(rest, 0)
}

// dashesComment reports whether a line that starts with text is a comment of
// SQL or Haskell: two dashes, a space, and words. An arrow leads to a node.
func dashesComment(text string) bool {
	words, ok := strings.CutPrefix(text, "--")
	if !ok || words == "" || !isWhitespace(words[0]) {
		return false
	}
	words = strings.TrimSpace(words[:lexLineEnd(words, 0)])
	return words != "" && strings.IndexByte("([->=~</", words[0]) < 0 && !strings.HasPrefix(words, ">")
}

// commentFixes writes a comment of another language as gram does.
func commentFixes(text string, start, end int) []fix {
	comment := text[start:end]
	body, block := strings.CutPrefix(comment, "/*")
	if !block {
		return []fix{changeFix("write //", start, start+len(comment)-len(strings.TrimLeft(comment, "#-")), "//").asSafe()}
	}
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSuffix(body, "*/"), "\n") {
		lines = append(lines, strings.TrimRight("// "+strings.TrimLeft(line, " \t*"), " \t\r"))
	}
	written := strings.Join(lines, "\n")
	if rest := strings.TrimLeft(text[end:], " \t\r"); rest != "" && rest[0] != '\n' {
		written += "\n"
		end = len(text) - len(rest)
	}
	return []fix{changeFix("write //", start, end, written).asSafe()}
}
