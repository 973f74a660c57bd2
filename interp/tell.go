package interp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// maxToldBytes is how much of a result a model gets to see.
const maxToldBytes = 32 << 10

// resultText returns a result in words for a model: a string as it is,
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

// cut makes text valid UTF-8; if it is long, it leaves out the middle and says
// so in its place.
func cut(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= maxToldBytes {
		return text
	}
	const kept = (maxToldBytes - 100) / 2 // on each side of the note
	head, tail := excerpt.Bytes(text, kept), len(text)-kept
	for !utf8.RuneStart(text[tail]) {
		tail++
	}
	note := fmt.Sprintf("\n[%d of %d bytes are left out here]\n", tail-len(head), len(text))
	return head + note + text[tail:]
}
