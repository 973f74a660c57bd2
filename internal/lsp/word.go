package lsp

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/source"
)

const whitespace = " \t\n\v\f\r"

func isWordByte(b byte) bool {
	return b == '_' || 'a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9' || b >= utf8.RuneSelf
}

// wordLength returns the length of the word at the start of a text.
func wordLength(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	return n
}

// wordStart returns where the word at the end of a text starts.
func wordStart(text string) int {
	start := len(text)
	for start > 0 && isWordByte(text[start-1]) {
		start--
	}
	return start
}

// wordAt returns the word around an offset.
func (d *document) wordAt(offset int) source.Span {
	return d.source().Span(wordStart(d.text[:offset]), offset+wordLength(d.text[offset:]))
}

// countWord counts how often a name occurs as a word in a text.
func countWord(text, name string) int {
	n := 0
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			break
		}
		i += at
		at = i + len(name)
		if (i == 0 || !isWordByte(text[i-1])) && (at == len(text) || !isWordByte(text[at])) {
			n++
		}
	}
	return n
}

// wordOccursElsewhere reports whether another document of the workspace has a name
// as a word, or this one more often than the caller knows of.
func (s *snapshot) wordOccursElsewhere(ctx context.Context, d *document, name string, known int) (bool, error) {
	all := s.documents()
	for _, other := range all {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if other != d && countWord(other.text, name) > 0 {
			return true, nil
		}
	}
	return countWord(d.text, name) > known, nil
}
