//go:build unix

package fuzz

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/golden"
)

// A unit is what a text repeats, after its head.
type unit struct {
	head, text string
	bytes      uint64        // allocated for each byte of a short text
	took       time.Duration // for a short text
}

func (u unit) repeated(size int) string {
	return u.head + strings.Repeat(u.text, size/len(u.text)+1)
}

// BenchmarkUnits finds the pieces and pairs of pieces that take the most memory and time
// when a short text repeats them, and measures gramc check with long texts of them, and
// with agents: the most memory for each byte beyond 64 MB, and the most time for each MB.
func BenchmarkUnits(b *testing.B) {
	const short, long, worst = 10_000, 2_000_000, 12
	gramc := filepath.Join(b.TempDir(), "gramc")
	if out, err := exec.Command("go", "build", "-o", gramc, "../cmd/gramc").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	var units []unit
	for _, head := range []string{"", "[x | ", "(a", "({k:["} {
		for _, first := range pieces {
			for _, second := range append([]string{""}, pieces...) {
				u := unit{head: head, text: first + second}
				u.bytes, u.took = work(u.repeated(short))
				units = append(units, u)
			}
		}
	}
	slices.SortFunc(units, func(a, b unit) int { return cmp.Compare(b.took, a.took) })
	measured := slices.Clone(units[:worst])
	slices.SortFunc(units, func(a, b unit) int { return cmp.Compare(b.bytes, a.bytes) })
	measured = append(measured, units[:worst]...)
	check := func(text string) (bytesPerByte, secondsPerMB float64) {
		file := filepath.Join(b.TempDir(), "units.gram")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
		cmd := exec.Command(gramc, "check", file)
		_ = cmd.Run() // most of the texts have errors
		memory := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
		if runtime.GOOS != "darwin" { // which counts bytes
			memory *= 1 << 10
		}
		cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		return float64(memory-64<<20) / float64(len(text)), cpu.Seconds() / float64(len(text)) * 1e6
	}
	var most, slowest, agents float64
	for b.Loop() {
		for _, u := range measured {
			memory, took := check(u.repeated(long))
			b.Logf("%s%s… takes %.0f bytes per byte and %.2f s per MB", u.head, u.text, memory, took)
			most, slowest = max(most, memory), max(slowest, took)
		}
		memory, took := check(golden.Agents(long))
		agents, slowest = max(agents, memory), max(slowest, took)
	}
	b.ReportMetric(most, "worst-B/B")
	b.ReportMetric(agents, "agents-B/B")
	b.ReportMetric(slowest, "worst-s/MB")
}
