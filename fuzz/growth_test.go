package fuzz

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
)

// pieces are what gram texts and broken ones are made of.
var pieces = []string{
	"a", "1", "1.5", "'x'", `"x"`, "`x`", "```\nx\n```", "(", ")", "[", "]", "{", "}", ",", "|", ":", "::", "@", "@@", "-", "=>", "..", "...",
	`"`, "'", "`", `"""`, "```", "1x-", "“", "„", "‘", "é", "\n", " ", "//", "/*", "*/", "#", "--", `\`, `"\`, "\"x\n", "“x", ";", "a:", "a::", "@k(1)", ",a",
	"-->(b)", ":L", "[x|", "[x:Type|", "[t:Tool|", "(a)", "(a::Int)", "k:1,", "k::Int,", "\r\n", "'//\n", "tag`x`", "[a | (b)]\n", "==>(a::Int)",
}

// work returns the bytes that it takes to parse, format and check a text, and the time.
func work(text string) (bytes uint64, d time.Duration) {
	start := time.Now()
	bytes = allocated(func() {
		file, _ := grammar.ParseRecovered("f", text)
		format.File(file, nil)
		compile.Check(file, nil)
	})
	return bytes, time.Since(start)
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestWorkGrowsWithTheText repeats each piece, and each pair of pieces: a text four
// times as long may take about four times the work.
func TestWorkGrowsWithTheText(t *testing.T) {
	const length = 500
	for _, head := range []string{"", "[x | "} {
		for _, first := range pieces {
			for _, second := range append([]string{""}, pieces...) {
				unit := first + second
				n := length/len(unit) + 1
				small, short := work(head + strings.Repeat(unit, n))
				large, long := work(head + strings.Repeat(unit, 4*n))
				// Other programs take time too, and a pool forgets what it holds at
				// any time (under the race detector often): the least of some tries counts.
				for tries := 0; tries < 20 && outgrows(small, large, short, long); tries++ {
					bytes, d := work(head + strings.Repeat(unit, 4*n))
					large, long = min(large, bytes), min(long, d)
				}
				if outgrows(small, large, short, long) {
					t.Errorf("%s%s…: %d bytes become %d, %v becomes %v", head, unit, small, large, short, long)
				}
			}
		}
	}
}

// outgrows reports whether a text four times as long takes rather sixteen times the
// bytes or the time than four times.
func outgrows(small, large uint64, short, long time.Duration) bool {
	return large > 1<<20 && large > 8*small || long > 40*time.Millisecond && long > 8*short
}

// TestParsingTakesLittleMemory parses what makes the most nodes for its length.
func TestParsingTakesLittleMemory(t *testing.T) {
	const most, n = 200, 200_000 // bytes per byte; repetitions
	for _, text := range []string{
		"[x | " + strings.Repeat("a,", n) + "a]", strings.Repeat("@k(1) ", n) + "(a)", "(a)" + strings.Repeat("-->(b)", n),
		"(a" + strings.Repeat(":L", n) + ")", strings.Repeat("()", n), "({" + strings.Repeat("k:1,", n) + "k:1})", "({k:[" + strings.Repeat("1,", n) + "1]})",
		"[x | " + strings.Repeat(",1", n), "[x | " + strings.Repeat("1|", n), strings.Repeat("](", n), // with mistakes
	} {
		if got := allocated(func() { grammar.ParseRecovered("f", text) }) / uint64(len(text)); got > most {
			t.Errorf("%.10s…: %d bytes per byte", text, got)
		}
	}
}
