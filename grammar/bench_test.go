package grammar_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// BenchmarkParse parses 5 MB of agents, and reads the same tree as JSON with
// encoding/json, turn by turn.
func BenchmarkParse(b *testing.B) {
	text := golden.Agents(5 << 20)
	file, problems := grammar.Parse("agents.gram", text)
	if problems.HasErrors() {
		b.Fatal(problems.Err())
	}
	var asJSON bytes.Buffer
	if err := ast.WriteJSON(&asJSON, file); err != nil {
		b.Fatal(err)
	}
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		grammar.Parse("agents.gram", text)
		middle := time.Now()
		var v any
		if err := json.Unmarshal(asJSON.Bytes(), &v); err != nil {
			b.Fatal(err)
		}
		ours, theirs = ours+middle.Sub(start), theirs+time.Since(middle)
	}
	perSecond := func(size int, d time.Duration) float64 {
		return float64(size) * float64(b.N) / 1e6 / d.Seconds()
	}
	b.ReportMetric(perSecond(len(text), ours), "gram-MB/s")
	b.ReportMetric(perSecond(asJSON.Len(), theirs), "json-MB/s")
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "gram/json")
}
