package journal

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// opened returns a journal in a folder, which is closed at the end of the test.
func opened(t testing.TB, dir string, o *Options) *Journal {
	t.Helper()
	j, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

func newFolder(t testing.TB) string { return filepath.Join(t.TempDir(), "state") }

// begun creates a run.
func begun(t testing.TB, j *Journal, r Run) *Claim {
	t.Helper()
	c, err := j.Create(t.Context(), &r, []byte("program"), Entry{Kind: "start", Data: []byte(`"hello"`)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// entriesText returns what the entries of a run say, one line.
func entriesText(t testing.TB, j *Journal, run string) string {
	t.Helper()
	entries, err := j.Entries(context.Background(), run)
	must(t, err)
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%s/%s/%d/%s ", e.Kind, e.Key, e.Epoch, e.Data)
	}
	return strings.TrimSpace(b.String())
}
