package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/openai"
)

// streams is how many conversations go on at once.
const streams = 1000

// thinking is how long the model takes, so that all conversations are open at once.
const thinking = 500 * time.Millisecond

// upstream is a model that answers in 20 pieces.
func upstream(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	time.Sleep(thinking)
	for i := range 20 {
		fmt.Fprintf(w, `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"word%d "},"finish_reason":null}]}`+"\n\n", i)
		if control.Flush() != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	fmt.Fprint(w, `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
}

// proxy passes a stream on, and does nothing else.
func proxy(client *http.Client, to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		onward, err := http.NewRequestWithContext(r.Context(), "POST", to+"/chat/completions", r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		response, err := client.Do(onward)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer response.Body.Close()
		w.Header().Set("Content-Type", "text/event-stream")
		control := http.NewResponseController(w)
		lines := bufio.NewReader(response.Body)
		for {
			line, err := lines.ReadBytes('\n')
			if _, failed := w.Write(line); failed != nil || err != nil {
				return
			}
			if len(line) == 1 {
				_ = control.Flush()
			}
		}
	}
}

// listen serves a handler until the benchmark ends.
func listen(b *testing.B, h http.Handler) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	web := &http.Server{Handler: h}
	go func() { _ = web.Serve(l) }()
	b.Cleanup(func() { _ = web.Close() })
	return "http://" + l.Addr().String()
}

// converse holds all conversations at once, and returns the 99th percentile of the time that is
// added to the first token, and the memory of one while all are open.
func converse(b *testing.B, url string) (first time.Duration, bytes float64) {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConns: streams, MaxIdleConnsPerHost: streams}}
	defer client.CloseIdleConnections()
	goruntime.GC()
	var before, during goruntime.MemStats
	goruntime.ReadMemStats(&before)
	times := make([]time.Duration, streams)
	var all sync.WaitGroup
	for i := range streams {
		all.Go(func() {
			began := time.Now()
			r, err := http.NewRequest("POST", url, strings.NewReader(`{"model":"talk","stream":true,"messages":[{"role":"user","content":"Hello"}]}`))
			if err != nil {
				b.Error(err)
				return
			}
			r.Header.Set("Authorization", bearer)
			response, err := client.Do(r)
			if err != nil {
				b.Error(err)
				return
			}
			defer response.Body.Close()
			lines := bufio.NewScanner(response.Body)
			begun, done := false, false
			for lines.Scan() {
				if !begun && strings.Contains(lines.Text(), `"content":"word0`) {
					begun, times[i] = true, time.Since(began)-thinking
				}
				done = done || lines.Text() == "data: [DONE]"
			}
			if !done || !begun {
				b.Errorf("a conversation broke off: %d", response.StatusCode)
			}
		})
	}
	time.Sleep(400 * time.Millisecond) // all wait for the model
	goruntime.GC()
	goruntime.ReadMemStats(&during)
	all.Wait()
	slices.Sort(times)
	used := int64(during.HeapInuse+during.StackInuse) - int64(before.HeapInuse+before.StackInuse)
	return times[streams*99/100], float64(used) / streams
}

// BenchmarkStreams has 1,000 streamed conversations at once with the server, and beside them
// with a proxy that only passes the stream on, turn by turn.
func BenchmarkStreams(b *testing.B) {
	model := listen(b, http.HandlerFunc(upstream))
	m, err := openai.New(openai.Options{Provider: "OpenAI", BaseURL: model, APIKey: "key"})
	if err != nil {
		b.Fatal(err)
	}
	agent := &interp.Agent{Name: "talk", Instruction: "Talk.", Model: compile.Model{Provider: "OpenAI", ID: "gpt-4o-mini"}}
	catalog := &Catalog{}
	catalog.Set([]*Agent{{Name: "talk", File: "/talk.gram", Program: []byte("talk"), Redact: func(text string) string { return text },
		Bind: func(o *interp.Options) (*interp.Bound, error) { return interp.Bind(agent, runtime.Library{}, m, o) }}}, nil)
	token, err := NewToken(Principal{Name: "ada"}, secret)
	if err != nil {
		b.Fatal(err)
	}
	s, err := New(Options{Catalog: catalog, Engine: OnJournal(newJournal(b)), Access: Access{Tokens: []Token{token}}, Limits: Limits{Runs: 2 * streams, ClientRuns: 2 * streams, Burst: 1e6, Rate: 1e6}})
	if err != nil {
		b.Fatal(err)
	}
	ours := listen(b, s)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: streams, MaxIdleConns: streams}}
	theirs := listen(b, proxy(client, model))
	var firsts, memories, first, memory []float64
	for b.Loop() {
		t, m := converse(b, theirs)
		u, n := converse(b, ours+"/v1/chat/completions")
		first, memory = append(first, u.Seconds()*1000), append(memory, n)
		firsts, memories = append(firsts, u.Seconds()/t.Seconds()), append(memories, n/m)
	}
	s.hub.wait(context.Background())
	median := func(list []float64) float64 { slices.Sort(list); return list[len(list)/2] }
	b.ReportMetric(median(firsts), "p99-ours/proxy")
	b.ReportMetric(median(memories), "memory-ours/proxy")
	b.ReportMetric(median(first), "p99-ms")
	b.ReportMetric(median(memory), "B/conversation")
}
