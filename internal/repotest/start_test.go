package repotest

import (
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// From v0.0.26 on, go-runewidth computes the width of every character whenever a
// program starts, which takes longer than all that gramc does to check a file.
func TestStartingComputesNoWidths(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`github\.com/mattn/go-runewidth v0\.0\.(\d+)`).FindSubmatch(text)
	if found == nil {
		return // it is not used any more
	}
	if n, err := strconv.Atoi(string(found[1])); err != nil || n >= 26 {
		t.Errorf("go.mod has %s", found[0])
	}
}

// A regular expression is compiled when it is used: there are many, and most commands
// use none.
func TestStartingCompilesNoRegularExpressions(t *testing.T) {
	atStart := regexp.MustCompile(`(?m)^(?:var |\t)\w+ += regexp\.MustCompile`)
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (path == "internal/lsp" || path == "editors" || path == "engine"): // not part of gramc
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if found := atStart.Find(text); found != nil {
			t.Errorf("%s: %q", path, found)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// These packages work for long whenever a program starts that has them: one compiles the
// schemas of five drafts, one a dozen regular expressions, one registers services; with the
// templates, the linker keeps megabytes. Tests may use them.
func TestStartingNeedsNoSlowPackages(t *testing.T) {
	deps, err := exec.Command("go", "list", "-deps", "./cmd/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(deps), "github.com/gram-lang/gramc/internal/validator\n") {
		t.Fatal("go list does not show what the commands are made of")
	}
	for _, slow := range []string{"github.com/santhosh-tekuri/jsonschema/v6", "github.com/yuin/goldmark/extension", "google.golang.org/grpc", "html/template"} {
		if slices.Contains(strings.Split(string(deps), "\n"), slow) {
			t.Errorf("a command has %s", slow)
		}
	}
}
