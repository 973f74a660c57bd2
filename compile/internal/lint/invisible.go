package lint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
)

// Invisible warns of characters that hide what a file says, in names, texts
// and comments: those that turn the direction of writing, and those that take
// no room.
func (c *Linter) Invisible(f *ast.File) {
	if f.Source == nil {
		return
	}
	text := f.Source.Text()
	for i := len(text) - len(strings.TrimPrefix(text, "\ufeff")); i < len(text); {
		if plain := visiblePrefix(text[i:]); plain > 0 {
			i += plain
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if isInvisible(r) && len(c.Diags) <= 10*diag.MaxPerList {
			c.Diags.Warnf(f.Source.Span(i, i+size), diag.CodeInvisible,
				"the character U+%04X is invisible and can make a text look like another", r)
		}
		i += size
	}
}

// visiblePrefix returns the length of the ASCII that a text starts with: nearly all of
// most files.
func visiblePrefix(text string) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		part := text[i : i+8]
		if part[0]|part[1]|part[2]|part[3]|part[4]|part[5]|part[6]|part[7] >= utf8.RuneSelf {
			break
		}
	}
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}

func isInvisible(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case unicode.Is(unicode.Bidi_Control, r):
		return true
	}
	// The zero-width joiner and non-joiner, U+200C and U+200D, belong to emoji
	// and to several scripts.
	return r == 0xad || r == 0x200b || r == 0x2060 || r == 0xfeff || r >= 0xe0000 && r <= 0xe007f
}
