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

func TestAClientIsAskedToTellOfSettings(t *testing.T) {
	c := Start(t, nil)
	c.Initialize(json.RawMessage(`{"workspace": {"didChangeConfiguration": {"dynamicRegistration": true}}}`))
	c.Await("the registration", func(m Message) bool {
		return m.Method == "client/registerCapability" && strings.Contains(string(m.Params), `"section":"gram"`)
	})
}
