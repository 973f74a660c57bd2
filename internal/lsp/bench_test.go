package lsp_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/grammar"
)

// agents returns the text of a file with agents, each with tools of its own and
// one of a shared file, of about the given size.
func agents(file, size int) string {
	var b strings.Builder
	b.WriteString("{import: [\"./shared.gram\"]}\n\n")
	for i := 0; b.Len() < size; i++ {
		name := fmt.Sprintf("f%d_%d", file, i)
		fmt.Fprintf(&b, `// The agent %[1]s helps people with their orders.
[agent_%[1]s:Agent {
  description: "Answers questions about orders",
  instruction: "You help people with their orders 😀. Call `+"`find_%[1]s`"+` before you answer.",
  model: "OpenAI/gpt-5.4-mini"
} |
  find_%[1]s,
  lookup,
  [cancel_%[1]s:Tool {description: "Cancels an order"} |
    (order::Order_%[1]s)
      ==>(reason::Text {description: "Why it is cancelled", default: "none"})
      ==>(::Bool)
  ]
]

[Order_%[1]s:Type | (id::Text {pattern: "^[0-9]+$"}), (city::City), (amount::Double {min: 0})]

[find_%[1]s:Tool {description: "Finds an order"} |
  (query::Text {description: "What to look for"})==>(limit::Int {default: 10, min: 1})==>(::Array {of: "Order_%[1]s"})
]

`, name)
	}
	return b.String()
}

const sharedFile = `[City:Type | (name::Text), (zip::Text)]
[lookup:Tool {description: "Looks up a city"} | (city::City)==>(::Text)]
`

// asServer collects garbage as gram-lsp does.
func asServer(b *testing.B) {
	before := debug.SetGCPercent(400)
	b.Cleanup(func() { debug.SetGCPercent(before) })
}

// percentiles reports the median and the 99th percentile of times.
func percentiles(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(0, "ns/op")
}

// openLarge opens a file of 200 KB in a workspace of 300 files.
func openLarge(b *testing.B) (c *Client, uri, text string) {
	asServer(b)
	root := folder(b, workspaceOf(300))
	text = agents(1000, 200<<10)
	uri = "file://" + filepath.Join(root, "open.gram")
	c = Start(b, nil)
	c.Initialize(nil, "file://"+root)
	c.Open(uri, text)
	if list := c.Published(uri, 1); len(list) > 0 {
		b.Fatal(list[0])
	}
	c.Diagnostics(uri)
	return c, uri, text
}

// BenchmarkKeystroke is the time from a change of a file of 200 KB to its
// diagnostics at the client, in a workspace of 300 files that the server has read.
func BenchmarkKeystroke(b *testing.B) {
	c, uri, text := openLarge(b)
	if err := c.Call("workspace/symbol", map[string]any{"query": "lookup"}, nil); err != nil {
		b.Fatal(err)
	}
	line := strings.Count(text[:len(text)/2], "\n")
	for !strings.Contains(strings.Split(text, "\n")[line], "instruction") {
		line++
	}
	at := Position{Line: line, Character: 30}
	version := 1
	var times []time.Duration
	before := cpuTime(b)
	for b.Loop() {
		version++
		start := time.Now()
		change := Change{Range: &Range{Start: at, End: at}, Text: "x"}
		if version%2 == 1 {
			change = Change{Range: &Range{Start: at, End: Position{Line: line, Character: 31}}}
		}
		c.Change(uri, version, change)
		c.Published(uri, version)
		times = append(times, time.Since(start))
		time.Sleep(50 * time.Millisecond)
	}
	percentiles(b, times)
	b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/1000/float64(len(times)), "cpu-ms")
}

// BenchmarkMemory is what the server holds for a workspace, in bytes for each
// byte of source: every file was checked, and its names were looked for.
func BenchmarkMemory(b *testing.B) {
	files := workspaceOf(300)
	root := folder(b, files)
	size := 0
	for _, text := range files {
		size += len(text)
	}
	held := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	for b.Loop() {
		before := held()
		c := Start(b, nil)
		c.Initialize(nil, "file://"+root)
		if err := c.Call("workspace/diagnostic", map[string]any{"previousResultIds": []any{}}, nil); err != nil {
			b.Fatal(err)
		}
		if err := c.Call("workspace/symbol", map[string]any{"query": "find_f1_1"}, nil); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric((held()-before)/float64(size), "B/byte")
		c.Shutdown()
	}
	b.ReportMetric(0, "ns/op")
}

// workspaceOf returns the files of a workspace.
func workspaceOf(n int) map[string]string {
	files := map[string]string{"shared.gram": sharedFile}
	for i := range n {
		files[fmt.Sprintf("agents_%d.gram", i)] = agents(i, 3<<10)
	}
	return files
}

// BenchmarkParse is what a keystroke costs at least: to parse such a file.
func BenchmarkParse(b *testing.B) {
	text := agents(1000, 200<<10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		grammar.Parse("x.gram", text)
	}
}

func BenchmarkCheck(b *testing.B) {
	text := agents(1000, 200<<10)
	f, _ := grammar.Parse("x.gram", text)
	shared, _ := grammar.Parse("shared.gram", sharedFile)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		compile.Check(f, &compile.Options{Imported: []*ast.File{shared}})
	}
}
