package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
)

// tree writes files into a new folder, the root of a project, and returns it with
// a workspace.
func tree(t *testing.T, files map[string]string) (string, *workspace.Workspace) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "root")
	if err := os.MkdirAll(filepath.Join(root, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root, workspace.Open(workspace.NewDisk())
}

func load(t *testing.T, p *workspace.Workspace, name string) *workspace.Unit {
	t.Helper()
	f, err := p.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func names(files []*workspace.Unit, root string) []string {
	var list []string
	for _, f := range files {
		relative, _ := filepath.Rel(root, f.Name())
		list = append(list, filepath.ToSlash(relative))
	}
	return list
}

func TestImportsAreFollowedOnceAndMayBeCyclic(t *testing.T) {
	root, p := tree(t, map[string]string{
		"agent.gram":         `{import: ["./types.gram", "./tools/weather.gram"]} [a:Agent {instruction: "i", model: "OpenAI/m"} | weather]`,
		"types.gram":         `{import: ["./tools/weather.gram"]} [City:Type | (name::Text)]`,
		"tools/weather.gram": `{import: "../types.gram"} [weather:Tool {description: "d"} | (city::City)==>(::Text)]`,
	})
	f := load(t, p, filepath.Join(root, "agent.gram"))
	if got, want := names(f.Imports(), root), []string{"types.gram", "tools/weather.gram"}; !slices.Equal(got, want) {
		t.Errorf("closure %v, want %v", got, want)
	}
	program, problems := compile.File(f.File, &compile.Options{Imported: f.Trees()})
	if program == nil {
		t.Fatal(problems.Err())
	}
	if got := string(program.Agents[0].Tools[0].Schema()); !strings.Contains(got, `"name"`) {
		t.Errorf("the imported type is missing: %s", got)
	}
	weather := load(t, p, filepath.Join(root, "tools", "weather.gram"))
	if weather != f.Imports()[1] {
		t.Error("a file was read twice")
	}
	if got, want := names(weather.Imports(), root), []string{"types.gram"}; !slices.Equal(got, want) {
		t.Errorf("closure %v, want %v", got, want)
	}
	if list := compile.Check(weather.File, &compile.Options{Imported: weather.Trees()}); len(list) > 0 {
		t.Error(list)
	}
}

func TestImportsThatCannotBeFollowed(t *testing.T) {
	root, p := tree(t, map[string]string{
		"agent.gram":       `{import: ["./type.gram", "../secret.gram", "./link.gram", "./agent.gram", "./folder/../types.gram"]}`,
		"types.gram":       `[T:Type {x::Int}]`,
		"folder/keep.gram": ``,
		"../secret.gram":   `[S:Type {x::Int}]`,
	})
	if err := os.Symlink(filepath.Join(root, "..", "secret.gram"), filepath.Join(root, "link.gram")); err != nil {
		t.Skip(err)
	}
	f := load(t, p, filepath.Join(root, "agent.gram"))
	var got []string
	for _, d := range f.Problems {
		got = append(got, string(d.Code)+" "+d.Span.Text())
	}
	want := []string{
		`import-not-found "./type.gram"`, `invalid-import "../secret.gram"`, `invalid-import "./link.gram"`, `invalid-import "./agent.gram"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !strings.Contains(f.Problems[0].Message, "did you mean ./types.gram?") || f.Problems[0].Fixes[0].Edits[0].NewText != `"./types.gram"` {
		t.Errorf("no suggestion: %s", f.Problems[0])
	}
	if fixed, _ := diag.Apply(f.File.Source.Text(), f.Problems[3].Fixes); strings.Contains(fixed, "agent.gram") || !f.Problems[3].Fixes[0].Safe {
		t.Errorf("without the file itself the imports are %s", fixed)
	}
	if got, want := names(f.Imports(), root), []string{"types.gram"}; !slices.Equal(got, want) {
		t.Errorf("closure %v, want %v", got, want)
	}
	if _, err := p.Load(filepath.Join(root, "missing.gram")); err == nil {
		t.Error("a missing file was read")
	}
}

func TestFilesThatDoNotImportEachOtherNeverConflict(t *testing.T) {
	root, p := tree(t, map[string]string{
		"a.gram": `[t:Tool {description: "a"} | (::Text)] [T:Type {x::Int}]`,
		"b.gram": `[t:Tool {description: "b"} | (::Text)] [T:Type {x::Text}]`,
		"c.gram": `{import: ["./a.gram", "./b.gram"]} [c:Agent {instruction: "i", model: "OpenAI/m"} | t]`,
		"d.gram": `{import: ["./a.gram"]} [T:Type {x::Text}]`,
	})
	codes := func(name string) []diag.Code {
		f := load(t, p, filepath.Join(root, name))
		var list []diag.Code
		for _, d := range compile.Check(f.File, &compile.Options{Imported: f.Trees()}) {
			list = append(list, d.Code)
		}
		return list
	}
	for name, want := range map[string][]diag.Code{
		"a.gram": nil, "b.gram": nil, "d.gram": {diag.CodeDuplicateType},
		"c.gram": {diag.CodeDuplicateTool, diag.CodeDuplicateType},
	} {
		if got := codes(name); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestAWorkspaceMayBeShared(t *testing.T) {
	files := map[string]string{}
	for i := range 26 {
		this, next := string(rune('a'+i)), string(rune('a'+(i+1)%26))
		files[this+".gram"] = `{import: ["./` + next + `.gram"]}`
	}
	root, p := tree(t, files)
	var group sync.WaitGroup
	for name := range files {
		group.Go(func() {
			f, err := p.Load(filepath.Join(root, name))
			if err != nil || len(f.Imports()) != 25 || len(f.Problems) > 0 {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	group.Wait()
}

func TestRootOfAFile(t *testing.T) {
	root, w := tree(t, map[string]string{"a/b/c.gram": "", "a/.git/HEAD": "", "d/e.gram": ""})
	real := workspace.Resolve(root)
	if got, want := w.Root(filepath.Join(root, "a", "b", "c.gram")), filepath.Join(real, "a"); got != want {
		t.Errorf("root %s, want %s", got, want)
	}
	if got := w.Root(filepath.Join(root, "d", "e.gram")); got != real {
		t.Errorf("root %s, want %s", got, real)
	}
	apart := workspace.Resolve(t.TempDir())
	folder := filepath.Join(apart, "x")
	for want, others := range map[string][]string{folder: {real}, apart: {real, apart}} {
		if got := workspace.RootOf(folder, others...); got != want {
			t.Errorf("root %s, want %s", got, want)
		}
	}
}

func TestAFileOfTheDiskIsLoadedWithItsImports(t *testing.T) {
	root, _ := tree(t, map[string]string{
		"agent.gram": `{import: ["./types.gram"]} [a:Agent {instruction: "i", model: "OpenAI/m"} | t] [t:Tool {description: "d"} | (c::City)==>(::Town)]`,
		"types.gram": `[City:Type | (name::Text)]`,
		"town.gram":  `[Town:Type | (name::Text)]`,
	})
	w := workspace.Open(workspace.NewDisk())
	u, err := w.Load(filepath.Join(root, "agent.gram"))
	if err != nil || len(u.Trees()) != 1 {
		t.Fatalf("%v, %v", u, err)
	}
	problems := workspace.ExamineUnit(u.File, u.Problems, u.Options(compile.Options{}))
	if len(problems) != 1 {
		t.Fatalf("%v", problems)
	}
	if p := problems[0]; p.Code != diag.CodeUnknownType || p.Span.Text() != "Town" || !strings.Contains(p.Message, "./town.gram") {
		t.Errorf("%s", p)
	}
	if _, err := w.Load(filepath.Join(root, "gone.gram")); err == nil {
		t.Error("a file that does not exist was read")
	}
}

// TestMissingImportsAreFoundElsewhere tests that an import of a file that was moved is
// fixed by its path in another folder, the nearest one first.
func TestMissingImportsAreFoundElsewhere(t *testing.T) {
	root, p := tree(t, map[string]string{
		"agents/a.gram":       `{import: ["./types.gram", "./gone.gram"]}`,
		"agents/typs.gram":    ``,
		"shared/types.gram":   ``,
		"old/deep/types.gram": ``,
	})
	problems := load(t, p, filepath.Join(root, "agents", "a.gram")).Problems
	if len(problems) != 2 || len(problems[1].Fixes) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	var got []string
	for _, f := range problems[0].Fixes {
		got = append(got, f.Edits[0].NewText)
	}
	if want := []string{`"../shared/types.gram"`, `"../old/deep/types.gram"`}; !slices.Equal(got, want) {
		t.Errorf("the fixes are %v", got)
	}
	if !strings.HasSuffix(problems[0].Message, "did you mean ../shared/types.gram?") {
		t.Errorf("the message is %q", problems[0].Message)
	}
}
