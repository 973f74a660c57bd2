package repotest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThePromisesAreHeld reads docs/security.md: each test and script that it
// names exists, and each promise names one.
func TestThePromisesAreHeld(t *testing.T) {
	text, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	test := regexp.MustCompile("`([a-z/-]+)\\.((?:Test|Fuzz|Benchmark)\\w*)`")
	script := regexp.MustCompile("`([a-z/_]+\\.txtar)`")
	named := 0
	for _, m := range test.FindAllStringSubmatch(string(text), -1) {
		named++
		if !hasTest(t, m[1], m[2]) {
			t.Errorf("there is no test %s in %s", m[2], m[1])
		}
	}
	for _, m := range script.FindAllStringSubmatch(string(text), -1) {
		named++
		if _, err := os.Stat(m[1]); err != nil {
			t.Error(err)
		}
	}
	if named < 80 {
		t.Errorf("only %d tests are named", named)
	}
	holds := false
	for line := range strings.Lines(string(text)) {
		switch {
		case !strings.HasPrefix(line, "|"):
			holds = false
		case strings.Contains(line, "| Held by |"):
			holds = true
		case holds && !strings.HasPrefix(line, "|---") && !test.MatchString(line) && !script.MatchString(line):
			t.Errorf("nothing holds this promise: %s", line)
		}
	}
}

// hasTest reports whether a folder has a test of that name.
func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
