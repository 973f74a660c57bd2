package terminal

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/interp"
)

// A question is a call that needs the approval of the user.
type question struct {
	request *interp.ApprovalRequest
	reply   chan<- answer
	ctx     context.Context // of the turn that waits
	shown   time.Time

	whole   bool // all of the arguments is shown
	editing bool // the prompt has the arguments
	draft   string
}

// settled is how long no key may have been pressed before one counts as an answer:
// what was typed on cannot be an answer to what had not been shown.
const settled = 300 * time.Millisecond

// askUser asks in the loop, and waits.
func (u *ui) askUser(ctx context.Context, request *interp.ApprovalRequest) (answer, error) {
	reply := make(chan answer, 1)
	u.send(&question{request: request, reply: reply, ctx: ctx})
	select {
	case a := <-reply:
		return a, nil
	case <-ctx.Done():
		return answer{}, ctx.Err()
	}
}

// showQuestion shows a call. All of it is printed, so that it can be read however
// small the screen is.
func (u *ui) showQuestion(q *question) {
	if u.turn == nil || q.ctx.Err() != nil {
		return
	}
	u.endText()
	text, whole := visible.Arguments(q.request.Args)
	q.whole, q.draft = whole, u.prompt.Value()
	u.question = q
	u.setPrompt("")
	q.shown = time.Now()
	u.lastKey = q.shown
	u.gap()
	u.print(u.style.warning("● ") + u.style.strong(visible.Exactly(q.request.Agent)) + " wants to call " +
		u.style.strong(visible.Exactly(q.request.Tool)) + " with")
	u.print(strings.Split(strings.TrimRight(text, "\n"), "\n")...)
}

// typing reports whether the prompt is used for the answer.
func (q *question) typing() bool { return q != nil && (q.editing || !q.whole) }

// lines returns the question.
func (q *question) lines(u *ui) []string {
	switch {
	case q == nil:
		return nil
	case q.editing:
		return []string{u.style.faint("change the arguments; Enter allows the call, Esc goes back")}
	case !q.whole:
		return []string{"Allow this call, although not all of it is shown? Write yes or no."}
	case u.screen.width < 60:
		return []string{"Allow this call?", "y yes", "n no", "a always this tool", "e edit arguments"}
	}
	return []string{"Allow this call?  " + u.style.strong("y") + " yes   " + u.style.strong("n") + " no   " +
		u.style.strong("a") + " always this tool   " + u.style.strong("e") + " edit arguments"}
}

// answer handles a key while a question is asked.
func (u *ui) answer(msg tea.KeyPressMsg) tea.Cmd {
	q := u.question
	name := msg.String()
	if q.typing() {
		switch {
		case name == "enter":
			u.typedAnswer(strings.TrimSpace(u.prompt.Value()))
			return nil
		case name == "esc" && q.editing:
			q.editing = false
			u.setPrompt("")
			return nil
		}
		var cmd tea.Cmd
		u.prompt, cmd = u.prompt.Update(msg)
		return cmd
	}
	if time.Since(u.lastKey) < settled {
		return nil
	}
	for _, word := range []string{"yes\n", "no\n", "always\n", "edit\n"} {
		if strings.EqualFold(word[:1], name) {
			u.rest = word[1:]
		}
	}
	switch name {
	case "y", "Y":
		u.reply(answer{yes: true}, "allowed")
	case "n", "N", "esc":
		u.reply(answer{}, "not allowed")
	case "a", "A":
		u.reply(answer{yes: true, always: true}, "allowed, as all calls of this tool from now on")
	case "e", "E":
		q.editing = true
		u.setPrompt(editable(q.request.Args))
	}
	return nil
}

// endsAnswer reports whether a key goes on with the word of an answer that its first
// letter has given already, such as "yes" and Enter.
func (u *ui) endsAnswer(msg tea.KeyPressMsg) bool {
	text := msg.Text
	if msg.String() == "enter" {
		text = "\n"
	}
	rest, ok := strings.CutPrefix(u.rest, strings.ToLower(text))
	if ok = ok && text != "" && time.Since(u.lastKey) < settled; !ok {
		rest = ""
	}
	u.rest = rest
	return ok
}

// typedAnswer takes changed arguments, or yes or no in full.
func (u *ui) typedAnswer(text string) {
	q := u.question
	switch {
	case q.editing:
		args, err := changedArgs(q.request, text)
		if err != nil {
			u.hint = safe(err.Error())
			return
		}
		u.print(indented(string(args))...)
		u.reply(answer{yes: true, args: args}, "allowed with these arguments")
	case strings.EqualFold(text, "yes"):
		u.reply(answer{yes: true}, "allowed")
	case strings.EqualFold(text, "no"), strings.EqualFold(text, "n"):
		u.reply(answer{}, "not allowed")
	}
}

// reply ends the question.
func (u *ui) reply(a answer, said string) {
	u.question.reply <- a
	u.print(u.style.faint("  " + said))
	u.closeQuestion()
}

func (u *ui) closeQuestion() {
	if u.question != nil {
		draft := u.question.draft
		if u.turn != nil {
			u.turn.start = u.turn.start.Add(time.Since(u.question.shown)) // the time of the user is not its own
		}
		u.question = nil
		u.setPrompt(draft)
	}
}
