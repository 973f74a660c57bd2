package compile

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// TestTheLanguagePageNamesEveryAttribute looks for all types, attributes and
// formats in the document about the language.
func TestTheLanguagePageNamesEveryAttribute(t *testing.T) {
	page := golden.Read(t, filepath.Join(golden.Root(t), "docs", "language.md"))
	for _, key := range vocabulary.Keys(vocabulary.OwnerParameter) {
		if !strings.Contains(page, "`"+key+"`") && !strings.Contains(page, "`"+key+": ") {
			t.Errorf("nothing is said of the attribute %s", key)
		}
	}
	for _, name := range append(typeNames(), vocabulary.Values(vocabulary.OwnerAlias, "format")...) {
		if !strings.Contains(page, name) {
			t.Errorf("nothing is said of %s", name)
		}
	}
}

func typeNames() []string {
	var names []string
	for _, n := range vocabulary.TypeNames() {
		names = append(names, n.Name)
	}
	return names
}
