package lsp

import (
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// A change is one change of a text, as the protocol sends it. Without a range
// it is the new text.
type contentChange struct {
	Range *protocol.Range `json:"range"`
	Text  string          `json:"text"`
}

// applyChanges returns the text of m after changes, of which each refers to the text that the
// one before it made. Changes from the end of the text to its start, as editors
// send them that change many places at once, are made together.
func applyChanges(m *positionMapper, changes []contentChange) string {
	var together []byteChange // from the end of the text of m to its start
	flush := func() string {
		slices.Reverse(together)
		return applyByteChanges(m.text, together)
	}
	for _, c := range changes {
		if c.Range == nil {
			m, together = newPositionMapper(c.Text, m.encoding), nil
			continue
		}
		start, end := m.offsets(*c.Range)
		if n := len(together); n > 0 && end >= together[n-1].start { // it does not refer to the text of m
			m, together = newPositionMapper(flush(), m.encoding), nil
			start, end = m.offsets(*c.Range)
		}
		together = append(together, byteChange{start, end, c.Text})
	}
	return flush()
}

// A byteChange replaces bytes of a text.
type byteChange struct {
	start, end int
	text       string
}

// applyByteChanges returns a text after changes, which are in the order of the text.
func applyByteChanges(text string, changes []byteChange) string {
	if len(changes) == 0 {
		return text
	}
	parts, last := make([]string, 0, 2*len(changes)+1), 0
	for _, c := range changes {
		parts = append(parts, text[last:c.start], c.text)
		last = c.end
	}
	return strings.Join(append(parts, text[last:]), "")
}
