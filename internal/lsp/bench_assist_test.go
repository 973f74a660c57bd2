package lsp_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkCompletion is the time from a keystroke in a file of 200 KB to what is
// offered there, in a workspace of 300 files.
func BenchmarkCompletion(b *testing.B) {
	b.Run("tools", func(b *testing.B) { benchmarkAssist(b, "textDocument/completion", "  lookup,", "f", 2) })
	b.Run("types", func(b *testing.B) { benchmarkAssist(b, "textDocument/completion", "(city::City)", "C", len("(city::")) })
	b.Run("keys", func(b *testing.B) { benchmarkAssist(b, "textDocument/completion", "  model:", "m", 2) })
	b.Run("hover", func(b *testing.B) { benchmarkAssist(b, "textDocument/hover", "  lookup,", "x", 4) })
}

// benchmarkAssist asks in the middle of a large file.
func benchmarkAssist(b *testing.B, method, code, typed string, column int) {
	c, uri, text := openLarge(b)
	timeAssist(b, c, uri, text, method, code, typed, column, len(text)/2)
}

// BenchmarkCompletionOpen is the time from a keystroke to what is offered there, in
// a workspace of 300 files of which 30 are open: in a file that no other imports,
// and in one that all do.
func BenchmarkCompletionOpen(b *testing.B) {
	b.Run("agent", func(b *testing.B) { benchmarkOpen(b, "agents_0.gram", "  lookup,", "f", 2) })
	b.Run("shared", func(b *testing.B) { benchmarkOpen(b, "shared.gram", "(city::City)", "C", len("(city::")) })
}

func benchmarkOpen(b *testing.B, name, code, typed string, column int) {
	asServer(b)
	files := workspaceOf(300)
	root := folder(b, files)
	c := Start(b, nil)
	c.Initialize(nil, "file://"+root)
	c.Open("file://"+root+"/shared.gram", sharedFile)
	for i := range 30 {
		name := fmt.Sprintf("agents_%d.gram", i)
		c.Open("file://"+root+"/"+name, files[name])
	}
	uri, text := "file://"+root+"/"+name, files[name]
	c.Diagnostics(uri)
	timeAssist(b, c, uri, text, "textDocument/completion", code, typed, column, 0)
}

// timeAssist types a text on the first line from an offset on that holds some code,
// asks there, and takes the text out again.
func timeAssist(b *testing.B, c *Client, uri, text, method, code, typed string, column, from int) {
	at := strings.Index(text[from:], code) + from
	line := strings.Count(text[:at], "\n")
	column += at - strings.LastIndexByte(text[:at], '\n') - 1
	start, end := Position{Line: line, Character: column}, Position{Line: line, Character: column + len(typed)}
	version := 1
	var times []time.Duration
	cpu := cpuTime(b)
	for b.Loop() {
		version += 2
		before := time.Now()
		c.Change(uri, version-1, Change{Range: &Range{Start: start, End: start}, Text: typed})
		if err := c.Call(method, At(uri, line, column+len(typed)), nil); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(before))
		c.Change(uri, version, Change{Range: &Range{Start: start, End: end}})
		time.Sleep(20 * time.Millisecond)
	}
	percentiles(b, times)
	b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/1000/float64(len(times)), "cpu-ms")
}
