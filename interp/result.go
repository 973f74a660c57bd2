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
			return shortenText([]byte(text[1 : len(text)-1])) // a large one is not copied
		}
		var unquoted string
		if json.Unmarshal(text, &unquoted) == nil {
			return shortenText(unquoted)
		}
	}
	compact := bytes.NewBuffer(make([]byte, 0, len(result)))
	if err := json.Compact(compact, result); err != nil {
		return shortenText([]byte(result))
	}
	return shortenText(compact.Bytes())
}

// cutText makes text valid UTF-8, and shortens it.
func cutText(text string) string { return shortenText(strings.ToValidUTF8(text, "\uFFFD")) }

// shortenText replaces the middle of a long text by a note.
func shortenText[T string | []byte](text T) string {
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
