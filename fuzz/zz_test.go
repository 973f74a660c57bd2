package fuzz

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
)

func TestZZ(t *testing.T) {
	for _, f := range []string{"refs", "annot", "path", "labels", "rec", "arr"} {
		data, _ := os.ReadFile("/tmp/C/" + f + ".gram")
		text := string(data)
		live := func() float64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return float64(m.HeapAlloc) / float64(len(text))
		}
		total := func() float64 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return float64(m.TotalAlloc) / float64(len(text))
		}
		l0, t0 := live(), total()
		file, _ := grammar.Recover(f, text)
		t1 := total()
		l1 := live()
		t2 := total()
		p := compile.Check(file, nil)
		t3 := total()
		l2 := live()
		t4 := total()
		s := format.File(file, nil)
		t5 := total()
		fmt.Printf("%s parse live %.0f total %.0f; check +live %.0f total %.0f; format total %.0f (%d %d)\n", f, l1-l0, t1-t0, l2-l1, t3-t2, t5-t4, len(p), len(s))
		runtime.KeepAlive(file)
	}
}
