package format_test

import (
	"testing"
	"time"

	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// BenchmarkFormat parses and formats 5 MB of agents, turn by turn.
func BenchmarkFormat(b *testing.B) {
	text := golden.Agents(5 << 20)
	var parsing, formatting time.Duration
	for b.Loop() {
		start := time.Now()
		file, problems := grammar.Parse("agents.gram", text)
		middle := time.Now()
		formatted := format.File(file, nil)
		parsing, formatting = parsing+middle.Sub(start), formatting+time.Since(middle)
		if problems.HasErrors() || len(formatted) < len(text)/2 {
			b.Fatal(problems.Err())
		}
	}
	b.ReportMetric(float64(len(text))*float64(b.N)/1e6/formatting.Seconds(), "MB/s")
	b.ReportMetric(formatting.Seconds()/parsing.Seconds(), "format/parse")
}
