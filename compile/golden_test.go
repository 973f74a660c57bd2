package compile_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// TestGoldenFiles compares what gramc says of each golden input, and the
// program that it compiles to. To add a case, add a .gram file and run with
// -update.
func TestGoldenFiles(t *testing.T) {
	for _, input := range golden.Inputs(t) {
		file, problems := grammar.Parse(filepath.Base(input), golden.Read(t, input))
		syntax := problems.HasErrors()
		problems = append(problems, compile.Check(file, nil)...)
		problems.Sort()
		var said strings.Builder
		if err := diag.Fprint(&said, problems, nil); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, input, ".diag", []byte(said.String()))
		var ir []byte
		if program, _ := compile.File(file, nil); program != nil && !syntax {
			ir = program.JSON()
		}
		golden.Compare(t, input, ".ir.json", ir)
	}
}
