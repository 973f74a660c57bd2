package source

import "testing"

func TestPositionsCountRunesAndUTF16Units(t *testing.T) {
	f := NewFile("f", "a\n😀é:x\r\n\nend")
	for _, tt := range []struct {
		offset     int
		pos        Position
		line, char int
	}{
		{0, Position{1, 1}, 0, 0},
		{1, Position{1, 2}, 0, 1},
		{2, Position{2, 1}, 1, 0},
		{6, Position{2, 2}, 1, 2},  // after the emoji: one rune, two units
		{8, Position{2, 3}, 1, 3},  // after é
		{12, Position{3, 1}, 2, 0}, // the empty line
		{13, Position{4, 1}, 3, 0}, // "end"
		{99, Position{4, 4}, 3, 3}, // past the end: the end
		{-1, Position{1, 1}, 0, 0}, // before the start: the start
	} {
		if got := f.Position(tt.offset); got != tt.pos {
			t.Errorf("Position(%d) = %v, want %v", tt.offset, got, tt.pos)
		}
		if l, c := f.UTF16(tt.offset); l != tt.line || c != tt.char {
			t.Errorf("UTF16(%d) = %d,%d, want %d,%d", tt.offset, l, c, tt.line, tt.char)
		}
	}
	for n, want := range map[int]string{0: "", 1: "a", 2: "😀é:x", 3: "", 4: "end", 5: ""} {
		if got := f.LineText(n); got != want {
			t.Errorf("LineText(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSpansAreClampedAndTheZeroSpanIsNoPlace(t *testing.T) {
	f := NewFile("f", "hello")
	if got := f.Span(-3, 99).Text(); got != "hello" {
		t.Errorf("clamped span is %q", got)
	}
	if got := f.Span(4, 2); got.Start != 4 || got.End != 4 {
		t.Errorf("inverted span is %d..%d", got.Start, got.End)
	}
	var zero Span
	if !zero.IsZero() || zero.Text() != "" || zero.String() != "-" || zero.Pos() != (Position{}) {
		t.Errorf("zero span is %v", zero)
	}
	if got := f.Span(1, 2).To(f.Span(3, 4)).Text(); got != "ell" {
		t.Errorf("joined span is %q", got)
	}
}
