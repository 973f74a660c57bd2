package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gram-lang/gramc/internal/workspace"
)

// TestSearchForNamesIsBounded tests that an unknown name makes the server parse a
// bounded part of a workspace of large files.
func TestSearchForNamesIsBounded(t *testing.T) {
	root := t.TempDir()
	large := strings.Repeat("[t:Tool {description: \"d\"} | (::Text)]\n", 20_000) // 0.7 MiB
	for i := range 20 {
		if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("f%02d.gram", i)), []byte(large), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := &client{encoding: utf16Encoding, examinations: new(atomic.Int64), colouring: new(colouring)}
	s := newSnapshot(c, workspaceRoots([]string{uriOf(root)}))
	s.listing.find()
	d := s.show(uriOf(filepath.Join(root, "a.gram")), `[a:Agent {instruction: "i", model: "OpenAI/m"} | sought]`, 1)
	s.open = map[string]*document{d.key: d}
	if len(s.examine(d).problems) == 0 {
		t.Fatal("the name is known")
	}
	parsed := 0
	for _, other := range s.listed() {
		if other.tree != nil {
			parsed += len(other.text)
		}
	}
	if parsed == 0 || parsed > workspace.MaxSearchedBytes {
		t.Errorf("%d bytes are parsed", parsed)
	}
}
