package repotest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gram-lang/gramc"

// table reads the import table of docs/architecture.md: what each package may
// import of ours, and of the modules of others.
func table(t *testing.T) (ours, theirs map[string][]string) {
	t.Helper()
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs = map[string][]string{}, map[string][]string{}
	name := regexp.MustCompile("`([^`]+)`")
	_, section, _ := strings.Cut(string(text), "## Who may import whom")
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.SplitSeq(section, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[1], "`") {
			continue
		}
		pkg := name.FindStringSubmatch(cells[1])[1]
		ours[pkg] = []string{}
		for _, m := range name.FindAllStringSubmatch(cells[2], -1) {
			ours[pkg] = append(ours[pkg], m[1])
		}
		for _, m := range name.FindAllStringSubmatch(cells[3], -1) {
			theirs[pkg] = append(theirs[pkg], m[1])
		}
	}
	if len(ours) < 10 || len(theirs) < 5 {
		t.Fatalf("the table has %d packages, %d with modules of others", len(ours), len(theirs))
	}
	return ours, theirs
}

// pure packages do no I/O and start nothing.
var (
	pure   = []string{"source", "diag", "ast", "grammar", "format", "internal/migrate", "compile", "internal/report", "internal/vocabulary", "compile/internal/lint", "compile/types", "compile/library", "internal/importer", "internal/jsonschema", "internal/compat", "internal/models"}
	impure = []string{"os", "net", "net/http", "context", "time", "os/exec"}
)

// goFiles returns the Go files of the module, of whatever system: what is in engine is a module
// of its own.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && path != "." && (name[0] == '.' || name == "testdata" || name == "node_modules" || path == "tools" || path == "engine"):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".go"):
			files = append(files, filepath.ToSlash(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// packages returns what each package of ours imports, tests left out. A package
// is named by its folder, the root ".".
func packages(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, name := range goFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		list := all[path.Dir(name)]
		for _, spec := range file.Imports {
			list = append(list, strings.Trim(spec.Path.Value, `"`))
		}
		slices.Sort(list)
		all[path.Dir(name)] = slices.Compact(list)
	}
	return all
}

func TestPackagesImportOnlyWhatTheTableAllows(t *testing.T) {
	ours, theirs := table(t)
	all := packages(t)
	for name, imports := range all {
		if _, known := ours[name]; !known && len(imports) > 0 {
			t.Errorf("package %s is not in the table", name)
		}
		for _, imported := range imports {
			local, isOurs := strings.CutPrefix(imported, module+"/")
			domain, _, _ := strings.Cut(imported, "/")
			switch {
			case isOurs && !slices.Contains(ours[name], local):
				t.Errorf("%s imports %s", name, local)
			case !isOurs && strings.Contains(domain, ".") && !within(imported, theirs[name]):
				t.Errorf("%s imports %s", name, imported)
			case slices.Contains(pure, name) && slices.Contains(impure, imported):
				t.Errorf("%s imports %s and is pure", name, imported)
			case imported == "text/template", imported == "html/template": // they call methods by name
				t.Errorf("%s imports %s: the linker then keeps every exported method, which is megabytes", name, imported)
			}
		}
	}
	for name := range ours {
		if _, exists := all[name]; !exists {
			t.Errorf("the table has %s, and there is no such package", name)
		}
	}
}

// within reports whether a package belongs to one of the modules.
func within(pkg string, modules []string) bool {
	return slices.ContainsFunc(modules, func(m string) bool { return pkg == m || strings.HasPrefix(pkg, m+"/") })
}
