package lsp_test

import (
	"slices"
	"testing"
)

// didChangeFolders notifies the server of folders that come and go.
func didChangeFolders(c *Client, added, removed []string) {
	list := func(uris []string) []any {
		folders := []any{}
		for _, uri := range uris {
			folders = append(folders, map[string]string{"uri": uri, "name": uri})
		}
		return folders
	}
	c.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": list(added), "removed": list(removed)}})
}

// A buffer that was never saved imports from the first folder, and nothing from
// outside of the folders.
func TestUnsavedBuffersImport(t *testing.T) {
	root := folder(t, map[string]string{
		"a/types.gram": types, "a/lib/types.gram": sorted, "b/types.gram": sorted, "types.gram": types,
		"a/other.gram": `[x:Agent {instruction: "i", model: "OpenAI/m"} | t]`,
	})
	a, b := "file://"+root+"/a", "file://"+root+"/b"
	const outer = "{import: [\"../types.gram\"]}\n[t:Tool {description: \"d\"} | (city::City)==>(::Text)]"
	for name, tt := range map[string]struct {
		uri, text string
		roots     []string
		want      []string
	}{
		"in the first folder":      {"untitled:Untitled-1", user, []string{a, b}, nil},
		"in another first folder":  {"untitled:Untitled-1", user, []string{b, a}, []string{"unknown-type"}},
		"where it will be saved":   {"untitled:" + root + "/a/lib/new.gram", user, []string{a, b}, []string{"unknown-type"}},
		"it will be saved outside": {"untitled:" + root + "/new.gram", user, []string{a, b}, nil},
		"from outside":             {"untitled:Untitled-1", outer, []string{a, b}, []string{"invalid-import"}},
		"without folders":          {"untitled:Untitled-1", user, nil, nil},
		"of another kind":          {"git:/types.gram?x", user, []string{b}, nil},
	} {
		c := Start(t, nil)
		c.Initialize(nil, tt.roots...)
		c.Open(tt.uri, "")
		c.Change(tt.uri, 2, Change{Text: tt.text})
		if got := codes(c.Diagnostics(tt.uri)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}

	c := Start(t, nil)
	c.Initialize(nil, a)
	c.Open(memo, user)
	var places []location
	if err := c.Call("textDocument/definition", At(memo, 1, 38), &places); err != nil || len(places) != 1 || places[0].URI != a+"/types.gram" {
		t.Errorf("City is defined at %v, %v", places, err)
	}
	if got := codes(c.Diagnostics(a + "/other.gram")); !slices.Equal(got, []string{"undefined-reference"}) {
		t.Errorf("another file: %v", got)
	}
	var items struct{ Items []struct{ Label string } }
	if err := c.Call("textDocument/completion", At(a+"/other.gram", 0, 50), &items); err != nil {
		t.Error(err)
	}
	for _, i := range items.Items {
		if i.Label == "t" {
			t.Error("another file can import what was never saved")
		}
	}
	didChangeFolders(c, []string{b}, []string{a})
	if got := codes(c.Diagnostics(memo)); !slices.Equal(got, []string{"unknown-type"}) {
		t.Errorf("the folder is another one: %v", got)
	}
}
