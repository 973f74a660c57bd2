package gramc_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gram-lang/gramc"

// table reads the import table of docs/architecture.md: what each package may
// import of ours, and which package alone imports a module of others.
func table(t *testing.T) (allowed map[string][]string, owners map[string]string) {
	t.Helper()
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	allowed, owners = map[string][]string{}, map[string]string{}
	name := regexp.MustCompile("`([^`]+)`")
	_, section, _ := strings.Cut(string(text), "## Who may import whom")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, line := range strings.Split(section, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[1], "`") {
			continue
		}
		pkg := name.FindStringSubmatch(cells[1])[1]
		allowed[pkg] = []string{}
		for _, m := range name.FindAllStringSubmatch(cells[2], -1) {
			allowed[pkg] = append(allowed[pkg], m[1])
		}
		for _, m := range name.FindAllStringSubmatch(cells[3], -1) {
			owners[m[1]] = pkg
		}
	}
	if len(allowed) < 10 || len(owners) < 4 {
		t.Fatalf("the table has %d packages and %d modules", len(allowed), len(owners))
	}
	return allowed, owners
}

// pure packages do no I/O and start nothing.
var pure = []string{"source", "diag", "ast", "grammar", "compile"}

type listed struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestPackagesImportOnlyWhatTheTableAllows(t *testing.T) {
	allowed, owners := table(t)
	seen := map[string]bool{}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		seen[name] = true
		may, known := allowed[name]
		if !known && len(p.Imports) > 0 {
			t.Errorf("package %s is not in the table", name)
		}
		for _, imported := range p.Imports {
			if ours, ok := strings.CutPrefix(imported, module+"/"); ok && !slices.Contains(may, ours) {
				t.Errorf("%s imports %s", name, ours)
			}
			for theirs, owner := range owners {
				if (imported == theirs || strings.HasPrefix(imported, theirs+"/")) && owner != name {
					t.Errorf("%s imports %s, which only %s may", name, imported, owner)
				}
			}
			if slices.Contains(pure, name) && slices.Contains([]string{"os", "net", "net/http", "context", "time", "os/exec"}, imported) {
				t.Errorf("%s imports %s and is pure", name, imported)
			}
		}
	}
	for name := range allowed {
		if !seen[name] {
			t.Errorf("the table has %s, and there is no such package", name)
		}
	}
}
