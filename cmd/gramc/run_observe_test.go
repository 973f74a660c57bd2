package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestRunsGoToACollector has one that takes them, one that is away, and none. A file .env
// asks for one in vain.
func TestRunsGoToACollector(t *testing.T) {
	var mu sync.Mutex
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, r.URL.Path+" "+r.Header.Get("Content-Type"))
	}))
	defer server.Close()
	away := httptest.NewServer(nil)
	away.Close()
	file := filepath.Join(t.TempDir(), "hello.gram")
	if err := os.WriteFile(file, []byte(helloAgent), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile(".env", []byte("OTEL_EXPORTER_OTLP_ENDPOINT="+server.URL+"\nOTEL_TRACES_EXPORTER=otlp\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for address, warns := range map[string]bool{server.URL: false, away.URL: true, "": false} {
		got = nil
		code, stdout, stderr := gramc("", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": address, "TRACEPARENT": "nonsense"}, "run", "--offline", "-q", file, "Hello", "Again")
		if code != 0 || strings.Count(stdout, "\n") != 2 {
			t.Errorf("%s: exit code %d, %s%s", address, code, stdout, stderr)
		}
		if warns != (strings.Count(stderr, "\n") == 1 && strings.HasPrefix(stderr, "warning: OpenTelemetry: ")) || !warns && stderr != "" {
			t.Errorf("%s: %s", address, stderr)
		}
		slices.Sort(got)
		want := []string{"/v1/metrics application/x-protobuf", "/v1/traces application/x-protobuf"}
		if (address == server.URL) != slices.Equal(got, want) {
			t.Errorf("%s: requests %v", address, got)
		}
	}
}
