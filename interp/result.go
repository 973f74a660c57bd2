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

// resultText returns a result, which is valid UTF-8, as text for a model: the
// content of a string, everything else as compact JSON.
func resultText(result json.RawMessage) string {
	if text := bytes.TrimSpace(result); text[0] == '"' {
		if bytes.IndexByte(text, '\\') < 0 {
			return shortened([]byte(text[1 : len(text)-1])) // a large one is not copied
		}
		var unquoted string
		if json.Unmarshal(text, &unquoted) == nil {
			return shortened(unquoted)
		}
	}
	compact := bytes.NewBuffer(make([]byte, 0, len(result)))
	if err := json.Compact(compact, result); err != nil {
		return shortened([]byte(result))
	}
	return shortened(compact.Bytes())
}

// cut makes text valid UTF-8, and shortens it.
func cut(text string) string { return shortened(strings.ToValidUTF8(text, "\uFFFD")) }

// shortened replaces the middle of a long text by a note.
func shortened[T string | []byte](text T) string {
	if len(text) <= maxResultBytes {
		return string(text)
	}
	const kept = (maxResultBytes - 100) / 2 // on each side of the note
	head, tail := excerpt.Bytes(text, kept), len(text)-kept
	for !utf8.RuneStart(text[tail]) {
		tail++
	}
	note := fmt.Sprintf("\n[%d of %d bytes are omitted here]\n", tail-len(head), len(text))
	return string(head) + note + string(text[tail:])
}
