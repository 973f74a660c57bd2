package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Wherever the cursor is, and wherever the text ends, there is an answer. The
// client fails the test when the server notes a bug of its own.
func TestAnswersAnywhere(t *testing.T) {
	var files []string
	for _, pattern := range []string{"testdata/golden/*.gram", "examples/*/*.gram", "examples/*.gram", "importer/testdata/*.gram"} {
		found, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 30 {
		t.Fatalf("%d files", len(files))
	}
	c := Start(t, nil)
	c.Initialize(nil)
	methods := []string{"textDocument/completion", "textDocument/hover", "textDocument/signatureHelp"}
	version := 1
	const uri = "untitled:anywhere.gram"
	c.Open(uri, "")
	for i, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data[:min(len(data), 2000)])
		var pending []*Pending
		for at := i % 211; at < len(text); at += 211 {
			for _, whole := range []string{text, text[:at]} {
				version++
				c.Change(uri, version, Change{Text: whole})
				f := &file{text: whole}
				p := f.position(at)
				for _, method := range methods {
					pending = append(pending, c.Start(method, At(uri, p.Line, p.Character)))
				}
				all := map[string]any{"textDocument": Document(uri), "range": Range{End: p}}
				pending = append(pending, c.Start("textDocument/inlayHint", all), c.Start("textDocument/codeLens", all))
			}
		}
		if j := slices.IndexFunc(pending, func(p *Pending) bool { return p.Wait(nil) != nil }); j >= 0 {
			t.Errorf("%s: request %d of %d is not answered", name, j, len(pending))
		}
	}
	c.Shutdown()
}

// Of more names than a response holds, those that come first are sent, each with
// its import, and the client is to ask again.
func TestCompletionOfManyNames(t *testing.T) {
	const user = "[a:Agent {instruction: \"i\", model: \"OpenAI/gpt-4o\"} | tool]"
	files := map[string]string{"a.gram": user}
	for i := range 30 {
		var b strings.Builder
		for j := range 10 {
			fmt.Fprintf(&b, "[tool_%d_%02d:Tool {description: \"d\"} | (::Text)]\n", j, i)
		}
		files[fmt.Sprintf("tools_%02d.gram", i)] = b.String()
	}
	root := folder(t, files)
	c := Start(t, nil)
	c.Initialize(nil, "file://"+root)
	c.Open("file://"+root+"/a.gram", user)
	c.Diagnostics("file://" + root + "/a.gram")
	var list struct {
		IsIncomplete bool
		Items        []struct{ Label, Detail string }
	}
	if err := c.Call("textDocument/completion", At("file://"+root+"/a.gram", 0, strings.Index(user, "tool]")+4), &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 100 || !list.IsIncomplete || list.Items[0].Label != "tool_0_00" || list.Items[99].Label != "tool_3_09" || list.Items[99].Detail != "imports ./tools_09.gram" {
		t.Errorf("%d items, %v: %v", len(list.Items), list.IsIncomplete, list.Items)
	}
	c.Shutdown()
}
