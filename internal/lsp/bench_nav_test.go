package lsp_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/grammar"
)

// BenchmarkNavigation is the time of requests that concern all files of a
// workspace of over 1,000 agents in 300 files, each after a keystroke, so that
// nothing of the snapshot before is left.
func BenchmarkNavigation(b *testing.B) {
	asServer(b)
	files := workspaceOf(300)
	root := folder(b, files)
	agents := 0
	for _, text := range files {
		agents += strings.Count(text, ":Agent {")
	}
	uri := "file://" + filepath.Join(root, "shared.gram")
	c := Start(b, nil)
	c.Initialize(nil, "file://"+root)
	c.Open(uri, sharedFile)
	c.Diagnostics(uri)
	at := func(text string) map[string]any {
		before, _, _ := strings.Cut(sharedFile, text)
		line := strings.Count(before, "\n")
		return At(uri, line, len(before)-strings.LastIndexByte(before, '\n')-1)
	}
	rename := func(text string) map[string]any {
		params := at(text)
		params["newName"] = "Renamed"
		return params
	}
	references := at("lookup")
	references["context"] = map[string]bool{"includeDeclaration": true}
	version := 1
	for _, bench := range []struct {
		name, method string
		params       map[string]any
	}{
		{"rename a tool", "textDocument/rename", rename("lookup")},
		{"rename a type", "textDocument/rename", rename("City")},
		{"references", "textDocument/references", references},
		{"definition", "textDocument/definition", at("City)")},
		{"highlight", "textDocument/documentHighlight", at("City")},
		{"symbols", "workspace/symbol", map[string]any{"query": "agf2"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				version++
				c.Change(uri, version, Change{Text: sharedFile + strings.Repeat("\n", version%2)})
				c.Published(uri, version)
				start := time.Now()
				if err := c.Call(bench.method, bench.params, nil); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
			}
			percentiles(b, times)
			b.ReportMetric(float64(agents), "agents")
		})
	}
}

// BenchmarkParseWorkspace is what a server without an index would do at least.
func BenchmarkParseWorkspace(b *testing.B) {
	files := workspaceOf(300)
	size := 0
	for _, text := range files {
		size += len(text)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for name, text := range files {
			grammar.Parse(name, text)
		}
	}
}
