package modelhttp

import (
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// A stream takes the pieces of a response to the caller, without the key.
type stream struct {
	yield   Yield
	key     apiKey
	begun   atomic.Bool // there was a piece in this attempt
	size    int         // bytes of the pieces of this attempt
	held    []runtime.Delta
	refused error // of yield
}

// take yields a piece, but for what may be the start of the key: that is held until
// more of the same text, or its end, shows what it is.
func (s *stream) take(d runtime.Delta) error {
	if s.size += len(d.Text); s.size > MaxResponse {
		return LargeFault()
	}
	if d.Kind != runtime.DeltaCall && d.Text == "" {
		return nil
	}
	s.begun.Store(true)
	// Calls come side by side; texts do not.
	if err := s.flush(func(h *runtime.Delta) bool { return h.Kind != d.Kind && h.Kind != runtime.DeltaArguments }); err != nil {
		return err
	}
	if s.key.short || d.Kind == runtime.DeltaCall {
		d.Name = s.key.hideLong(d.Name)
		return s.pass(d)
	}
	i := slices.IndexFunc(s.held, func(h runtime.Delta) bool { return h.Kind == d.Kind && h.Call == d.Call })
	if i >= 0 {
		d.Text = s.held[i].Text + d.Text
		s.held = slices.Delete(s.held, i, i+1)
	}
	d.Text = s.key.hide(d.Text)
	if n := s.key.startAtEnd(d.Text); n > 0 {
		rest := d
		rest.Text = d.Text[len(d.Text)-n:]
		s.held = append(s.held, rest)
		d.Text = d.Text[:len(d.Text)-n]
	}
	return s.pass(d)
}

// flush yields what is held and selected.
func (s *stream) flush(selected func(*runtime.Delta) bool) error {
	for i := 0; i < len(s.held); {
		d := s.held[i]
		if !selected(&d) {
			i++
			continue
		}
		s.held = slices.Delete(s.held, i, i+1)
		if err := s.pass(d); err != nil {
			return err
		}
	}
	return nil
}

// pass yields a piece that has something in it.
func (s *stream) pass(d runtime.Delta) error {
	if d.Text == "" && (d.Kind == runtime.DeltaText || d.Kind == runtime.DeltaReasoning || d.Kind == runtime.DeltaArguments) {
		return nil
	}
	s.refused = s.yield(d)
	return s.refused
}

// end yields the last pieces of an attempt.
func (s *stream) end() error {
	return s.flush(func(*runtime.Delta) bool { return true })
}

// wait says why and when another attempt begins.
func (s *stream) wait(f *Fault, d time.Duration) error {
	return s.pass(runtime.Delta{Kind: runtime.DeltaWait, Why: f.text, Wait: d})
}

// restart begins another attempt.
func (s *stream) restart() error {
	void := s.begun.Swap(false)
	s.size, s.held = 0, nil
	if !void {
		return nil
	}
	return s.pass(runtime.Delta{Kind: runtime.DeltaRestart})
}

// hideLong is hide for texts of a response, in which a short key stands by chance.
func (s apiKey) hideLong(text string) string {
	if s.short {
		return text
	}
	return s.hide(text)
}

// startAtEnd returns how many bytes at the end of text may be the start of the key.
func (s apiKey) startAtEnd(text string) int {
	longest := 0
	for _, form := range s.forms {
		for n := min(len(form)-1, len(text)); n > longest; n-- {
			if strings.HasSuffix(text, form[:n]) {
				longest = n
			}
		}
	}
	return longest
}
