package terminal

import (
	"errors"

	"github.com/gram-lang/gramc/internal/markdown"
	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/internal/visible"
)

// maxPast is how many turns are shown of a conversation that goes on.
const maxPast = 5

// past shows the last turns of a conversation that goes on, without one that has not ended.
func (t *Terminal) past(width int) (lines []string) {
	turns := t.session.Turns()
	if t.session.Unfinished() {
		turns = turns[:len(turns)-1]
	}
	if earlier := len(turns) - maxPast; earlier > 0 {
		lines = append(lines, t.style.faint("… "+visible.Counted(earlier, "earlier turn")), "")
		turns = turns[earlier:]
	}
	for _, turn := range turns {
		lines = append(lines, t.pastTurn(turn, width)...)
	}
	return lines
}

func (t *Terminal) pastTurn(turn *session.Turn, width int) []string {
	lines := append(t.echo(turn.Message), t.attached(turn.Sent())...)
	lines = append(lines, "")
	for i := range turn.Steps {
		if s := &turn.Steps[i]; s.Invocation != nil && !t.Quiet {
			lines = append(lines, t.callLine(s, width))
		}
	}
	if answer := turn.Answer; answer != "" {
		if len(t.session.Agent().Returns) > 0 {
			answer = "```json\n" + valueText([]byte(answer)) + "\n```"
		}
		if lines[len(lines)-1] != "" {
			lines = append(lines, "")
		}
		lines = append(lines, markdown.Render(answer, &markdown.Options{Width: width, Styles: t.styles()})...)
	}
	switch {
	case errors.Is(turn.Err, session.ErrStopped):
		lines = append(lines, t.style.warning("stopped"))
	case turn.Err != nil:
		lines = append(lines, t.stopped(turn.Err).lines...)
	case !t.Quiet:
		lines = append(lines, "", t.turnLine(turn))
	}
	return append(lines, "")
}
