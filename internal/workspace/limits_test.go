package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/diag"
)

// A chain that is longer than the limit is reported once, where it starts, and
// nothing of it is imported: half of it would make names unknown.
func TestTooManyImportsAreTold(t *testing.T) {
	files := map[string]string{}
	const n = 1100
	for i := range n {
		files[fmt.Sprintf("f%d.gram", i)] = fmt.Sprintf(`{import: ["./f%d.gram"]}`, (i+1)%n)
	}
	root, p := tree(t, files)
	for range 2 {
		f := load(t, p, filepath.Join(root, "f7.gram"))
		if len(f.Problems) != 1 || f.Problems[0].Code != diag.CodeTooLarge || f.Problems[0].Span.Text() != `"./f8.gram"` {
			t.Fatalf("problems: %v", f.Problems)
		}
		if len(f.Imports()) != 0 || f.Complete() {
			t.Errorf("%d files are imported, complete: %v", len(f.Imports()), f.Complete())
		}
	}
}

func TestWhatCannotBeReadIsNotSuggested(t *testing.T) {
	root, p := tree(t, map[string]string{"main.gram": `{import: ["./gone.gram", "./folder.gram"]}`, "folder.gram/x.gram": ""})
	if err := os.Symlink("nowhere", filepath.Join(root, "gone.gram")); err != nil {
		t.Skip(err)
	}
	for _, d := range load(t, p, filepath.Join(root, "main.gram")).Problems {
		if len(d.Fixes) > 0 {
			t.Errorf("%s", d)
		}
	}
}

func TestLongPathsAreCut(t *testing.T) {
	root, p := tree(t, map[string]string{"main.gram": `{import: ["./` + strings.Repeat("long/", 1000) + `x.gram"]}`})
	f := load(t, p, filepath.Join(root, "main.gram"))
	if len(f.Problems) != 1 || len(f.Problems[0].Message) > 400 {
		t.Errorf("problems: %v", f.Problems)
	}
}
