package interp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// maxResultBytes is how much of a result is sent to a model.
const maxResultBytes = 32 << 10

// resultText returns a result as text for a model: the content of a string,
// everything else as compact JSON.
func resultText(result json.RawMessage) string {
	var text string
	if result[0] == '"' && json.Unmarshal(result, &text) == nil {
		return cut(text)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, result); err != nil {
		return cut(string(result))
	}
	return cut(compact.String())
}

// cut makes text valid UTF-8; in a long text a note replaces the middle.
func cut(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= maxResultBytes {
		return text
	}
	const kept = (maxResultBytes - 100) / 2 // on each side of the note
	head, tail := excerpt.Bytes(text, kept), len(text)-kept
	for !utf8.RuneStart(text[tail]) {
		tail++
	}
	note := fmt.Sprintf("\n[%d of %d bytes are omitted here]\n", tail-len(head), len(text))
	return head + note + text[tail:]
}
