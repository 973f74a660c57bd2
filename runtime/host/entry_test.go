package host

import (
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/runtime"
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

func TestTheWordOfAnEntryReplacesWhatIsKnownOfItsTool(t *testing.T) {
	for _, tt := range []struct {
		entry       string
		known, want runtime.Repeat
	}{
		{"", "", ""}, {"", runtime.RepeatSafe, runtime.RepeatSafe},
		{"once", runtime.RepeatSafe, runtime.RepeatOnce}, {"safe", "", runtime.RepeatSafe},
	} {
		c := runtime.ToolConfig{Repeat: tt.known}
		Origin{&library.Library{}, &library.Entry{Repeat: tt.entry}}.settle(&c)
		if c.Repeat != tt.want {
			t.Errorf("%+v: %q", tt, c.Repeat)
		}
	}
}
