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

// TestContributingIsTrue looks for the files, the tests and the packages that
// CONTRIBUTING.md names.
func TestContributingIsTrue(t *testing.T) {
	const page = "CONTRIBUTING.md"
	named, commands := 0, 0
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(golden.Read(t, page), -1) {
		switch name := m[1]; {
		case strings.HasPrefix(name, "go "):
			commands++
			checkCommand(t, name)
		case regexp.MustCompile(`^(Test|Benchmark)\w+$`).MatchString(name):
			named++
			if !declared(t, name) {
				t.Errorf("no test declares %s", name)
			}
		case regexp.MustCompile(`^[\w.*-]+(/[\w.*-]+)+$|^\w+\.md$`).MatchString(name):
			named++
			if found, err := filepath.Glob(name); err != nil || len(found) == 0 {
				t.Errorf("nothing matches %s: %v", name, err)
			}
		}
	}
	for _, b := range blocks(t, page) {
		for line := range strings.Lines(b.text) {
			commands++
			checkCommand(t, strings.TrimSpace(line))
		}
	}
	if named < 25 || commands < 7 {
		t.Errorf("%d names and %d commands", named, commands)
	}
}

// checkCommand looks for the packages of a command, and for the test or the
// target that it runs.
func checkCommand(t *testing.T, line string) {
	t.Helper()
	words := strings.Fields(line)
	if len(words) < 3 || words[0] != "go" {
		t.Errorf("%s is no command of Go", line)
		return
	}
	for i, word := range words {
		switch folder, isPackage := strings.CutPrefix(word, "./"); {
		case isPackage && folder != "...":
			if info, err := os.Stat(folder); err != nil || !info.IsDir() {
				t.Errorf("%s: %s is no package: %v", line, word, err)
			}
		case words[i-min(i, 1)] == "-fuzz", words[i-min(i, 1)] == "-bench", words[i-min(i, 1)] == "-run" && word != "'^$'":
			if !declared(t, strings.Trim(word, "'^$")) {
				t.Errorf("%s: nothing is named %s", line, word)
			}
		}
	}
}

// declared reports whether a test, a benchmark or a fuzz target has this name, or
// has it in its own.
func declared(t *testing.T, name string) bool {
	t.Helper()
	declaration := regexp.MustCompile(`(?m)^func (Test|Benchmark|Fuzz)\w*` + name + `|^func ` + name + `\(`)
	return slices.ContainsFunc(goFiles(t), func(file string) bool {
		return strings.HasSuffix(file, "_test.go") && declaration.MatchString(golden.Read(t, file))
	})
}
