package repotest

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
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

// TestTheModelsPageShowsTheTable compares the tables of docs/models.md with those of the
// program; with -update it writes them.
func TestTheModelsPageShowsTheTable(t *testing.T) {
	const file = "docs/models.md"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := string(page)
	for name, table := range map[string]string{"providers": providersTable(), "models": modelsTable()} {
		part := regexp.MustCompile(`<!-- ` + name + ` -->\n(\n(\|[^\n]*\n)+)?`)
		want = part.ReplaceAllLiteralString(want, "<!-- "+name+" -->\n\n"+table)
	}
	if want == string(page) {
		return
	}
	if golden.Updating() {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Errorf("%s has other tables than internal/models; -update writes them", file)
}

func providersTable() string {
	var out strings.Builder
	out.WriteString("| Provider | Address | Key | Protocol | Variable |\n|---|---|---|---|---|\n")
	for _, p := range models.Builtin().Providers() {
		keys, address := "none", "`"+p.Address+"`"
		if len(p.Keys) > 0 {
			keys = "`" + strings.Join(p.Keys, "`, `") + "`"
		}
		if p.Address == "" {
			address = "yours, such as `" + p.AddressExample + "`"
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | `%s` |\n", p.Name, address, keys, p.Dialect, p.AddressVariable)
	}
	return out.String()
}

func modelsTable() string {
	var out strings.Builder
	out.WriteString("| Model | Context | Answer | Input | Output | Ends | Then |\n|---|---|---|---|---|---|---|\n")
	for p, m := range models.Builtin().All() {
		input, output, end := "unknown", "unknown", ""
		if m.Prices != nil {
			input, output = m.Prices.Input.OfMillion(), m.Prices.Output.OfMillion()
		}
		if m.Deprecated {
			end = "deprecated"
			if m.Retired != "" {
				end = m.Retired
			}
		}
		fmt.Fprintf(&out, "| %s/%s | %s | %s | %s | %s | %s | %s |\n", p.Name, m.ID, numberOf(m.Context), numberOf(m.Output), input, output, end, m.Successor)
	}
	return out.String()
}

func numberOf(n int) string {
	if n == 0 {
		return "unknown"
	}
	return fmt.Sprint(n)
}
