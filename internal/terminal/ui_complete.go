package terminal

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// maxOptions is how many completions are shown.
const maxOptions = 12

// A menu is what was chosen of the completions of a text.
type menu struct {
	text   string // of the prompt; it holds for no other
	chosen int    // an option, counted from 1; 0 is none
	closed bool
}

// completions returns what could follow in the prompt, and which of it is chosen, counted
// from 1. There are none while the prompt shows an earlier message.
func (u *ui) completions() (c completion, chosen int) {
	text := u.prompt.Value()
	if u.menu.text != text {
		u.menu = menu{text: text}
	}
	isEarlier := u.history.at < len(u.history.entries) && u.history.entries[u.history.at] == text
	if u.menu.closed || u.question != nil || isEarlier {
		return completion{}, 0
	}
	c = u.completion(text)
	return c, min(u.menu.chosen, len(c.options))
}

// choose moves the choice by a step, and reports whether there is anything to choose. From
// the first option, a step back leaves the menu.
func (u *ui) choose(step int) bool {
	c, chosen := u.completions()
	if len(c.options) == 0 || chosen == 0 && step < 0 {
		return false
	}
	u.menu.chosen = min(chosen+step, len(c.options))
	return true
}

// take puts the chosen option into the prompt, and reports whether there is one.
func (u *ui) take() bool {
	c, chosen := u.completions()
	if chosen == 0 {
		return false
	}
	u.put(c.word, (&completion{options: c.options[chosen-1 : chosen]}).next())
	return true
}

// put replaces the word at the end of the prompt.
func (u *ui) put(word, by string) {
	u.setPrompt(strings.TrimSuffix(u.prompt.Value(), word) + by)
	u.menu = menu{}
}

// complete is Tab: it takes what is chosen, or what all options have in common, or else
// chooses the first.
func (u *ui) complete() {
	if u.take() {
		return
	}
	c := u.completion(u.prompt.Value())
	if next := c.next(); next != c.word {
		u.put(c.word, next)
	} else {
		u.choose(1)
	}
}

// close is Esc: it leaves the choice or the menu, and reports whether there was one.
func (u *ui) close() bool {
	c, chosen := u.completions()
	if chosen > 0 {
		u.menu.chosen = 0
		return true
	}
	u.menu.closed = true
	return len(c.options) > 0
}

// options returns the lines of the menu: those around what is chosen.
func (u *ui) options() (lines []string) {
	c, chosen := u.completions()
	shown := min(len(c.options), maxOptions, max(u.screen.height/2-2, 0))
	if shown > 0 && len(c.options) == shown+1 {
		shown++ // in the place of "1 more"
	}
	first := max(chosen-shown, 0)
	for i, o := range c.options[first : first+shown] {
		text := safe(o.text)
		if o.about != "" {
			text = fmt.Sprintf("%-8s  %s", text, o.about)
		}
		if first+i+1 == chosen {
			lines = append(lines, u.style.strong(ansi.Truncate("> "+text, u.screen.width, "…")))
		} else {
			lines = append(lines, u.style.faint(ansi.Truncate("  "+text, u.screen.width, "…")))
		}
	}
	if more := len(c.options) - first - shown; more > 0 && shown > 0 {
		lines = append(lines, u.style.faint(fmt.Sprintf("  … %d more", more)))
	}
	return lines
}
