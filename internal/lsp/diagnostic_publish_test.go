package lsp_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
)

// TestFilesThatAreNotOpenArePublished tests that a client that asks for no diagnostics
// gets those of files that are not open: at the start, and when what they import
// changes.
func TestFilesThatAreNotOpenArePublished(t *testing.T) {
	root := folder(t, map[string]string{"user.gram": user, "types.gram": types, "broken.gram": "[", "fine.gram": types})
	uri := func(name string) string { return "file://" + filepath.Join(root, name) }
	c := Start(t, nil)
	c.Initialize(nil, "file://"+root)
	published := func(name string) []string {
		t.Helper()
		var p Published
		c.Await("diagnostics of "+name, func(m Message) bool {
			p = Published{}
			if m.Method != "textDocument/publishDiagnostics" || json.Unmarshal(m.Params, &p) != nil {
				return false
			}
			if p.URI == uri("fine.gram") {
				t.Errorf("a file without problems is published: %v", p.Diagnostics)
			}
			return p.URI == uri(name) && p.Version == nil
		})
		return codes(p.Diagnostics)
	}
	if got := published("broken.gram"); !slices.Equal(got, []string{"syntax"}) {
		t.Errorf("at the start there is %v", got)
	}
	c.Open(uri("types.gram"), "[Town:Type | (name::Text)]")
	if got := published("user.gram"); !slices.Contains(got, "unknown-type") {
		t.Errorf("after a change there is %v", got)
	}
	c.Change(uri("types.gram"), 2, Change{Text: types})
	if got := published("user.gram"); len(got) > 0 {
		t.Errorf("after a change back there is %v", got)
	}
	c.Change(uri("types.gram"), 3, Change{Text: "["})
	c.CloseDocument(uri("types.gram"))
	if got := published("types.gram"); len(got) > 0 {
		t.Errorf("of the file as it is on disk there is %v", got)
	}
}
