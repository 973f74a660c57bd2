package process

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// maxTail is how much of what a program writes to stderr is kept.
const maxTail = 2 << 10

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	last []byte
	cut  bool
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p[max(0, len(p)-maxTail):]...)
	if over := len(t.last) - maxTail; over > 0 || len(p) > maxTail {
		t.last = append(t.last[:0], t.last[max(0, over):]...)
		t.cut = true
	}
	return len(p), nil
}

// String returns the end of the text, without space around it.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.last
	for t.cut && len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	clean := strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD"))
	if t.cut {
		clean = "…" + clean
	}
	return clean
}
