package fuzz

import (
	"fmt"
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
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	file, _ := grammar.Recover("f", text)
	format.File(file, nil)
	compile.Check(file, nil)
	d = time.Since(start)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, d
}

// TestWorkGrowsWithTheText repeats each piece, and each pair of pieces: a text four
// times as long may take about four times the work.
func TestWorkGrowsWithTheText(t *testing.T) {
	for _, head := range []string{"", "[x | ", "({k: [", "(a)"} {
		for _, first := range pieces {
			for _, second := range append([]string{""}, pieces...) {
				unit := first + second
				n := 4000/len(unit) + 1
				small, d1 := work(head + strings.Repeat(unit, n))
				large, d2 := work(head + strings.Repeat(unit, 4*n))
				if large > 6*small && large > 4<<20 || d2 > 30*time.Millisecond && d2 > 8*d1 || large > 1000*16000 {
					fmt.Printf("%q %q: %d -> %d, %v -> %v\n", head, unit, small/4000, large/16000, d1, d2)
				}
			}
		}
	}
}
