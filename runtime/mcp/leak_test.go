package mcp_test

import (
	"net/http"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime/mcp"
)

// used returns how many goroutines there are and, where the system knows,
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
	endAt(t, goroutines, files)
}

func TestAServerLeavesNothingBehind(t *testing.T) {
	goroutines, files := used()
	var sessions []*mcp.Session // closed when the server is gone
	t.Run("served", func(t *testing.T) {
		url := overHTTP(t)
		for range 20 {
			s, err := mcp.Connect(t.Context(), mcp.Server{Name: "ours", URL: url, HTTPClient: http.DefaultClient})
			if err != nil {
				t.Fatal(err)
			}
			sessions = append(sessions, s)
		}
	})
	for _, s := range sessions {
		s.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	endAt(t, goroutines, files)
}

// endAt waits until there are about as many goroutines and files.
func endAt(t *testing.T, goroutines, files int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		nowGoroutines, nowFiles := used()
		if nowGoroutines <= goroutines+4 && nowFiles <= files+4 { // of the connections to the server over HTTP
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d goroutines and %d files became %d and %d", goroutines, files, nowGoroutines, nowFiles)
		}
	}
}
