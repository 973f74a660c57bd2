package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// TestTheReadmeSessionsAreReal runs each command of the console blocks and
// compares what it prints: first standard error, then standard output.
func TestTheReadmeSessionsAreReal(t *testing.T) {
	golden.Needs(t, "sh")
	path := filepath.Dir(build(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	var sessions []string
	for _, b := range blocks(t, "README.md") {
		if b.kind == "console" {
			sessions = append(sessions, strings.Split(b.text, "$ gramc ")[1:]...)
		}
	}
	if len(sessions) < 17 {
		t.Fatalf("%d commands", len(sessions))
	}
	home := t.TempDir()
	for _, s := range sessions {
		line, want, _ := strings.Cut(s, "\n")
		cmd := exec.Command("sh", "-c", "gramc "+line)
		cmd.Env = []string{"PATH=" + path, "HOME=" + home, "GRAMC_STATE=" + filepath.Join(home, "state")}
		var out, problems strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &problems
		_ = cmd.Run() // some of the commands are there to fail
		if got := strings.TrimSpace(problems.String() + out.String()); got != strings.TrimSpace(want) {
			t.Errorf("gramc %s\nprints\n%s\nand the README says\n%s", line, got, want)
		}
	}
}

// shownInReadme returns the blocks of a kind.
func shownInReadme(t *testing.T, kind string) []string {
	t.Helper()
	var shown []string
	for _, b := range blocks(t, "README.md") {
		if b.kind == kind {
			shown = append(shown, b.text)
		}
	}
	return shown
}

// TestTheReadmeShowsPrograms runs the two Go programs of the README, which are
// short: one import of ours, and at most 12 and 25 lines.
func TestTheReadmeShowsPrograms(t *testing.T) {
	programs := []struct {
		folder, prints string
		lines          int
	}{
		{"testdata/readme/hello", "[offline] sayHello answered: Hello, Ada! Nice to meet you. <nil>", 12},
		{"testdata/readme/bookshop", "[offline] price answered: 27 <nil>", 25},
	}
	shown := shownInReadme(t, "go")
	if len(shown) != len(programs) {
		t.Fatalf("%d blocks of Go", len(shown))
	}
	for i, p := range programs {
		text, err := os.ReadFile(p.folder + "/main.go")
		if err != nil || shown[i] != string(text) {
			t.Errorf("the README shows another %s, %v", p.folder, err)
		}
		if strings.Count(shown[i], "\n") > p.lines || strings.Count(shown[i], `"github.com/gram-lang/gramc`) != 1 {
			t.Errorf("%s has more than %d lines, or more than one import of ours", p.folder, p.lines)
		}
		out, err := exec.Command("go", "run", "./"+p.folder).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != p.prints {
			t.Errorf("%s prints %s, %v; want %s", p.folder, out, err, p.prints)
		}
	}
}

// TestTheReadmeShowsWhatIsWrong compares what the README says of wrong types
// with what the Go compiler says of a program, and with the output of an
// example.
func TestTheReadmeShowsWhatIsWrong(t *testing.T) {
	shown := shownInReadme(t, "text")
	if len(shown) != 2 {
		t.Fatalf("%d blocks of text", len(shown))
	}
	out, err := exec.Command("go", "build", "-o", os.DevNull, "./testdata/readme/wrong").CombinedOutput()
	if err == nil || !strings.HasSuffix(string(out), ": "+shown[0]) {
		t.Errorf("the Go compiler says\n%s\nand the README\n%s", out, shown[0])
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil || !strings.Contains(string(example), "// Output: "+shown[1]) {
		t.Errorf("no example prints\n%s", shown[1])
	}
}

// TestTheReadmeShowsGram compares what the README shows with the files that its
// sessions use, and expects that only the second has mistakes.
func TestTheReadmeShowsGram(t *testing.T) {
	shown := shownInReadme(t, "gram")
	if len(shown) != 3 {
		t.Fatalf("%d blocks of gram", len(shown))
	}
	for i, name := range map[int]string{1: "testdata/readme/orders.gram", 2: "examples/desk/library.gram"} {
		if text, err := os.ReadFile(name); err != nil || shown[i] != string(text) {
			t.Errorf("the README shows another %s, %v", name, err)
		}
	}
	file, problems := grammar.Parse("README.md", shown[0])
	if problems = append(problems, compile.Check(file, nil)...); len(problems) > 0 || format.File(file, nil) != shown[0] {
		t.Errorf("%s%s", printed(problems), format.File(file, nil))
	}
}
