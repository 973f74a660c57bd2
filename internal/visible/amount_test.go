package visible

import (
	"testing"
	"time"
)

func TestAmounts(t *testing.T) {
	for got, want := range map[string]string{
		Duration(0): "0 ms", Duration(time.Microsecond): "<1 ms", Duration(1500 * time.Microsecond): "1 ms", Duration(1540 * time.Millisecond): "1.5 s", Duration(125 * time.Second): "2 min 5 s",
		Number(0): "0", Number(999): "999", Number(1000): "1,000", Number(1234567): "1,234,567", Number(-1000): "-1,000",
		Counted(1, "tool"): "1 tool", Counted(0, "tool"): "0 tools", Counted(2000, "tool"): "2,000 tools",
		Size(1): "1 byte", Size(1023): "1,023 bytes", Size(1500): "1 KiB", Size(3 << 19): "1.5 MiB",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
