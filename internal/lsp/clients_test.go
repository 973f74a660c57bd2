package lsp_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// A client that knows of no trees gets symbols as a list.
func TestSymbolsAsAList(t *testing.T) {
	c := started(t)
	c.Open(memo, "[a:Agent {instruction: \"i\", model: \"OpenAI/m\"} | [b:Tool {description: \"d\"} | (::Text)]]\n[C:Type | (::Text)]")
	var list []struct {
		Name, ContainerName string
		Location            location
	}
	if err := c.Call("textDocument/documentSymbol", map[string]any{"textDocument": Document(memo)}, &list); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, s := range list {
		got += fmt.Sprintf("%s in %q at %s:%d:%d\n", s.Name, s.ContainerName, s.Location.URI, s.Location.Range.Start.Line, s.Location.Range.Start.Character)
	}
	if want := "a in \"\" at untitled:memo:0:0\nb in \"a\" at untitled:memo:0:49\nC in \"\" at untitled:memo:1:0\n"; got != want {
		t.Errorf("they are\n%swant\n%s", got, want)
	}
}

// Options of rename are only for clients that know of them.
func TestRenameIsDeclaredAsTheClientKnowsIt(t *testing.T) {
	for capabilities, want := range map[string]string{
		`{}`: "true",
		`{"textDocument": {"rename": {"prepareSupport": true}}}`: `{"prepareProvider":true}`,
	} {
		c := Start(t, nil)
		declared := c.Initialize(json.RawMessage(capabilities))["capabilities"].(map[string]any)["renameProvider"]
		if got, _ := json.Marshal(declared); string(got) != want {
			t.Errorf("%s: %s, want %s", capabilities, got, want)
		}
	}
}

// A client that watches no files reports a new one by saving it.
func TestANewFileIsKnownWhenItIsSaved(t *testing.T) {
	root := folder(t, map[string]string{"a.gram": "["})
	c := Start(t, nil)
	c.Initialize(nil, "file://"+root)
	known := func() (names []string) {
		var report struct{ Items []struct{ URI string } }
		if err := c.Call("workspace/diagnostic", map[string]any{"previousResultIds": []any{}}, &report); err != nil {
			t.Fatal(err)
		}
		for _, r := range report.Items {
			names = append(names, filepath.Base(r.URI))
		}
		return names
	}
	if got := known(); !slices.Equal(got, []string{"a.gram"}) {
		t.Errorf("at first %v", got)
	}
	uri := "file://" + root + "/b.gram"
	c.Open(uri, "[")
	write(t, filepath.Join(root, "b.gram"), "[")
	c.Notify("textDocument/didSave", map[string]any{"textDocument": Document(uri)})
	c.CloseDocument(uri)
	if got := known(); !slices.Equal(got, []string{"a.gram", "b.gram"}) {
		t.Errorf("with a new file %v", got)
	}
}
