package terminal

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// What the user sends while a turn runs waits in the queue of the ui. It is sent when
// the turn has succeeded, and goes back to the prompt otherwise: it may make no sense
// any more.

// submit takes what the prompt has: now, or when the turn has ended.
func (u *ui) submit() tea.Cmd {
	text := u.prompt.Value()
	if before, ok := strings.CutSuffix(text, `\`); ok && u.prompt.Line() == u.prompt.LineCount()-1 {
		u.setPrompt(before + "\n")
		return nil
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if missing := u.missingFile(text); missing != "" && text != u.sure {
		u.sure, u.hint = text, missing+"; Enter again sends the message as it is"
		return nil
	}
	u.sure = ""
	u.setPrompt("")
	if u.turn != nil && !u.isAnytime(text) {
		u.queue = append(u.queue, text)
		return nil
	}
	return u.execute(text)
}

// execute sends a message or executes a command. What cannot be sent is in the prompt
// again.
func (u *ui) execute(text string) tea.Cmd {
	o, ok := u.command(text)
	if !ok {
		return u.start(text)
	}
	u.history.add(text, text)
	u.backToPrompt(o.prefill)
	u.print(u.echo(text)...)
	u.say(o.lines...)
	u.gap()
	switch {
	case o.quit:
		return tea.Quit
	case o.send != "":
		return u.start(o.send)
	}
	return nil
}

// sendQueued executes what was queued, up to the next message.
func (u *ui) sendQueued() tea.Cmd {
	var all []tea.Cmd
	for len(u.queue) > 0 && u.turn == nil {
		text := u.queue[0]
		u.queue = u.queue[1:]
		all = append(all, u.execute(text))
	}
	return tea.Batch(all...)
}

// unqueue puts the last queued message into the prompt.
func (u *ui) unqueue() {
	last := len(u.queue) - 1
	u.setPrompt(u.queue[last])
	u.queue = u.queue[:last]
}

// backToPrompt puts texts before what the prompt has.
func (u *ui) backToPrompt(texts ...string) {
	all := ""
	for _, text := range append(texts, u.prompt.Value()) {
		if all != "" && text != "" {
			all += "\n"
		}
		all += text
	}
	u.setPrompt(all)
}

// maxQueued is how many queued messages are shown.
const maxQueued = 3

// queued returns the lines about the queue.
func (u *ui) queued() (lines []string) {
	for i, text := range u.queue {
		if i == maxQueued {
			lines = append(lines, fmt.Sprintf("… %d more", len(u.queue)-i))
			break
		}
		lines = append(lines, "queued: "+strings.Join(strings.Fields(text), " "))
	}
	if len(lines) > 0 && u.prompt.Value() == "" {
		lines = append(lines, "Up takes the last one back")
	}
	for i := range lines {
		lines[i] = u.style.faint(safeLine(lines[i], u.screen.width))
	}
	return lines
}
