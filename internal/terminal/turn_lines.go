package terminal

import (
	"strings"

	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/interp"
)

// turnLine sums a turn up; "" if there is nothing to say.
func (t *Terminal) turnLine(turn *session.Turn) string {
	parts := []string{visible.Duration(turn.Time)}
	if usage := costTokens(turn.Cost.Usage); usage != "" {
		parts = append(parts, usage)
	}
	if price := priceText(turn.Cost); price != "" && turn.Cost.Unpriced == 0 {
		parts = append(parts, price)
	}
	if turn.Cost.Requests > 1 {
		parts = append(parts, visible.Counted(turn.Cost.Requests, "request"))
	}
	return t.style.faint(strings.Join(parts, " · "))
}

// restartTurnLine says that the pieces above it are void.
const restartTurnLine = "(the response broke off and starts again)"

// compactedTurnLine says that a summary stands for the oldest messages.
func compactedTurnLine(c *interp.Compaction) string {
	return "the conversation was too long: " + c.String()
}

// cutTurnLine says why an answer is incomplete; "" if it is not.
func cutTurnLine(answer *interp.AgentResponse) string {
	switch {
	case answer.OutOfBudget:
		return "the answer is cut off, since a budget allows no more"
	case answer.Finish == "length":
		return "the answer is cut off at the length limit of the model"
	}
	return ""
}
