package lsp_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRenamedFilesKeepTheirImports tests that the imports of files that move, and
// those of other files that lead to them, are written anew.
func TestRenamedFilesKeepTheirImports(t *testing.T) {
	files := map[string]string{
		"agents/a.gram":      `{import: ["../shared/types.gram", './b.gram']}`,
		"agents/b.gram":      `{import: ["./../shared/types.gram"]}`,
		"shared/types.gram":  `{import: ["./units.gram", "../agents/a.gram", "./missing.gram"]}`,
		"shared/units.gram":  ``,
		"sharedmore/un.gram": `{import: "../shared/units.gram"}`,
		"tests/t.gram":       `[t:Test {library: ["./local.gram"], recording: './t.jsonl'} | [:User {text: "Hi"}]]`,
		"tests/local.gram":   ``,
	}
	for _, tt := range []struct {
		name    string
		renames map[string]string
		want    map[string]string
	}{
		{"a file", map[string]string{"shared/types.gram": "types/all.gram"}, map[string]string{
			"agents/a.gram":     `{import: ["../types/all.gram", './b.gram']}`,
			"agents/b.gram":     `{import: ["../types/all.gram"]}`,
			"shared/types.gram": `{import: ["../shared/units.gram", "../agents/a.gram", "../shared/missing.gram"]}`,
		}},
		{"a folder", map[string]string{"shared": "agents/common"}, map[string]string{
			"agents/a.gram":      `{import: ["./common/types.gram", './b.gram']}`,
			"agents/b.gram":      `{import: ["./common/types.gram"]}`,
			"shared/types.gram":  `{import: ["./units.gram", "../a.gram", "./missing.gram"]}`,
			"sharedmore/un.gram": `{import: "../agents/common/units.gram"}`,
		}},
		{"files together", map[string]string{"agents/a.gram": "a.gram", "agents/b.gram": "b.gram"}, map[string]string{
			"agents/a.gram":     `{import: ["./shared/types.gram", './b.gram']}`,
			"agents/b.gram":     `{import: ["./shared/types.gram"]}`,
			"shared/types.gram": `{import: ["./units.gram", "../a.gram", "./missing.gram"]}`,
		}},
		{"the library of a test", map[string]string{"tests/local.gram": "shared/local.gram"}, map[string]string{
			"tests/t.gram": `[t:Test {library: ["../shared/local.gram"], recording: './t.jsonl'} | [:User {text: "Hi"}]]`,
		}},
		{"a test", map[string]string{"tests/t.gram": "t.gram"}, map[string]string{
			"tests/t.gram": `[t:Test {library: ["./tests/local.gram"], recording: './tests/t.jsonl'} | [:User {text: "Hi"}]]`,
		}},
		{"nothing that is imported", map[string]string{"readme.gram": "r.gram"}, map[string]string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := folder(t, files)
			uri := func(name string) string { return "file://" + filepath.Join(root, name) }
			c := Start(t, nil)
			c.Initialize(nil, "file://"+root)
			c.Open(uri("agents/a.gram"), files["agents/a.gram"])
			var renames []map[string]string
			for from, to := range tt.renames {
				renames = append(renames, map[string]string{"oldUri": uri(from), "newUri": uri(to)})
			}
			var edit struct{ Changes map[string][]edit }
			if err := c.Call("workspace/willRenameFiles", map[string]any{"files": renames}, &edit); err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for name, text := range files {
				if edits := edit.Changes[uri(name)]; len(edits) > 0 {
					f := &file{uri: uri(name), text: text}
					got[name] = f.edited(edits)
				}
			}
			if !maps.Equal(got, tt.want) {
				t.Error(cmp.Diff(tt.want, got))
			}
		})
	}
}

// TestRenamedFilesAreFound tests that a client that watches no files reports by
// didRenameFiles that a file is elsewhere.
func TestRenamedFilesAreFound(t *testing.T) {
	root := folder(t, map[string]string{"old.gram": types})
	uri := "file://" + filepath.Join(root, "user.gram")
	c := Start(t, nil)
	result := c.Initialize(nil, "file://"+root)
	if declared := fmt.Sprint(result); !strings.Contains(declared, "willRename") || !strings.Contains(declared, "**/*.gram") {
		t.Errorf("declared is %s", declared)
	}
	c.Open(uri, user)
	if got := codes(c.Diagnostics(uri)); len(got) == 0 {
		t.Fatal("the import is found")
	}
	if err := os.Rename(filepath.Join(root, "old.gram"), filepath.Join(root, "types.gram")); err != nil {
		t.Fatal(err)
	}
	c.Notify("workspace/didRenameFiles", map[string]any{"files": []map[string]string{
		{"oldUri": "file://" + filepath.Join(root, "old.gram"), "newUri": "file://" + filepath.Join(root, "types.gram")},
	}})
	if got := codes(c.Diagnostics(uri)); len(got) > 0 {
		t.Errorf("there is %v", got)
	}
}
