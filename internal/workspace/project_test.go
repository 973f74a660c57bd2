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

// tree writes files into a new folder and returns it with a project in it.
func tree(t *testing.T, files map[string]string) (string, *workspace.Project) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "root")
	for name, text := range files {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root, workspace.New(root, workspace.Parse)
}

func load(t *testing.T, p *workspace.Project, name string) *workspace.File {
	t.Helper()
	f, err := p.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func names(files []*workspace.File, root string) []string {
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
	if got, want := names(f.Closure(), root), []string{"types.gram", "tools/weather.gram"}; !slices.Equal(got, want) {
		t.Errorf("closure %v, want %v", got, want)
	}
	program, problems := compile.File(f.File, &compile.Options{Imported: f.Imported()})
	if program == nil {
		t.Fatal(problems.Err())
	}
	if got := string(program.Agents[0].Tools[0].Schema()); !strings.Contains(got, `"name"`) {
		t.Errorf("the imported type is missing: %s", got)
	}
	weather := load(t, p, filepath.Join(root, "tools", "weather.gram"))
	if weather != f.Closure()[1] {
		t.Error("a file was read twice")
	}
	if got, want := names(weather.Closure(), root), []string{"types.gram"}; !slices.Equal(got, want) {
		t.Errorf("closure %v, want %v", got, want)
	}
	if list := compile.Check(weather.File, &compile.Options{Imported: weather.Imported()}); len(list) > 0 {
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
	if got, want := names(f.Closure(), root), []string{"types.gram"}; !slices.Equal(got, want) {
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
		for _, d := range compile.Check(f.File, &compile.Options{Imported: f.Imported()}) {
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

func TestAProjectMayBeShared(t *testing.T) {
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
			if err != nil || len(f.Closure()) != 25 || len(f.Problems) > 0 {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	group.Wait()
}

func TestRootOfAFile(t *testing.T) {
	root, _ := tree(t, map[string]string{"a/b/c.gram": "", "a/.git/HEAD": ""})
	if got, want := workspace.RootOf(filepath.Join(root, "a", "b", "c.gram")), workspace.New(filepath.Join(root, "a"), workspace.Parse).Root(); got != want {
		t.Errorf("root %s, want %s", got, want)
	}
}
