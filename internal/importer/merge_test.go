package importer_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/importer"
)

// TestWhatIsMergedInMergedSchemasIsBounded imports schemas of which each is merged twice into
// the one before: 2^26 in all.
func TestWhatIsMergedInMergedSchemasIsBounded(t *testing.T) {
	for _, part := range []string{`{"$ref":"#/$defs/D%d","required":["x"]}`, `{"allOf":[{"$ref":"#/$defs/D%d"},{"required":["x"]}]}`} {
		var defs []string
		for i := range 26 {
			next := fmt.Sprintf(part, i+1)
			defs = append(defs, fmt.Sprintf(`"D%d":{"type":"object","required":["q"],"properties":{"a":%s,"b":%s}}`, i, next, next))
		}
		text := `{"name":"t","description":"d","inputSchema":{"type":"object","properties":{"x":{"$ref":"#/$defs/D0"}},"$defs":{` +
			strings.Join(append(defs, `"D26":{"type":"object","required":["q"]}`), ",") + `}}}`
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, problems := importer.Import("t.json", text, importer.Options{})
		runtime.ReadMemStats(&after)
		if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; !problems.HasErrors() || allocated > 400 {
			t.Errorf("%s: %d MiB, %d problems", part, allocated, len(problems))
		}
	}
}
