package anthropic_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/anthropic"
)

// BenchmarkStream reads an answer of a thousand pieces.
func BenchmarkStream(b *testing.B) {
	var body strings.Builder
	for _, data := range events("end_turn", `[{"type":"text","text":"`+strings.Repeat("one", 1000)+`"}]`) {
		kind, _, _ := strings.Cut(strings.TrimPrefix(data, `{"type":"`), `"`)
		if kind == data {
			kind = "content_block_delta"
		}
		body.WriteString("event: " + kind + "\ndata: " + data + "\n\n")
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, body.String())
	}))
	defer s.Close()
	m, err := anthropic.New(anthropic.Options{BaseURL: s.URL, APIKey: testKey})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		response, err := m.Stream(b.Context(), hello(), func(runtime.Delta) error { return nil })
		if err != nil || len(response.Content) != 3000 {
			b.Fatal(response, err)
		}
	}
}
