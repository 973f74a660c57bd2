package compile

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/golden"
)

// TestTheLanguagePageNamesEveryAttribute looks for all types, attributes and
// formats in the document about the language.
func TestTheLanguagePageNamesEveryAttribute(t *testing.T) {
	page := golden.Read(t, filepath.Join(golden.Root(t), "docs", "language.md"))
	for _, key := range types.TypeAttributes("optional", "paramName") {
		if !strings.Contains(page, "`"+key+"`") && !strings.Contains(page, "`"+key+": ") {
			t.Errorf("nothing is said of the attribute %s", key)
		}
	}
	for _, name := range append(types.TypeNames(), types.Formats()...) {
		if !strings.Contains(page, name) {
			t.Errorf("nothing is said of %s", name)
		}
	}
}
