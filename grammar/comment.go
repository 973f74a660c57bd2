package grammar

import (
	"strings"
	"unicode/utf8"
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
		length = s.blockLength(rest)
	case c == '#' && (s.lineStart || len(rest) > 1 && isWhitespace(rest[1])):
		length = lineEnd(rest, 0)
	case c == '-' && s.lineStart && dashesComment(rest):
		length = lineEnd(rest, 0)
	}
	if length == 0 {
		return false
	}
	start, end := s.pos, s.pos+length
	s.moveTo(end)
	if len(s.problems) <= 10*maxProblems {
		p := problem{start: start, end: min(end, lineEnd(s.text, start)), message: message}
		p.fixWith(func(text string) []fix { return commentFixes(text, start, end) })
		s.problems = append(s.problems, p)
	}
	return true
}

// blockLength returns the length of a block comment, of its first line when it
// is never closed.
func (s *gramLexer) blockLength(rest string) int {
	if n := s.distanceTo("*/", s.pos+2, &s.noBlock); n >= 0 {
		return n + 4
	}
	return lineEnd(rest, 0)
}

// dashesComment reports whether a line that starts with text is a comment of
// SQL or Haskell: two dashes, a space, and words. An arrow leads to a node.
func dashesComment(text string) bool {
	words, ok := strings.CutPrefix(text, "--")
	if !ok || words == "" || !isWhitespace(words[0]) {
		return false
	}
	words = strings.TrimSpace(words[:lineEnd(words, 0)])
	return words != "" && strings.IndexByte("([->=~</", words[0]) < 0 && !strings.HasPrefix(words, ">")
}

// commentFixes writes a comment of another language as gram does.
func commentFixes(text string, start, end int) []fix {
	comment := text[start:end]
	body, block := strings.CutPrefix(comment, "/*")
	if !block {
		return []fix{change("write //", start, start+len(comment)-len(strings.TrimLeft(comment, "#-")), "//").asSafe()}
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
	return []fix{change("write //", start, end, written).asSafe()}
}

// smartLength returns the length of the text between typographic quotes at the next
// byte, 0 when there is none that ends on the line.
func (s *gramLexer) smartLength() int {
	for i, form := range [...]struct{ open, closing string }{{"“”„«»", "”“»«\""}, {"‘’‚", "’‘'"}} {
		open, size := utf8.DecodeRuneInString(s.text[s.pos:])
		if !strings.ContainsRune(form.open, open) || s.pos < s.noSmart[i] {
			continue
		}
		rest := s.text[s.pos+size:]
		n := strings.IndexAny(rest, form.closing+"\n")
		if n < 0 {
			n = len(rest)
		}
		end, last := utf8.DecodeRuneInString(rest[n:])
		if last > 0 && end != '\n' {
			return size + n + last
		}
		s.noSmart[i] = s.pos + size + n
	}
	return 0
}
