package terminal

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// An AnswerStream writes the text of responses to a terminal while it arrives, as it
// is. Errors of out are its own business.
type AnswerStream struct {
	out  io.Writer
	text strings.Builder // of this response, as the model wrote it
	held string          // the start of a character, or of a line end
	open bool            // the last line that was written has no end
}

// longWait is after how long a person wonders why nothing happens.
const longWait = 2 * time.Second

// NewAnswerStream returns an AnswerStream that writes to out.
func NewAnswerStream(out io.Writer) *AnswerStream { return &AnswerStream{out: out} }

// Event shows what an event adds. It reports whether it has shown the answer of an
// [interp.EventAnswer].
func (s *AnswerStream) Event(e *interp.Event) (answered bool) {
	switch e.Kind {
	case interp.EventRequest:
		s.text.Reset()
	case interp.EventDelta:
		switch e.Delta.Kind {
		case runtime.DeltaText:
			s.write(e.Delta.Text)
		case runtime.DeltaWait:
			if e.Delta.Wait >= longWait {
				s.EndLine()
				s.put("(" + safeLine(e.Delta.Why, maxShown) + "; the request is sent again in " + visible.Duration(e.Delta.Wait) + ")\n")
			}
		case runtime.DeltaRestart:
			s.EndLine()
			s.text.Reset()
			s.put(restartTurnLine + "\n")
		}
	case interp.EventResponse, interp.EventAnswer:
		s.EndLine()
		return e.Kind == interp.EventAnswer && s.text.Len() > 0 && s.text.String() == e.Answer.Content
	}
	return false
}

// write writes a piece of a response. Characters are cleaned when they are whole.
func (s *AnswerStream) write(piece string) {
	s.text.WriteString(piece)
	piece = s.held + piece
	n := len(piece) - unfinished(piece)
	piece, s.held = piece[:n], piece[n:]
	s.put(visible.Text(piece))
}

func (s *AnswerStream) put(text string) {
	if text != "" {
		_, _ = io.WriteString(s.out, text)
		s.open = !strings.HasSuffix(text, "\n")
	}
}

// EndLine ends the text, and the line that it is in. It reports whether there was one.
func (s *AnswerStream) EndLine() (ended bool) {
	s.put(visible.Text(s.held))
	s.held = ""
	if ended = s.open; ended {
		s.put("\n")
	}
	return ended
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
