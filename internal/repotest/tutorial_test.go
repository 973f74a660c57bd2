package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
)

const tutorialPage = "docs/tutorial.md"

// TestTheTutorialIsReal follows the tutorial: it writes the files of the blocks that
// name one, runs each command of the console blocks, and compares what it prints,
// first standard error, then standard output.
func TestTheTutorialIsReal(t *testing.T) {
	golden.Needs(t, "sh")
	path := filepath.Dir(build(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	folder := t.TempDir()
	commands, files := 0, 0
	for _, b := range blocks(t, tutorialPage) {
		_, file, named := strings.Cut(b.kind, " file=")
		if named {
			files++
			if err := os.WriteFile(filepath.Join(folder, file), []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if b.kind != "console" {
			continue
		}
		for _, session := range strings.Split("\n"+b.text, "\n$ ")[1:] {
			commands++
			line, want, _ := strings.Cut(session, "\n")
			if to, ok := strings.CutPrefix(line, "cd "); ok {
				folder = filepath.Join(folder, to)
				continue
			}
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir, cmd.Env = folder, []string{"PATH=" + path}
			var out, problems strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &problems
			_ = cmd.Run() // some of the commands are there to fail
			if got := strings.TrimSpace(problems.String() + out.String()); got != strings.TrimSpace(want) {
				t.Errorf("%s:%d: %s\nprints\n%s\nand the tutorial says\n%s", tutorialPage, b.line, line, got, want)
			}
		}
	}
	if commands < 15 || files < 5 {
		t.Errorf("%d commands, %d files", commands, files)
	}
}
