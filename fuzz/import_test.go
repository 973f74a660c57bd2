package fuzz

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/importer"
)

// FuzzImport imports any bytes: the gram text that comes out parses and checks
// without errors, and with an error reported where something is lost.
func FuzzImport(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(golden.Root(f), "internal", "importer", "testdata", "*.json"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	more, err := filepath.Glob(filepath.Join(golden.Root(f), "internal", "importer", "testdata", "*.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, more...) {
		f.Add(golden.Read(f, file))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxInput {
			t.Skip()
		}
		result, problems := importer.Import("fuzz.json", text, importer.Options{})
		gram := result.Tools
		if gram == "" && len(problems) == 0 && strings.TrimSpace(text) != "[]" {
			t.Fatalf("%q gives nothing, and nothing is said", text)
		}
		checkDiagnostics(t, text, problems.Limit())
		file, syntax := grammar.Parse("fuzz.gram", gram)
		if len(syntax) > 0 {
			t.Fatalf("%q gives %q: %v", text, gram, syntax[0])
		}
		for _, p := range compile.Check(file, nil) {
			if p.Severity == diag.Error {
				t.Fatalf("%q gives %q: %v", text, gram, p)
			}
		}
	})
}
