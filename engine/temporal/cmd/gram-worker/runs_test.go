package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAKeyInAMessage is not kept: what begins a run is in histories and lists.
func TestAKeyInAMessage(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-0123456789")
	file := filepath.Join(t.TempDir(), "clerk.gram")
	if err := os.WriteFile(file, []byte(agentFile), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := (&cli{err: os.Stderr}).begin(file, "", "my key is sk-0123456789 "+strings.Repeat("x", 1000)+"\nand more")
	if err != nil {
		t.Fatal(err)
	}
	if b.Redact == nil || b.Redact(b.Run.Title) != "my key is ${OPENAI_API_KEY} xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" {
		t.Errorf("the title is %q", b.Run.Title)
	}
}

// TestTheFormatOfTheLog is refused before anything is read, if there is no such format.
func TestTheFormatOfTheLog(t *testing.T) {
	var errors strings.Builder
	code := run(t.Context(), []string{"serve", "--log", "xml", "clerk.gram"}, &cli{out: &errors, err: &errors, lookup: lookupIn(nil)})
	if code == 0 || !strings.Contains(errors.String(), `--log "xml": it is text or json`) {
		t.Errorf("exit code %d\n%s", code, errors.String())
	}
}
