package modelhttp

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/runtime"
)

// An apiKey is a value that must not appear in texts for people.
type apiKey struct {
	forms []string // plain and escaped; none without a key
	short bool     // it occurs in texts by chance, such as "test" for a local server
}

const hidden = "[hidden key]"

func newAPIKey(key string) apiKey {
	s := apiKey{short: len(key) < 8}
	if key == "" {
		return s
	}
	quoted, _ := json.Marshal(key)
	for _, form := range []string{key, string(quoted[1 : len(quoted)-1]), url.QueryEscape(key), url.PathEscape(key)} {
		if !slices.Contains(s.forms, form) {
			s.forms = append(s.forms, form)
		}
	}
	return s
}

// hide returns text without the key. A short key is hidden only where it is a whole
// word.
func (s apiKey) hide(text string) string {
	for _, form := range s.forms {
		if strings.Contains(text, form) {
			text = replaceKey(text, form, s.short)
		}
	}
	return text
}

// hideIn hides the key in a response, for servers that echo what they were sent. A
// short key stays: it would change answers that contain it by chance.
func (s apiKey) hideIn(r *runtime.Response) {
	if s.short {
		return
	}
	r.Content, r.Refusal, r.Finish = s.hide(r.Content), s.hide(r.Refusal), s.hide(r.Finish)
	r.Reasoning, r.Extra = s.hide(r.Reasoning), s.hideBytes(r.Extra)
	for i := range r.Calls {
		c := &r.Calls[i]
		c.ID, c.Name = s.hide(c.ID), s.hide(c.Name)
		c.Args, c.Extra = s.hideBytes(c.Args), s.hideBytes(c.Extra)
	}
}

func (s apiKey) hideBytes(text json.RawMessage) json.RawMessage {
	if slices.ContainsFunc(s.forms, func(form string) bool { return bytes.Contains(text, []byte(form)) }) {
		return json.RawMessage(s.hide(string(text)))
	}
	return text
}

// replaceKey replaces key in text, or with onlyWords the keys that are no part of a
// longer word.
func replaceKey(text, key string, onlyWords bool) string {
	parts := strings.Split(text, key)
	var out strings.Builder
	for i, part := range parts {
		if i > 0 {
			before := parts[i-1]
			if onlyWords && (before != "" && keyInWord(before[len(before)-1]) || part != "" && keyInWord(part[0])) {
				out.WriteString(key)
			} else {
				out.WriteString(hidden)
			}
		}
		out.WriteString(part)
	}
	return out.String()
}

func keyInWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}

// show returns the first n printable characters of text without the key.
func (s apiKey) show(text string, n int) string {
	// Again at the end: control characters can have split the key.
	return s.hide(excerpt.Printable(s.hide(text), n))
}
