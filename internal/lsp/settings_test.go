package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// loose has an array in an array, a property that means nothing and a parameter
// without a name.
const loose = "{a: [[1]]}\n[t:Tool {description: \"d\", colour: 1} | (::Text)==>(::Text)]"

// Severities of the protocol, as the tests write them.
const severities = "-ewih"

// expectReported waits until the problems of loose have these severities.
func expectReported(t *testing.T, c *Client, what, want string) {
	t.Helper()
	got := "nothing"
	c.Await(what+": "+want, func(m Message) bool {
		if m.Method != "textDocument/publishDiagnostics" {
			return false
		}
		var p struct{ Diagnostics []Diagnostic }
		if err := json.Unmarshal(m.Params, &p); err != nil {
			t.Fatal(err)
		}
		got = ""
		for _, d := range p.Diagnostics {
			got += severities[d.Severity : d.Severity+1]
		}
		return got == want
	})
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// Settings come with initialize, are pushed, or are asked for; and they count
// from then on, for what is open too.
func TestSettingsSayHowStrictlyFilesAreRead(t *testing.T) {
	const uri = "untitled:loose"
	initialize := func(options, capabilities string) *Client {
		c := Start(t, nil)
		params := `{"processId": null, "rootUri": null, "capabilities": ` + capabilities + `, "initializationOptions": ` + options + `}`
		if err := c.Call("initialize", json.RawMessage(params), nil); err != nil {
			t.Fatal(err)
		}
		c.Notify("initialized", struct{}{})
		return c
	}
	push := func(c *Client, settings string) {
		c.Notify("workspace/didChangeConfiguration", json.RawMessage(`{"settings": `+settings+`}`))
	}
	for options, want := range map[string]string{
		`null`: "iww", `{}`: "iww", `{"strict": true}`: "iee", `{"gram": {"strictGram": true}}`: "eww", `{"strict": 1}`: "iww", `[]`: "iww",
	} {
		c := initialize(options, "{}")
		c.Open(uri, loose)
		expectReported(t, c, "with "+options, want)
	}

	c := initialize(`{"strictGram": true}`, "{}")
	c.Open(uri, loose)
	expectReported(t, c, "at first", "eww")
	push(c, `{"gram": {"strict": true, "server": {"path": "gram-lsp"}}}`)
	expectReported(t, c, "pushed", "iee")
	push(c, `{"gram": {"strict": "yes"}}`)
	push(c, `null`)
	push(c, `{"strict": true, "strictGram": true}`)
	expectReported(t, c, "what cannot be read changes nothing", "eee")

	var hover struct{ Contents struct{ Value string } }
	at := At(uri, 1, strings.Index(loose, "colour")-strings.Index(loose, "[t"))
	if err := c.Call("textDocument/hover", at, &hover); err != nil || !strings.Contains(hover.Contents.Value, "error: ") {
		t.Errorf("strictly, hover says %q, %v", hover.Contents.Value, err)
	}

	c = initialize(`{"strict": true}`, `{"workspace": {"configuration": true}}`)
	c.Open(uri, loose)
	expectReported(t, c, "a client without settings", "iee")
	c.Set(`{"strictGram": true}`)
	push(c, `null`)
	expectReported(t, c, "asked again", "eww")
	c.Set(`{}`)
	push(c, `{}`)
	expectReported(t, c, "and again", "iww")
}

// With the setting, all agents of the workspace work with the libraries that it
// names, wherever these are.
func TestSettingsNameLibraries(t *testing.T) {
	const (
		agent   = `[clerk:Agent {instruction: "i", model: "OpenAI/gpt-5.4"} | order, gone] [order:Tool {description: "d"} | (id::Text)==>(::Text)] [gone:Tool {description: "d"} | (::Text)]`
		library = `[local:Library | [order:Http {url: "https://example.com/{ordr}"}]]`
		near    = `[local:Library | [order:Http {url: "https://example.com/{nr}"}]]`
	)
	root := folder(t, map[string]string{"a/clerk.gram": agent, "a/near.gram": near, "b/shop/local.gram": library})
	for settings, want := range map[string]string{
		`{}`: "unknown-variable unknown-variable", `{"libraries": ["b/shop/local.gram"]}`: "missing-implementation unknown-variable", `{"libraries": ["none.gram"]}`: "",
	} {
		c := Start(t, nil)
		params := map[string]any{"processId": nil, "rootUri": "file://" + root, "capabilities": struct{}{}, "initializationOptions": json.RawMessage(settings)}
		if err := c.Call("initialize", params, nil); err != nil {
			t.Fatal(err)
		}
		c.Notify("initialized", struct{}{})
		var got []string
		for _, name := range []string{"a/clerk.gram", "a/near.gram", "b/shop/local.gram"} {
			var report struct{ Items []Diagnostic }
			if err := c.Call("textDocument/diagnostic", map[string]any{"textDocument": Document("file://" + root + "/" + name)}, &report); err != nil {
				t.Fatal(err)
			}
			got = append(got, codes(report.Items)...)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("with %s: %v, want %s", settings, got, want)
		}
	}
}

// Inlay hints are shown unless a setting says otherwise, and the client asks again
// when it changes.
func TestInlayHintsCanBeSwitchedOff(t *testing.T) {
	c := Start(t, nil)
	c.Initialize(json.RawMessage(`{"workspace": {"inlayHint": {"refreshSupport": true}}}`))
	const uri = "untitled:a.gram"
	c.Open(uri, `[t:Tool {description: "d"} | (city::Text)==>(::Text)]`)
	hints := func() int {
		var list []json.RawMessage
		if err := c.Call("textDocument/inlayHint", map[string]any{"textDocument": Document(uri), "range": Range{End: Position{Line: 1}}}, &list); err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if n := hints(); n != 2 {
		t.Errorf("%d hints", n)
	}
	c.Notify("workspace/didChangeConfiguration", json.RawMessage(`{"settings": {"inlayHints": false}}`))
	c.Await("the refresh", func(m Message) bool { return m.Method == "workspace/inlayHint/refresh" })
	if n := hints(); n != 0 {
		t.Errorf("switched off: %d hints", n)
	}
}

func TestAClientIsAskedToTellOfSettings(t *testing.T) {
	c := Start(t, nil)
	c.Initialize(json.RawMessage(`{"workspace": {"didChangeConfiguration": {"dynamicRegistration": true}}}`))
	c.Await("the registration", func(m Message) bool {
		return m.Method == "client/registerCapability" && strings.Contains(string(m.Params), `"section":"gram"`)
	})
}
