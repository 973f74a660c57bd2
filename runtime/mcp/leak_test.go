package mcp_test

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime/mcp"
)

// used returns how many goroutines there are and, where the system tells,
// how many files are open.
func used() (goroutines, files int) {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		entries = nil
	}
	return runtime.NumGoroutine(), len(entries)
}

func TestSessionsLeaveNothingBehind(t *testing.T) {
	url := overHTTP(t)
	round := func() {
		for _, c := range []mcp.Server{server(t, "ours"), server(t, "fine"), {Name: "ours", URL: url}} {
			s := connect(t, c)
			tools, _, err := s.Tools()
			if err != nil {
				t.Fatal(err)
			}
			_ = invoke(t.Context(), tools[0].Tool, `{"a":1,"b":2,"z":"hangs"}`)
			s.Close()
		}
		for _, fault := range []string{"exits", "old-version", "very-deep"} {
			if _, err := mcp.Connect(t.Context(), server(t, fault)); err == nil {
				t.Fatalf("%s connected", fault)
			}
		}
	}
	round()
	goroutines, files := used()
	for range 5 {
		round()
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		nowGoroutines, nowFiles := used()
		if nowGoroutines <= goroutines+4 && nowFiles <= files+4 { // of the connections to the server over HTTP
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d goroutines and %d files became %d and %d", goroutines, files, nowGoroutines, nowFiles)
		}
	}
}
