package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/terminal"
	"github.com/gram-lang/gramc/interp"
	gram "github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/openai"
)

// A firstWrite is a screen that notes when something is first written to it.
type firstWrite struct {
	at   time.Time
	size int
}

func (w *firstWrite) Write(p []byte) (int, error) {
	if w.size == 0 {
		w.at = time.Now()
	}
	w.size += len(p)
	return len(p), nil
}

// streamed shows an answer from url as gramc run does on a terminal.
func streamed(b *testing.B, url string) *firstWrite {
	b.Helper()
	file, _ := grammar.Parse("a.gram", `[a:Agent {instruction: "i", model: "OpenAI/m"}]`)
	agent, problems := interp.Load(file, "", interp.ModeAuto, nil)
	if problems.HasErrors() {
		b.Fatal(problems)
	}
	model, err := openai.New(openai.Options{BaseURL: url, APIKey: "key-of-the-model"})
	if err != nil {
		b.Fatal(err)
	}
	defer model.Close()
	bound, err := interp.Bind(agent, gram.Library{}, model, &interp.Options{Stream: true})
	if err != nil {
		b.Fatal(err)
	}
	screen := &firstWrite{}
	out := bufio.NewWriter(screen)
	stream := terminal.NewAnswerStream(out)
	for e, err := range bound.Events(context.Background(), "Hello", nil) {
		if err != nil {
			b.Fatal(err)
		}
		stream.Event(&e)
		if err := out.Flush(); err != nil {
			b.Fatal(err)
		}
	}
	return screen
}

// eventOf returns an event with a piece of an answer.
func eventOf(text string) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`+"\n\n", text)
}

const endOfStream = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"

// BenchmarkFirstToken reports how long after the server has sent the first piece of
// an answer it is on the screen.
func BenchmarkFirstToken(b *testing.B) {
	var sent time.Time
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		time.Sleep(5 * time.Millisecond) // the client waits for the first piece
		sent = time.Now()
		fmt.Fprint(w, eventOf("Hello"))
		w.(http.Flusher).Flush()
		time.Sleep(5 * time.Millisecond)
		fmt.Fprint(w, eventOf(" Ada")+endOfStream)
	}))
	defer server.Close()
	var added []time.Duration
	for b.Loop() {
		screen := streamed(b, server.URL+"/v1")
		added = append(added, screen.at.Sub(sent))
	}
	slices.Sort(added)
	b.ReportMetric(float64(added[len(added)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(added[len(added)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkStreamedAnswer reports how much memory an answer of 7 MiB needs at most
// while it is streamed, in bytes per byte of the answer.
func BenchmarkStreamedAnswer(b *testing.B) {
	const pieces, size = 7 << 10, 1 << 10
	piece := eventOf(strings.Repeat("x", size))
	var most uint64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range pieces {
			fmt.Fprint(w, piece)
			if i%512 == 0 {
				most = max(most, heapInUse())
			}
		}
		fmt.Fprint(w, endOfStream)
	}))
	defer server.Close()
	before := heapInUse()
	for b.Loop() {
		if screen := streamed(b, server.URL+"/v1"); screen.size < pieces*size {
			b.Fatal(screen.size)
		}
	}
	b.ReportMetric(float64(most-min(most, before))/(pieces*size), "peak/byte")
}

// heapInUse returns the bytes of the heap that are reachable.
func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
