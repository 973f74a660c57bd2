package repotest

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/internal/workspace"
)

// exampleFiles returns the gram files below examples, with what they import.
func exampleFiles(t *testing.T) []*workspace.Unit {
	t.Helper()
	var files []*workspace.Unit
	for _, pattern := range []string{"examples/*.gram", "examples/*/*.gram"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			files = append(files, exampleFile(t, name))
		}
	}
	if len(files) < 9 {
		t.Fatalf("%d examples", len(files))
	}
	return files
}

// exampleFile returns an example with what it imports. It has no problems.
func exampleFile(t *testing.T, name string) *workspace.Unit {
	t.Helper()
	file, err := workspace.Open(workspace.NewDisk()).Load(name)
	if err != nil {
		t.Fatal(err)
	}
	problems := append(file.Problems, compile.Check(file.File, strictly(file))...)
	if len(problems) > 0 {
		t.Errorf("%s:\n%s", name, printed(problems))
	}
	return file
}

// strictly returns options with which a file is refused for everything that it
// can be refused for.
func strictly(f *workspace.Unit) *compile.Options {
	return &compile.Options{Strict: true, StrictGram: true, Imported: f.Trees()}
}

func printed(list diag.List) string {
	var b strings.Builder
	diag.Fprint(&b, list, nil)
	return b.String()
}

// TestExamplesAreFormatted expects of exampleFiles that it checks them too.
func TestExamplesAreFormatted(t *testing.T) {
	for _, file := range exampleFiles(t) {
		text := file.Source.Text()
		if diff := cmp.Diff(format.File(file.File, nil), text); diff != "" {
			t.Errorf("%s is not formatted:\n%s", file.Name(), diff)
		}
	}
}

func TestExamplesAreTheSameWhenDecompiled(t *testing.T) {
	places := regexp.MustCompile(`(?s),\s*"span": \{.*?\}`)
	agents := 0
	for _, file := range exampleFiles(t) {
		program, problems := compile.File(file.File, strictly(file))
		if program == nil {
			if problems.HasErrors() && !isLibrary(file.File) {
				t.Errorf("%s:\n%s", file.Name(), printed(problems))
			}
			continue
		}
		agents += len(program.Agents)
		again, problems := grammar.Parse(file.Name(), format.File(reparsed(t, compile.Decompile(program)), nil))
		compiled, more := compile.File(again, nil)
		if problems = append(problems, more...); compiled == nil {
			t.Errorf("%s, decompiled:\n%s", file.Name(), printed(problems))
			continue
		}
		want, got := places.ReplaceAllString(string(program.JSON()), ""), places.ReplaceAllString(string(compiled.JSON()), "")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, decompiled:\n%s", file.Name(), diff)
		}
	}
	if agents < 7 {
		t.Errorf("%d agents", agents)
	}
}

// reparsed gives a tree that was made in code a text.
func reparsed(t *testing.T, f *ast.File) *ast.File {
	t.Helper()
	again, problems := grammar.Parse("decompiled.gram", ast.Print(f))
	if len(problems) > 0 {
		t.Fatal(printed(problems))
	}
	return again
}

// isLibrary reports whether a file has no agent.
func isLibrary(f *ast.File) bool { return len(compile.ResolveNames(f).Agents()) == 0 }

// TestExamplesCanBeSentToEveryProvider lowers each tool and each answer for
// each target. Some of them lose a little on the way, none is refused.
func TestExamplesCanBeSentToEveryProvider(t *testing.T) {
	tools, answers := 0, 0
	for _, file := range exampleFiles(t) {
		program, _ := compile.File(file.File, strictly(file))
		if program == nil {
			continue
		}
		for _, a := range program.Agents {
			for _, to := range provider.AllTargets() {
				for _, tool := range a.Tools {
					tools++
					if schema, problems := tool.ProviderInput(to); schema == nil {
						t.Errorf("%s: %s", file.Name(), printed(problems))
					}
				}
				if a.Returns == nil {
					continue
				}
				answers++
				if schema, problems := a.ProviderAnswer(to); schema == nil {
					t.Errorf("%s: %s", file.Name(), printed(problems))
				}
			}
		}
	}
	if tools < 80 || answers < 12 {
		t.Errorf("%d tools and %d answers", tools, answers)
	}
}
