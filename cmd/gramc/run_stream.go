package main

import (
	"bufio"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// An answerStream shows the text of a response on a terminal while it arrives.
type answerStream struct {
	out  *bufio.Writer
	text strings.Builder // of this response, as the model wrote it
	held string          // the start of a character, or of a line end
	open bool            // the last line that was written has no end
}

// event shows what an event adds. It reports whether it has shown the answer of an
// [interp.EventAnswer].
func (s *answerStream) event(e *interp.Event) (answered bool) {
	switch e.Kind {
	case interp.EventRequest:
		s.text.Reset()
	case interp.EventDelta:
		switch e.Delta.Kind {
		case runtime.DeltaText:
			s.write(e.Delta.Text)
		case runtime.DeltaRestart:
			s.endLine()
			s.text.Reset()
			s.out.WriteString("(the response broke off and starts again)\n")
		}
	case interp.EventResponse, interp.EventAnswer:
		s.endLine()
		return e.Kind == interp.EventAnswer && s.text.Len() > 0 && s.text.String() == e.Answer.Content
	}
	return false
}

// write writes a piece of a response. Characters are cleaned when they are whole.
func (s *answerStream) write(piece string) {
	s.text.WriteString(piece)
	piece = s.held + piece
	n := len(piece) - unfinished(piece)
	piece, s.held = piece[:n], piece[n:]
	s.put(clean(piece))
}

func (s *answerStream) put(text string) {
	if text != "" {
		s.out.WriteString(text)
		s.open = !strings.HasSuffix(text, "\n")
	}
}

// endLine ends the text, and the line that it is in.
func (s *answerStream) endLine() {
	s.put(clean(s.held))
	s.held = ""
	if s.open {
		s.put("\n")
	}
}

// unfinished returns how many bytes at the end of text are the start of a character,
// or a carriage return that a line feed may follow.
func unfinished(text string) int {
	if strings.HasSuffix(text, "\r") {
		return 1
	}
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if end := text[len(text)-n:]; utf8.RuneStart(end[0]) {
			if utf8.FullRuneInString(end) {
				return 0
			}
			return n
		}
	}
	return 0
}
