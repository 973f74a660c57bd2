//go:build unix

package lsp_test

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime returns the time that processors have worked for the process, which
// other processes do not change much.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
