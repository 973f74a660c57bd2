package lsp_test

import (
	"os"
	"path/filepath"
	"slices"
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
		for at := i % 89; at < len(text); at += 89 {
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
