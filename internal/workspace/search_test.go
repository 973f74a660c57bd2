package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSearchIsBounded tests that the search for a name reads a bounded part of a
// folder of large files, leaves out what is too large, and parses only files that
// contain the name.
func TestSearchIsBounded(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	large := strings.Repeat("// A comment that fills the file.\n", 25_000) // 0.8 MiB
	for i := range 20 {
		write(fmt.Sprintf("large%02d.gram", i), large)
	}
	write("huge.gram", "[sought:Tool {description: \"d\"} | (::Text)]\n"+strings.Repeat(large, 2))
	write("small.gram", `[sought:Tool {description: "d"} | (::Text)]`)
	write("user.gram", `[a:Agent {instruction: "i", model: "OpenAI/m"} | sought]`)
	d := NewDisk()
	got := slices.Collect(d.Defining(root, "sought"))
	if want := []string{filepath.Join(Resolve(root), "small.gram")}; !slices.Equal(got, want) {
		t.Errorf("the name is defined in %v", got)
	}
	read := 0
	for _, n := range d.near(root) {
		read += len(n.text)
	}
	if read > MaxSearchedBytes || read < MaxSearchedBytes/2 {
		t.Errorf("%d bytes are read", read)
	}
}
