package compile_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// TestSeedExamplesAreTakenOrRefusedForAReason reads every gram block and every
// signature of the user's documents. A schematic one, with … or <…> where
// something is left out, is not gram (C-33); every other one must be free of
// errors.
func TestSeedExamplesAreTakenOrRefusedForAReason(t *testing.T) {
	schematic := regexp.MustCompile(`\.\.\.\}|<[a-zA-Z ]+>|::Type |::ReturnType`)
	signature := regexp.MustCompile("`(\\([^`]*::[^`]*\\))`")
	files, err := filepath.Glob(filepath.Join(golden.Shared(t, "seeds"), "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no seeds: %v", err)
	}
	taken, refused := 0, 0
	for _, file := range files {
		text := golden.Read(t, file)
		var examples []string
		for _, m := range regexp.MustCompile("(?s)```gram\n(.*?)```").FindAllStringSubmatch(text, -1) {
			examples = append(examples, m[1])
		}
		for _, m := range signature.FindAllStringSubmatch(text, -1) {
			examples = append(examples, "[t:Tool {description: \"d\"} | "+m[1]+"]")
		}
		for _, example := range examples {
			tree, syntax := grammar.Parse(filepath.Base(file), example)
			problems := append(syntax, compile.Check(tree, nil)...)
			switch {
			case schematic.MatchString(example):
				refused++
				if !problems.HasErrors() {
					t.Errorf("a schematic example is taken: %s", example)
				}
			case problems.HasErrors():
				t.Errorf("%s\n%v", strings.TrimSpace(example), problems.Err())
			default:
				taken++
			}
		}
	}
	t.Logf("%d examples taken, %d schematic ones refused", taken, refused)
	if taken < 12 || refused < 3 {
		t.Errorf("%d examples taken, %d refused: the documents are read wrongly", taken, refused)
	}
}
