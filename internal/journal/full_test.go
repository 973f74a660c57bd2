package journal

import (
	"errors"
	"strings"
	"testing"
)

// limitPages lets the file of a journal grow no more, or grow again.
func limitPages(t *testing.T, j *Journal, pages string) {
	t.Helper()
	w := &write{alone: true, done: make(chan error, 1), do: func(t *tx) error {
		_, err := t.conn.ExecContext(t.ctx, "PRAGMA max_page_count = "+pages)
		return err
	}}
	must(t, j.enqueue(w))
	must(t, j.wait(w))
}

// An append that cannot be written is an error, and the claim writes nothing after it,
// even if there is room again. The run can be claimed anew.
func TestAFullDiskEndsTheClaim(t *testing.T) {
	j := opened(t, newFolder(t), nil)
	c, other := begun(t, j, Run{ID: "a"}), begun(t, j, Run{ID: "b"})
	must(t, c.Append(t.Context(), Entry{Key: "1", Kind: "outcome"}))
	limitPages(t, j, "1")
	large := []byte(strings.Repeat("no room ", 1<<20))
	for i := range large {
		large[i] ^= byte(i*i>>7 + i>>3)
	}
	err := c.Append(t.Context(), Entry{Key: "2", Kind: "outcome", Data: large})
	if err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Fatalf("an append without room: %v", err)
	}
	select {
	case <-c.Cancelled():
	default:
		t.Error("what the run does at the same time is not stopped")
	}
	limitPages(t, j, "1000000")
	if again := c.Append(t.Context(), Entry{Key: "3"}); !errors.Is(again, err) {
		t.Errorf("an append after a lost one: %v", again)
	}
	if again := c.End(t.Context(), Finished, ""); !errors.Is(again, err) {
		t.Errorf("an end after a lost append: %v", again)
	}
	if got, want := entriesText(t, j, "a"), `start//1/"hello" outcome/1/1/`; got != want {
		t.Errorf("the entries are %s", got)
	}
	must(t, other.Append(t.Context(), Entry{Key: "1"}))
	must(t, j.Close())
}
