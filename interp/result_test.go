package interp

import (
	"context"
	"encoding/json"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

// largeResults are results of 1 MB.
func largeResults() map[string]json.RawMessage {
	return map[string]json.RawMessage{
		"text": json.RawMessage(`"` + strings.Repeat("some text, ", 1<<20/11) + `"`),
		"rows": json.RawMessage(`[` + strings.Repeat(`{"id": 12, "name": "a \"b\"", "ok": true}, `, 1<<20/43) + `0]`),
	}
}

// runWith returns a run of an agent whose tool has that result.
func runWith(t testing.TB, result json.RawMessage) func() {
	lib := addTool(t, runtime.Library{}, "t", func(context.Context, json.RawMessage) (json.RawMessage, error) { return result, nil })
	return func() {
		response, err := runAgent(t.Context(), agent("t"), "x", nil, lib, runtime.NewScript(calls("t", "{}"), text("ok")), nil)
		if err != nil || len(response.ToolsUsed[0].Result) != len(result) {
			t.Fatal(err)
		}
	}
}

func TestALargeResultIsNotCopiedAgainAndAgain(t *testing.T) {
	for name, result := range largeResults() {
		run := runWith(t, result)
		run()
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		run()
		goruntime.ReadMemStats(&after)
		if cost := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(result)); cost > 1.5 {
			t.Errorf("%s: the run allocates %.1f times the size of the result", name, cost)
		}
	}
}

func BenchmarkLargeResult(b *testing.B) {
	for name, result := range largeResults() {
		b.Run(name, func(b *testing.B) {
			run := runWith(b, result)
			b.ReportAllocs()
			b.SetBytes(int64(len(result)))
			for b.Loop() {
				run()
			}
		})
	}
}
