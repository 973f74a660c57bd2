package terminal

import (
	"slices"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/interp"
)

// callHead shows a call on at most so many columns.
func callHead(tool, args string, columns int) string {
	return safeLine(tool, columns) + safeLine("("+args+")", max(columns-ansi.StringWidth(tool), 4))
}

// callLine shows a call that has ended on one line: its arguments, its outcome and
// how long it took.
func (t *Terminal) callLine(s *session.Step, width int) string {
	room := max(width-len("* -> ")-timeRoom, 10)
	head := callHead(s.Call.Name, compactJSON(s.Invocation.Args), room*3/5)
	room -= ansi.StringWidth(head)
	mark, result := t.style.good("●"), compactJSON(s.Invocation.Result)
	if failed := s.Invocation.Err; failed != nil {
		mark, result = t.style.bad("✗"), failed.Message
	}
	return ansi.Truncate(mark+" "+head+t.style.faint(" → "+safeLine(result, room)+"  "+visible.Duration(s.Time)), width, "…")
}

// timeRoom is how many columns a time and the space before it may take.
const timeRoom = 12

// Limits of a call that is shown in full.
const (
	maxUnfolded      = 64 << 10 // bytes
	maxUnfoldedLines = 200
)

// unfolded shows the calls of a turn in full.
func (t *Terminal) unfolded(turn *session.Turn) (lines []string) {
	for i := range turn.Steps {
		s := &turn.Steps[i]
		if s.Call == nil {
			continue
		}
		lines = append(lines, t.style.strong(visible.Line(s.Call.Name))+t.style.faint("  "+outcomeText(s)))
		args := s.Call.Args
		if s.Invocation != nil {
			args = s.Invocation.Args
		}
		lines = append(lines, indented(valueText(args))...)
		switch {
		case s.Invocation == nil:
		case s.Invocation.Err != nil:
			lines = append(lines, t.style.bad("✗"))
			lines = append(lines, indented(s.Invocation.Err.Message)...)
		default:
			lines = append(lines, t.style.good("→"))
			lines = append(lines, indented(valueText(s.Invocation.Result))...)
		}
	}
	return lines
}

func outcomeText(s *session.Step) string {
	if s.Time == 0 {
		return "has run for " + visible.Duration(time.Since(s.Start))
	}
	return visible.Duration(s.Time)
}

// indented returns the lines of foreign text, so many that a person may read them.
func indented(text string) (lines []string) {
	all := safeLines(excerpt.Bytes(text, maxUnfolded))
	shown := all[:min(len(all), maxUnfoldedLines)]
	for _, line := range shown {
		lines = append(lines, "  "+line)
	}
	if len(shown) < len(all) || len(text) > maxUnfolded {
		lines = append(lines, "  … "+visible.Number(int64(len(text)))+" bytes in all; /save writes them to a file")
	}
	return lines
}

// echo shows a message that was sent, as the prompt did; of a long one the start.
func (t *Terminal) echo(message string) (lines []string) {
	all := safeLines(message)
	for i, line := range all {
		switch {
		case i == maxEcho:
			return append(lines, t.style.faint("  … "+visible.Counted(len(all)-i, "more line")))
		case i == 0:
			lines = append(lines, t.style.faint("> ")+t.style.strong(line))
		default:
			lines = append(lines, "  "+t.style.strong(line))
		}
	}
	return lines
}

const maxEcho = 20

// endedCall returns the call that ends with an event.
func endedCall(t *session.Turn, e *interp.Event) session.Step {
	if e.Kind == interp.EventToolFinished {
		for _, step := range slices.Backward(t.Steps) {
			if step.Call != nil && step.Call.ID == e.Call.ID {
				return step
			}
		}
	}
	return session.Step{}
}
