package host

import (
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile/library"
)

func TestAServerHasTenSecondsToStart(t *testing.T) {
	for _, tt := range []struct {
		library, entry int64 // ms
		want           time.Duration
	}{{0, 0, 10 * time.Second}, {0, 500, 10 * time.Second}, {60_000, 0, time.Minute}, {60_000, 20_000, 20 * time.Second}} {
		l := &library.Library{TimeoutMS: tt.library}
		e := &library.Entry{Name: "slow", Kind: library.EntryMCP, TimeoutMS: tt.entry, MCP: &library.MCP{}}
		if got := newOpener(nil).serverConfig(l, e).ConnectTimeout; got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
