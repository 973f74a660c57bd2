package lsp

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

func TestPositions(t *testing.T) {
	for _, tt := range []struct {
		text        string
		offset      int
		line        uint32
		utf16, utf8 uint32
	}{
		{"", 0, 0, 0, 0},
		{"abc", 2, 0, 2, 2},
		{"abc", 3, 0, 3, 3},
		{"a\nb", 2, 1, 0, 0},
		{"a\r\nb", 3, 1, 0, 0},
		{"a\rb", 2, 1, 0, 0},
		{"a\r\rb", 3, 2, 0, 0},
		{"a\n\r\nb", 4, 2, 0, 0},
		{"a\n", 2, 1, 0, 0},
		{"é.", 2, 0, 1, 2},
		{"€.", 3, 0, 1, 3},
		{"😀.", 4, 0, 2, 4},
		{"x😀😀.", 9, 0, 5, 9},
		{"é.", 3, 0, 2, 3},
		{"\ufeffa", 3, 0, 1, 3},
		{"a\x00b", 2, 0, 2, 2},
		{"👩‍👧", 4, 0, 2, 4},
		{"👩‍👧", 7, 0, 3, 7},
		{"\n😀\n😀x", 10, 2, 2, 4},
		{"\xff\xfea", 2, 0, 2, 2},
	} {
		for _, e := range []encoding{utf16Encoding, utf8Encoding} {
			want := protocol.Position{Line: tt.line, Character: tt.utf16}
			if e == utf8Encoding {
				want.Character = tt.utf8
			}
			m := newPositionMapper(tt.text, e)
			if got := m.position(tt.offset); got != want {
				t.Errorf("%q, %s: %d is %v, want %v", tt.text, e, tt.offset, got, want)
			}
			if got := m.offset(want); got != tt.offset {
				t.Errorf("%q, %s: %v is %d, want %d", tt.text, e, want, got, tt.offset)
			}
		}
	}
}

func TestPositionsOutsideAreMoved(t *testing.T) {
	const text = "a😀b\r\nc\n"
	for _, tt := range []struct {
		line, character uint32
		encoding        encoding
		want            int
	}{
		{0, 2, utf16Encoding, 1}, // inside of the pair
		{0, 3, utf16Encoding, 5},
		{0, 3, utf8Encoding, 1},
		{0, 99, utf16Encoding, 6},
		{0, 99, utf8Encoding, 6},
		{1, 99, utf16Encoding, 9},
		{2, 0, utf16Encoding, 10},
		{2, 1 << 31, utf16Encoding, 10},
		{3, 0, utf16Encoding, 10},
		{1<<32 - 1, 1<<32 - 1, utf8Encoding, 10},
	} {
		if got := newPositionMapper(text, tt.encoding).offset(protocol.Position{Line: tt.line, Character: tt.character}); got != tt.want {
			t.Errorf("%s, %d:%d is %d, want %d", tt.encoding, tt.line, tt.character, got, tt.want)
		}
	}
}

// TestPositionsOfLongLines compares with what counting from the start gives, also
// where blocks of the table end inside of characters.
func TestPositionsOfLongLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"x", "é", "€", "😀", "\n", "\r", "\r\n", "\xff", strings.Repeat("y", 300), strings.Repeat("😀", 300)}
	for range 30 {
		var b strings.Builder
		for range 200 {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		text := b.String()
		for _, e := range []encoding{utf16Encoding, utf8Encoding} {
			m := newPositionMapper(text, e)
			line, column := uint32(0), uint32(0)
			for i, r := range text {
				want := protocol.Position{Line: line, Character: column}
				if got := m.position(i); got != want {
					t.Fatalf("%s: %d is %v, want %v", e, i, got, want)
				}
				if got := m.offset(want); got != i && !(r == '\n' && i > 0 && text[i-1] == '\r') {
					t.Fatalf("%s: %v is %d, want %d", e, want, got, i)
				}
				_, size := utf8.DecodeRuneInString(text[i:])
				if e == utf16Encoding {
					size = utf16.RuneLen(r)
				}
				column += uint32(size)
				if r == '\n' || r == '\r' && !strings.HasPrefix(text[i+1:], "\n") {
					line, column = line+1, 0
				}
			}
		}
	}
}
