package interp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/runtime"
)

const (
	maxResultBytes = 32 << 10 // of a result are sent to a model
	maxOldBytes    = 2 << 10  // of a result, once the conversation was too long
)

// ResultText returns a result, which is not empty and valid UTF-8, as text for a model:
// the content of a string, everything else as compact JSON. Long ones are shortened.
func ResultText(result json.RawMessage) string {
	if text := bytes.TrimSpace(result); text[0] == '"' {
		if bytes.IndexByte(text, '\\') < 0 {
			return shortenText([]byte(text[1:len(text)-1]), maxResultBytes) // a large one is not copied
		}
		var unquoted string
		if json.Unmarshal(text, &unquoted) == nil {
			return shortenText(unquoted, maxResultBytes)
		}
	}
	compact := bytes.NewBuffer(make([]byte, 0, len(result)))
	if err := json.Compact(compact, result); err != nil {
		return shortenText([]byte(result), maxResultBytes)
	}
	return shortenText(compact.Bytes(), maxResultBytes)
}

// cutResult makes text valid UTF-8, and shortens it.
func cutResult(text string) string {
	return shortenText(strings.ToValidUTF8(text, "\uFFFD"), maxResultBytes)
}

// shortenText replaces the middle of a text that has more bytes than most by a note.
func shortenText[T string | []byte](text T, most int) string {
	if len(text) <= most {
		return string(text)
	}
	kept := (most - 100) / 2 // on each side of the note
	head, tail := excerpt.Bytes(text, kept), len(text)-kept
	for !utf8.RuneStart(text[tail]) {
		tail++
	}
	note := fmt.Sprintf("\n[%d of %d bytes are omitted here]\n", tail-len(head), len(text))
	return string(head) + note + string(text[tail:])
}

// hasLongResults reports whether shortenResults would shorten any.
func (r *loop) hasLongResults() bool {
	for i := range r.conv {
		if isLongResult(&r.conv[i]) {
			return true
		}
	}
	return false
}

func isLongResult(m *runtime.Message) bool {
	return m.Role == runtime.RoleTool && len(m.Content) > maxOldBytes
}

// shortenResults shortens the results of tools in the conversation: those that the
// model has seen, or else the new ones.
func (r *loop) shortenResults() {
	seen := len(r.conv)
	for seen > 0 && r.conv[seen-1].Role == runtime.RoleTool {
		seen--
	}
	r.conv = slices.Clone(r.conv) // events have the old one
	if !shortenAllResults(r.conv[:seen]) {
		shortenAllResults(r.conv[seen:])
	}
}

func shortenAllResults(messages []runtime.Message) (shortened bool) {
	for i := range messages {
		if m := &messages[i]; isLongResult(m) {
			m.Content, shortened = shortenText(m.Content, maxOldBytes), true
		}
	}
	return shortened
}
