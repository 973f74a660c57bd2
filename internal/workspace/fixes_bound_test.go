package workspace

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/grammar"
)

// TestFixesOfLargeFilesAreNotAllCompared tests that the fixes of mistakes are put in order
// by checking a bounded number of bytes, and in a small file by trying all of them.
func TestFixesOfLargeFilesAreNotAllCompared(t *testing.T) {
	const tool = "[find:Tool {description: \"Finds it\"} | (query::Text)==>(::Text)]\n"
	const mistake = "[other:Tool {description: \"d\"} | (query::Text)-(::Text)]\n"
	for _, tools := range []int{1, 800, 3000} {
		f, mistakes := grammar.Parse("f", strings.Repeat(tool, tools/2)+strings.Repeat(mistake, 3)+strings.Repeat(tool, tools/2))
		fixes := 0
		for _, d := range mistakes {
			fixes += len(d.Fixes)
		}
		if fixes <= len(mistakes) {
			t.Fatalf("%d fixes of %d mistakes", fixes, len(mistakes))
		}
		r := &fixRepair{src: f.Source}
		r.choose(mistakes)
		size := len(f.Source.Text())
		if r.checked > maxRechecked+size/100 {
			t.Errorf("%d bytes: %d are checked", size, r.checked)
		}
		if tools == 1 && r.checked < 2*size {
			t.Errorf("%d bytes: only %d are checked", size, r.checked)
		}
	}
}
