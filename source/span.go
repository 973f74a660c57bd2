package source

import "fmt"

// A Span is a range of bytes in a file, half open. The zero Span is no place.
type Span struct {
	File       *File
	Start, End int
}

// IsZero reports whether the span is no place.
func (s Span) IsZero() bool { return s.File == nil }

// Text returns the bytes of the span, "" for no place.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.text[s.Start:s.End]
}

// Pos returns the position of the first byte, zero for no place.
func (s Span) Pos() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(s.Start)
}

// To returns the span from the start of s to the end of t.
func (s Span) To(t Span) Span { return Span{File: s.File, Start: s.Start, End: t.End} }

// Head returns the empty span at the start of s, Tail the one at its end.
func (s Span) Head() Span { return Span{File: s.File, Start: s.Start, End: s.Start} }

// Tail returns the empty span at the end of s.
func (s Span) Tail() Span { return Span{File: s.File, Start: s.End, End: s.End} }

// String returns "file:line:column" of the first byte.
func (s Span) String() string {
	if s.File == nil {
		return "-"
	}
	return fmt.Sprintf("%s:%s", s.File.name, s.Pos())
}
