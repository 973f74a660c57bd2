package terminal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	maxHistory      = 1000    // messages that are kept
	maxHistoryBytes = 4 << 20 // of the file that are read
	maxHistoryEntry = 64 << 10
)

// A history is the messages of earlier conversations, oldest first. The file has
// one line of JSON for each, and only the user can read it.
type history struct {
	file    string
	entries []string
	at      int    // which one the prompt shows; len(entries) is the draft
	draft   string // what was typed before the user went back
}

// openHistory reads a history. One that cannot be read is empty: it is not worth
// failing for.
func openHistory(file string) *history {
	h := &history{file: file}
	if file == "" {
		return h
	}
	text, err := readEnd(file, maxHistoryBytes)
	if err != nil {
		return h
	}
	lines := 0
	for line := range bytes.Lines(text) {
		var entry string
		if lines++; json.Unmarshal(line, &entry) == nil && entry != "" {
			h.entries = append(h.entries, entry)
		}
	}
	if len(h.entries) > maxHistory {
		h.entries = slices.Clone(h.entries[len(h.entries)-maxHistory:])
	}
	if lines > 2*maxHistory || len(text) >= maxHistoryBytes {
		h.rewrite()
	}
	h.at = len(h.entries)
	return h
}

// readEnd reads the last bytes of a regular file, at most so many.
func readEnd(file string, most int64) ([]byte, error) {
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("is not a regular file")
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.NewSectionReader(f, max(info.Size()-most, 0), most))
}

// rewrite replaces the file by the entries that are kept.
func (h *history) rewrite() {
	var b bytes.Buffer
	for _, entry := range h.entries {
		b.Write(historyLine(entry))
	}
	temp := h.file + ".tmp"
	if os.WriteFile(temp, b.Bytes(), 0o600) == nil {
		_ = os.Rename(temp, h.file)
	}
}

func historyLine(entry string) []byte {
	line, err := json.Marshal(entry)
	if err != nil {
		panic("terminal: a string has no JSON form: " + err.Error())
	}
	return append(line, '\n')
}

// add appends a message, unless it is the previous one again. The file gets it as a whole,
// with what entry only names.
func (h *history) add(entry, whole string) {
	if n := len(h.entries); strings.TrimSpace(entry) != "" && len(entry) <= maxHistoryEntry && (n == 0 || h.entries[n-1] != entry) {
		h.entries = append(h.entries, entry)
		if len(whole) <= maxHistoryEntry {
			h.append(whole)
		}
	}
	h.at, h.draft = len(h.entries), ""
}

func (h *history) append(entry string) {
	if h.file == "" || os.MkdirAll(filepath.Dir(h.file), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(h.file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.Write(historyLine(entry))
}

// back returns the message before the one that is shown, which stays the draft if
// it is none of the history.
func (h *history) back(shown string) (entry string, ok bool) {
	if h.at == 0 {
		return "", false
	}
	if h.at == len(h.entries) {
		h.draft = shown
	}
	h.at--
	return h.entries[h.at], true
}

// forward returns the message after the one that is shown.
func (h *history) forward() (entry string, ok bool) {
	if h.at == len(h.entries) {
		return "", false
	}
	if h.at++; h.at == len(h.entries) {
		return h.draft, true
	}
	return h.entries[h.at], true
}

// search returns the last message before the one that is shown that has a text in it, in
// any case.
func (h *history) search(text, shown string) (entry string, ok bool) {
	for i := h.at - 1; i >= 0; i-- {
		if strings.Contains(strings.ToLower(h.entries[i]), strings.ToLower(text)) && h.entries[i] != shown {
			if h.at == len(h.entries) {
				h.draft = shown
			}
			h.at = i
			return h.entries[i], true
		}
	}
	return "", false
}
