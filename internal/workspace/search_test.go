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
	for _, n := range d.neighboursIn(root).files {
		read += len(n.text)
	}
	if read > MaxSearchedBytes || read < MaxSearchedBytes/2 {
		t.Errorf("%d bytes are read", read)
	}
}

// TestManyNamesAreSearchedCheaply tests that the texts of a folder are read a bounded
// number of times, however many names are searched, and that later names are still found.
func TestManyNamesAreSearchedCheaply(t *testing.T) {
	root := t.TempDir()
	large := strings.Repeat("// A comment that fills the file.\n", 25_000) // 0.8 MiB
	for i := range 10 {
		text := fmt.Sprintf("[tool%d:Tool {description: \"d\"} | (::Text)]\n", i) + large
		if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("large%d.gram", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := NewDisk()
	for i := range 2000 {
		if got := slices.Collect(d.Defining(root, fmt.Sprintf("absent%d", i))); len(got) > 0 {
			t.Fatalf("absent%d is defined in %v", i, got)
		}
	}
	if got := d.neighboursIn(root).compared.Load(); got > maxCompared+MaxSearchedSize {
		t.Errorf("%d bytes are compared with names", got)
	}
	if got := slices.Collect(d.Defining(root, "tool7")); len(got) != 1 || filepath.Base(got[0]) != "large7.gram" {
		t.Errorf("tool7 is defined in %v", got)
	}
}
