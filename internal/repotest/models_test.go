package repotest

import (
	"os"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/models"
)

// TestTheReadmeListsEveryProvider compares the table under Models with that of the
// providers.
func TestTheReadmeListsEveryProvider(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, p := range models.Builtin().Providers() {
		keys, address := "none", "`"+p.AddressVariable+"`"
		if len(p.Keys) > 0 {
			keys = "`" + strings.Join(p.Keys, "` or `") + "`"
		}
		if p.Address == "" {
			address += ", which is required"
		}
		want.WriteString("| " + p.Name + " | " + keys + " | " + address + " |\n")
	}
	if !strings.Contains(string(readme), "| Provider | Key | Another base URL |\n|---|---|---|\n"+want.String()+"\n") {
		t.Errorf("README.md has another table than:\n%s", want.String())
	}
}
