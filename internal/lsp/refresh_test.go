package lsp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a document shows depends on those that it imports: when they change, the
// client is asked to ask again, for all that it can ask again for.
func TestWhatDependsOnOtherFilesIsRefreshed(t *testing.T) {
	root := folder(t, map[string]string{"user.gram": user, "types.gram": types})
	uri, shared := "file://"+root+"/user.gram", "file://"+root+"/types.gram"
	c := Start(t, nil)
	c.Initialize(json.RawMessage(`{"workspace": {"inlayHint": {"refreshSupport": true}, "semanticTokens": {"refreshSupport": true}, "diagnostics": {"refreshSupport": true}}}`), "file://"+root)
	c.Open(uri, user)
	shown := func() (label string, tokens int) {
		t.Helper()
		var hints []struct{ Label string }
		params := map[string]any{"textDocument": Document(uri), "range": Range{End: Position{Line: 9}}}
		if err := c.Call("textDocument/inlayHint", params, &hints); err != nil || len(hints) == 0 {
			t.Fatalf("%v, %v", hints, err)
		}
		var colours struct{ Data []int }
		if err := c.Call("textDocument/semanticTokens/full", params, &colours); err != nil {
			t.Fatal(err)
		}
		const deprecated = 2
		for i := 4; i < len(colours.Data); i += 5 {
			if colours.Data[i]&deprecated != 0 {
				tokens++
			}
		}
		return hints[0].Label, tokens
	}
	// refreshed waits until the client is notified of both, after the diagnostics of
	// the open document.
	refreshed := func() {
		t.Helper()
		missing := []string{"workspace/inlayHint/refresh", "workspace/semanticTokens/refresh"}
		c.Await(strings.Join(missing, " and "), func(m Message) bool {
			if m.Method == "workspace/diagnostic/refresh" {
				t.Error("a client that does not pull is asked to pull again")
			}
			missing = slices.DeleteFunc(missing, func(method string) bool { return method == m.Method })
			return len(missing) == 0
		})
	}
	if label, tokens := shown(); label != "required object" || tokens != 0 {
		t.Errorf("at first: %q, %d", label, tokens)
	}
	c.Open(shared, `[City:Type {deprecated: "use Town"} | (::Int)]`)
	refreshed()
	if label, tokens := shown(); label != "required integer" || tokens != 1 {
		t.Errorf("changed in the editor: %q, %d", label, tokens)
	}
	c.CloseDocument(shared)
	refreshed()
	if label, tokens := shown(); label != "required object" || tokens != 0 {
		t.Errorf("closed, the text on disk counts: %q, %d", label, tokens)
	}
	if err := os.WriteFile(filepath.Join(root, "types.gram"), []byte(`[City:Enum {values: ["a", "b"]}]`), 0o666); err != nil {
		t.Fatal(err)
	}
	c.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": shared, "type": 2}}})
	refreshed()
	if label, tokens := shown(); label != "required enum string" || tokens != 0 {
		t.Errorf("changed on disk: %q, %d", label, tokens)
	}
}

// A client is not asked to ask again after a change of its own document, nor for
// what it has not asked for or cannot ask for again.
func TestNobodyAsksAgainForNothing(t *testing.T) {
	root := folder(t, map[string]string{"user.gram": user, "types.gram": types})
	uri, shared := "file://"+root+"/user.gram", "file://"+root+"/types.gram"
	own := []func(c *Client){
		func(c *Client) { c.Change(uri, 2, Change{Text: user + "\n"}) },
		func(c *Client) {
			c.Change(uri, 3, Change{Text: strings.ReplaceAll(user, "City", "Town")})
		},
	}
	others := []func(c *Client){
		func(c *Client) { c.Open(shared, sorted) },
		func(c *Client) { c.Change(shared, 2, Change{Text: types}) },
	}
	for _, tt := range []struct {
		capabilities string
		asks         bool
		changes      []func(c *Client)
	}{
		{`{"workspace": {"semanticTokens": {"refreshSupport": true}}}`, true, own},
		{`{"workspace": {"semanticTokens": {"refreshSupport": true}}}`, false, others},
		{`{"workspace": {"semanticTokens": {}}}`, true, others},
	} {
		c := Start(t, nil)
		c.Initialize(json.RawMessage(tt.capabilities), "file://"+root)
		c.Open(uri, user)
		c.Published(uri, 1)
		for _, change := range tt.changes {
			if tt.asks {
				if err := c.Call("textDocument/semanticTokens/full", map[string]any{"textDocument": Document(uri)}, nil); err != nil {
					t.Error(err)
				}
			}
			change(c)
			c.Await("diagnostics", func(m Message) bool {
				if strings.HasSuffix(m.Method, "/refresh") {
					t.Errorf("%s, with %s", m.Method, tt.capabilities)
				}
				return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), uri)
			})
		}
		c.Shutdown()
	}
}
