package terminal

import (
	"strings"
)

// A completion is what could stand in the place of the last word before the
// cursor.
type completion struct {
	word    string // as it was typed
	options []option
}

type option struct{ text, about string }

// completion returns how a text can go on. Only its last line counts.
func (t *Terminal) completion(text string) (c completion) {
	if first, arg, found := strings.Cut(text, " "); strings.HasPrefix(text, "/") && !strings.Contains(text, "\n") {
		if !found {
			c.word = first
			for _, command := range commands() {
				if strings.HasPrefix(command.name, first) {
					c.options = append(c.options, option{command.name, command.about})
				}
			}
			return c
		}
		if names := t.arguments(first); names != nil {
			c.word = arg
			for _, name := range names {
				if begins(name, arg) && name != arg {
					c.options = append(c.options, option{name, ""})
				}
			}
			return c
		}
	}
	at := strings.LastIndexAny(text, " \n(") + 1
	if quoted := strings.LastIndex(text, `@"`); quoted >= 0 && strings.Count(text[quoted:], `"`) == 1 {
		at = quoted
	}
	if c.word = text[at:]; !strings.HasPrefix(c.word, "@") {
		return completion{}
	}
	for _, name := range filesFor(strings.TrimPrefix(c.word[1:], `"`)) {
		if strings.ContainsAny(name, " \t") {
			name = `"` + name
			if !strings.HasSuffix(name, "/") {
				name += `"`
			}
		}
		c.options = append(c.options, option{"@" + name, ""})
	}
	if len(c.options) == 1 && c.options[0].text == c.word {
		return completion{}
	}
	return c
}

// begins reports whether a name, or what comes after its slash, begins with a text, in
// any case.
func begins(name, text string) bool {
	name, text = strings.ToLower(name), strings.ToLower(text)
	_, after, _ := strings.Cut(name, "/")
	return strings.HasPrefix(name, text) || strings.HasPrefix(after, text)
}

// arguments returns what may follow a command; nil if anything may.
func (t *Terminal) arguments(command string) []string {
	switch command {
	case "/agent":
		return t.Agents
	case "/model":
		return t.Models
	}
	return nil
}

// next returns the text that Tab puts in the place of the word: what all options have
// in common, with a space behind the only one.
func (c *completion) next() string {
	if len(c.options) == 0 {
		return c.word
	}
	common := c.options[0].text
	for _, o := range c.options[1:] {
		for !strings.HasPrefix(o.text, common) {
			common = common[:len(common)-1]
		}
	}
	common = strings.ToValidUTF8(common, "") // no half character
	if len(c.options) == 1 && !strings.HasSuffix(common, "/") {
		common += " "
	}
	if len(common) < len(c.word) {
		return c.word
	}
	return common
}
