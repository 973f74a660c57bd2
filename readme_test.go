package gramc_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
)

// TestTheReadmeSessionIsReal runs each command of the console block and compares
// what it prints: first standard error, then standard output.
func TestTheReadmeSessionIsReal(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "./cmd/gramc").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	block := regexp.MustCompile("(?s)```console\n(.*?)```").FindSubmatch(readme)
	if block == nil {
		t.Fatal("the README has no session")
	}
	sessions := strings.Split(string(block[1]), "$ gramc ")[1:]
	if len(sessions) < 4 {
		t.Fatalf("%d commands", len(sessions))
	}
	for _, s := range sessions {
		line, want, _ := strings.Cut(s, "\n")
		cmd := exec.Command("sh", "-c", "gramc "+line)
		cmd.Env = []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
		var out, problems strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &problems
		_ = cmd.Run() // some of the commands are there to fail
		if got := strings.TrimSpace(problems.String() + out.String()); got != strings.TrimSpace(want) {
			t.Errorf("gramc %s\nprints\n%s\nand the README says\n%s", line, got, want)
		}
	}
}

// TestTheReadmeShowsTheExample compares the Go code of the README with the body
// of Example, which runs.
func TestTheReadmeShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)
	if shown == nil {
		t.Fatal("the README has no Go code")
	}
	_, body, _ := strings.Cut(string(example), "func Example() {\n")
	body, _, _ = strings.Cut(body, "\t// Output:")
	body = strings.TrimPrefix(strings.ReplaceAll("\n"+body, "\n\t", "\n"), "\n")
	if body != string(shown[1]) {
		t.Errorf("the README shows\n%s\nand the example is\n%s", shown[1], body)
	}
}

// TestTheReadmeShowsGram compares the file with mistakes with the one that the
// session checks, and expects that the first block has none.
func TestTheReadmeShowsGram(t *testing.T) {
	var shown []string
	for _, b := range blocks(t, "README.md") {
		if b.kind == "gram" {
			shown = append(shown, b.text)
		}
	}
	broken, err := os.ReadFile("testdata/readme/orders.gram")
	if err != nil || len(shown) != 2 {
		t.Fatalf("%d blocks of gram, %v", len(shown), err)
	}
	if shown[1] != string(broken) {
		t.Error("the README shows another file than its session checks")
	}
	file, problems := grammar.Parse("README.md", shown[0])
	if problems = append(problems, compile.Check(file, nil)...); len(problems) > 0 || format.File(file, nil) != shown[0] {
		t.Errorf("%s%s", printed(problems), format.File(file, nil))
	}
}
