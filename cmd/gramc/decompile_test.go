package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/golden"
)

func TestDecompiledProgramsCompileToThemselves(t *testing.T) {
	programs, err := filepath.Glob(filepath.Join(golden.Root(t), "testdata", "golden", "*.ir.json"))
	if err != nil || len(programs) < 5 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	places := regexp.MustCompile(`(?s)"span": \{.*?\}`)
	for _, file := range programs {
		code, text, stderr := gramc("", nil, "decompile", file)
		if code != exitFine || stderr != "" {
			t.Errorf("%s: exit code %d\n%s", file, code, stderr)
			continue
		}
		again := filepath.Join(t.TempDir(), "again.gram")
		if err := os.WriteFile(again, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		code, compiled, stderr := gramc("", nil, "compile", again)
		if code != exitFine {
			t.Errorf("%s: %s\n%s", file, stderr, text)
		}
		want := places.ReplaceAllString(golden.Read(t, file), "")
		if diff := cmp.Diff(want, places.ReplaceAllString(compiled, "")); diff != "" {
			t.Errorf("%s:\n%s", file, diff)
		}
	}
}
