package durable

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// TestNoPieceHasASecret cuts a response with a secret in all ways.
func TestNoPieceHasASecret(t *testing.T) {
	const secret, name, least = "s3cr3t-value", "${KEY}", 6
	redact := func(text string) string { // as package host does: also the beginning of a secret before "…"
		text = strings.ReplaceAll(text, secret, name)
		for n := len(secret) - 1; n >= least; n-- {
			if rest, ok := strings.CutSuffix(text, secret[:n]+ellipsis); ok {
				return rest + name + ellipsis
			}
		}
		return text
	}
	for _, whole := range []string{"the key is " + secret + ", keep it", "the key is s3cr3t-valuable", "none"} {
		for size := 1; size <= len(whole); size++ {
			p := pieces{redact: redact}
			var shown strings.Builder
			for at := 0; at < len(whole); at += size {
				e := interp.Event{Kind: interp.EventDelta, Delta: &runtime.Delta{Kind: runtime.DeltaText, Text: whole[at:min(at+size, len(whole))]}}
				if p.take(&e) {
					shown.WriteString(e.Delta.Text)
				}
			}
			got := shown.String()
			if strings.Contains(whole, secret) && strings.Contains(got, secret[:least]) {
				t.Errorf("pieces of %d bytes show %q", size, got)
			}
			if !strings.Contains(whole, secret) && got != whole {
				t.Errorf("pieces of %d bytes of %q show %q", size, whole, got)
			}
		}
	}
}
