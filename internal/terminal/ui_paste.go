package terminal

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gram-lang/gramc/internal/visible"
)

// Limits of what is pasted.
const (
	maxPaste      = 1 << 20 // bytes
	maxInline     = 2000    // bytes of it that the prompt shows
	maxPasteLines = 10      // lines of it that the prompt shows
)

// A paste is a long text that the prompt shows as a mark: nobody wants to read it
// there, and a text area is slow with it. Files that it mentions are not attached.
type paste struct{ mark, text string }

// paste puts pasted text into the prompt.
func (u *ui) paste(msg tea.PasteMsg) tea.Cmd {
	if len(msg.Content) > maxPaste {
		u.hint = "that is too long to paste; put it into a file, and write @ and the name of the file"
		return nil
	}
	if u.question != nil && !u.question.typing() {
		return nil
	}
	msg.Content = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(msg.Content)
	if lines := strings.Count(strings.TrimRight(msg.Content, "\n"), "\n") + 1; u.question == nil && (lines > maxPasteLines || len(msg.Content) > maxInline) {
		p := paste{fmt.Sprintf("[pasted %d: %s, %s]", len(u.pastes)+1, visible.Counted(lines, "line"), visible.Size(len(msg.Content))), msg.Content}
		u.pastes = append(u.pastes, p)
		msg.Content = p.mark
	}
	var cmd tea.Cmd
	u.prompt, cmd = u.prompt.Update(msg)
	return cmd
}

// whole returns a text with the pasted texts in the place of their marks.
func (u *ui) whole(text string) string {
	var pairs []string
	for _, p := range u.pastes {
		pairs = append(pairs, p.mark, p.text)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// eraseMark erases the mark before the end of the prompt, if the cursor is there.
func (u *ui) eraseMark() bool {
	text := u.prompt.Value()
	last := u.prompt.LineCount() - 1
	if u.prompt.Line() != last || u.prompt.Column() < len([]rune(text[strings.LastIndexByte(text, '\n')+1:])) {
		return false
	}
	for _, p := range u.pastes {
		if before, ok := strings.CutSuffix(text, p.mark); ok {
			u.setPrompt(before)
			return true
		}
	}
	return false
}
