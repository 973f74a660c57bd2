package repotest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
)

// TestLinksOfTheDocumentsWork follows the links between the documents, and the
// headings that they name.
func TestLinksOfTheDocumentsWork(t *testing.T) {
	link := regexp.MustCompile(`\]\(([\w./-]*)(?:#([\w-]+))?\)`)
	followed := 0
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(prose(t, page), -1) {
			followed++
			target := filepath.Join(filepath.Dir(page), m[1])
			if m[1] == "" {
				target = page
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", page, err)
			} else if m[2] != "" && !slices.Contains(anchors(t, target), m[2]) {
				t.Errorf("%s: %s has no heading #%s", page, target, m[2])
			}
		}
	}
	if followed < 100 {
		t.Errorf("%d links", followed)
	}
}

// TestTheMapNamesWhatExists looks for the files and packages that the map of the
// code names.
func TestTheMapNamesWhatExists(t *testing.T) {
	path := regexp.MustCompile("`((?:ast|cmd|compile|diag|docs|editors|examples|format|grammar|internal|interp|runtime|testdata)/[\\w./*-]+)`")
	named := 0
	for _, page := range []string{"docs/architecture.md", "docs/rough-edges.md"} {
		for _, m := range path.FindAllStringSubmatch(golden.Read(t, page), -1) {
			named++
			if found, err := filepath.Glob(m[1]); err != nil || len(found) == 0 {
				t.Errorf("%s: nothing matches %s: %v", page, m[1], err)
			}
		}
	}
	if named < 100 {
		t.Errorf("%d names", named)
	}
}

// pages returns the documents for people.
func pages(t *testing.T) []string {
	t.Helper()
	list := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	for _, mask := range []string{"docs/*.md", "editors/*.md", "editors/*/README.md"} {
		found, err := filepath.Glob(mask)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	return list
}

// prose returns a document without its fenced blocks.
func prose(t *testing.T, page string) string {
	t.Helper()
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(golden.Read(t, page), "")
}

// anchors returns the names by which links reach the headings of a document.
func anchors(t *testing.T, page string) []string {
	t.Helper()
	var names []string
	for line := range strings.Lines(prose(t, page)) {
		if heading, ok := strings.CutPrefix(line, "#"); ok {
			name := strings.ToLower(strings.TrimLeft(heading, "# "))
			name = regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.TrimSpace(name), "")
			names = append(names, strings.ReplaceAll(name, " ", "-"))
		}
	}
	return names
}
