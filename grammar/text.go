package grammar

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

const fence = "```"

// quotedText takes a quoted text. tree-sitter-gram lets whitespace and comments
// stand between a line end and the closing quote, and so do we; any other line
// break makes the text a bad one, which ends with its line.
func (s *gramLexer) quotedText(quote byte, kind kind) kind {
	if strings.HasPrefix(s.text[s.pos:], `"""`) {
		return s.tripledText()
	}
	i := s.pos + 1
	for i < len(s.text) {
		switch s.text[i] {
		case quote:
			s.pos = i + 1
			return kind
		case '\n':
			if end := s.trailingTextBreak(i, quote); end > 0 {
				s.pos = end
				return kind
			}
			return s.brokenText(i, quote)
		case '\\':
			i++
			if strings.HasPrefix(s.text[i:], "\r\n") {
				i++
			}
			if strings.HasPrefix(s.text[i:], "\n") {
				return s.brokenText(i, quote) // an escape needs something to escape
			}
		}
		i++
	}
	s.pos = len(s.text)
	return tokBadText
}

// tripledText takes what other languages write between three quotes.
func (s *gramLexer) tripledText() kind {
	if length := s.distanceTo(`"""`, s.pos+3, &s.noTriple); length < 0 {
		s.pos += 3
	} else {
		s.moveInText(s.pos + length + 6)
	}
	return tokBadTriple
}

// trailingTextBreak returns the end of a quoted text whose content ends at the
// line end i, when only whitespace and comments stand before the closing quote.
func (s *gramLexer) trailingTextBreak(i int, quote byte) int {
	look := gramLexer{text: s.text, pos: i, file: s.file}
	look.skip()
	if look.pos < len(s.text) && s.text[look.pos] == quote {
		s.line = look.line
		return look.pos + 1
	}
	return 0
}

// maxBreak is how far broken looks for the quote that closes a text with line
// breaks inside.
const maxBreak = 4096

// brokenText ends a quoted text that has a line end at i. If the next such quote
// looks like a closing one, the author broke a text over lines; else the quote
// was forgotten and the text ends here.
func (s *gramLexer) brokenText(i int, quote byte) kind {
	s.pos = i
	near := s.text[i:min(len(s.text), i+maxBreak)]
	n := strings.IndexByte(near, quote)
	if n < 0 {
		return tokBadText
	}
	end := i + n + 1
	rest := strings.TrimLeft(s.text[end:min(len(s.text), end+maxBreak)], " \t\r")
	if rest != "" && strings.IndexByte(",}])\n", rest[0]) < 0 && !strings.HasPrefix(rest, "//") {
		return tokBadText
	}
	s.moveInText(end)
	return tokBadBreak
}

// moveInText moves over text that may have line ends.
func (s *gramLexer) moveInText(pos int) {
	if n := strings.LastIndexByte(s.text[s.pos:pos], '\n'); n >= 0 {
		s.line = s.pos + n + 1
	}
	s.pos = pos
}

// fencedText takes a fenced text, from the opening backticks to the first three
// that follow.
func (s *gramLexer) fencedText() kind {
	start := s.pos
	head := s.text[start+len(fence) : lexLineEnd(s.text, start)]
	if _, ok := textFenceTag(head); !ok || start+len(fence)+len(head) == len(s.text) {
		s.pos += len(fence) + len(head)
		return tokBadFence
	}
	body := start + len(fence) + len(head) + 1
	length := s.distanceTo(fence, body, &s.noFence)
	if length < 0 {
		_, end := textFenceEnd(s.text[body:])
		s.moveInText(body + end)
		return tokBadFence
	}
	s.moveInText(body + length + len(fence))
	return tokFence
}

// fenceEndForm is the start of a line that hardly belongs to a text between fences:
// one or two backticks, a closing bracket, or what follows in a record or a file.
var fenceEndForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)^[ \t]*(?:(``?)[ \t\r]*(?:[,})\\]]|$)|[,})\\]]|[A-Za-z_][0-9A-Za-z_]*::? *[\"'`{\\[0-9]|[\\[(][0-9A-Za-z_]*:)")
})

// textFenceEnd returns where the text seems to end whose closing fence is missing: what
// stands there instead of the fence, or an empty piece before what follows it.
func textFenceEnd(body string) (start, end int) {
	form := fenceEndForm().FindStringSubmatchIndex(body)
	switch {
	case form == nil:
		return len(body), len(body)
	case form[2] >= 0:
		return form[2], form[3]
	}
	start = form[0] + len(body[form[0]:form[1]]) - len(strings.TrimLeft(body[form[0]:form[1]], " \t"))
	return start, start
}

// textFenceTag reads the rest of the line that opens a fence: an optional tag and
// an optional comment.
func textFenceTag(head string) (tag string, ok bool) {
	head = strings.TrimLeft(head, " \t\r\v\f")
	n := lexSymbolLength(head)
	rest := strings.TrimLeft(head[n:], " \t\r\v\f")
	return head[:n], rest == "" || strings.HasPrefix(rest, "//")
}

// fenceText returns the tag and the content of a fence token: the lines
// between the opening and the closing line, without the last line end and the
// indent of the closing fence.
func fenceText(raw string) (tag, text string) {
	head, body, _ := strings.Cut(strings.TrimSuffix(raw[len(fence):], fence), "\n")
	tag, _ = textFenceTag(head)
	if last := strings.LastIndexByte(body, '\n'); strings.Trim(body[last+1:], " \t") == "" {
		body = strings.TrimSuffix(body[:max(last, 0)], "\r")
	}
	return tag, body
}

// unquoteText returns the content of a quoted token, and the offsets in raw of the
// escapes that gram does not know. A text that runs over a line end (see
// quoted) ends there.
func unquoteText(raw string) (text string, bad []int) {
	body := raw[1 : len(raw)-1]
	if n := strings.IndexByte(body, '\n'); n >= 0 {
		body = strings.TrimSuffix(body[:n], "\r")
	}
	text, bad = unescapeText(body)
	for i := range bad {
		bad[i]++
	}
	return text, bad
}

// unescapeText returns text with its escapes replaced, and the offsets of those
// that gram does not know. Of a pair of surrogates only the first is reported.
func unescapeText(body string) (text string, bad []int) {
	if strings.IndexByte(body, '\\') < 0 {
		return body, nil
	}
	var b strings.Builder
	b.Grow(len(body))
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' || i+1 == len(body) {
			b.WriteByte(body[i])
			continue
		}
		c, ok := unescapeTextByte(body[i+1])
		if !ok {
			bad = append(bad, i)
			b.WriteByte('\\')
			if _, n := fixTextCodePoint(body[i:]); n > 0 {
				b.WriteString(body[i+1 : i+n])
				i += n - 1
				continue
			}
		}
		b.WriteByte(c)
		i++
	}
	return b.String(), bad
}

// unescapeTextByte returns what backslash c stands for, and whether gram has that escape.
// tree-sitter-gram has only that of the quote in use; here all three are allowed.
func unescapeTextByte(c byte) (byte, bool) {
	const escapes, meaning = "bfnrt/\\\"'`", "\b\f\n\r\t/\\\"'`"
	if i := strings.IndexByte(escapes, c); i >= 0 {
		return meaning[i], true
	}
	return c, false
}

// textRuneEnd returns the end of the character of text that starts at i.
func textRuneEnd(text string, i int) int {
	_, size := utf8.DecodeRuneInString(text[i:])
	return i + size
}

// smartTextLength returns the length of the text between typographic quotes at the next
// byte, 0 when there is none that ends on the line.
func (s *gramLexer) smartTextLength() int {
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
