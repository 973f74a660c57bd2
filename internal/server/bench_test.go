package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/openai"
)

// A proxy is what somebody would write by hand to put a model behind tokens: it checks the token
// and the request, sends the request on with its own key and model, and passes each piece of the
// answer on under its own name. It keeps nothing.
type proxy struct {
	client *http.Client
	model  string // its URL
	token  string
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte(p.token)) != 1 {
		http.Error(w, "the token is wrong", http.StatusUnauthorized)
		return
	}
	var q struct {
		Model    string            `json:"model"`
		Stream   bool              `json:"stream"`
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 24<<20)).Decode(&q); err != nil || len(q.Messages) == 0 || !q.Stream {
		http.Error(w, "the request is wrong", http.StatusBadRequest)
		return
	}
	name := q.Model
	q.Model = "gpt-4o-mini"
	body, err := json.Marshal(q)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	onward, err := http.NewRequestWithContext(r.Context(), "POST", p.model+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	onward.Header.Set("Authorization", "Bearer key")
	onward.Header.Set("Content-Type", "application/json")
	response, err := p.client.Do(onward)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		http.Error(w, response.Status, http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	pass(w, response.Body, name)
}

// pass passes the pieces of an answer on.
func pass(w http.ResponseWriter, from io.Reader, name string) {
	id := "chatcmpl-" + rand.Text()
	control := http.NewResponseController(w)
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue
		}
		if string(data) != "[DONE]" {
			var c chatChunk
			if json.Unmarshal(data, &c) != nil {
				return
			}
			c.ID, c.Model = id, name
			var err error
			if data, err = json.Marshal(c); err != nil {
				return
			}
		}
		if _, err := w.Write([]byte("data: " + string(data) + "\n\n")); err != nil || control.Flush() != nil {
			return
		}
	}
}

// startLoad starts the clients and the model in a process of their own.
func startLoad(b *testing.B) (url string) {
	b.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), loadVariable+"=1")
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_ = command.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// post asks the load for something, and returns what it answers.
func post(b *testing.B, url, text string) []byte {
	b.Helper()
	response, err := http.Post(url, "text/plain", strings.NewReader(text))
	if err != nil {
		b.Error(err)
		return nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.Error(err)
	}
	return body
}

// used returns the memory of this process that is in use.
func used() float64 {
	goruntime.GC()
	goruntime.GC() // what pools have kept
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return float64(m.HeapInuse + m.StackInuse)
}

// A server that is measured.
type measured struct {
	url  string
	rest func() // closes the connections to the model, and waits for what goes on
}

// converse has all conversations at once, and returns the 99th percentile of the time until the
// first piece, and the memory of one conversation in the middle of all.
func (m *measured) converse(b *testing.B, load string) (first time.Duration, bytes float64) {
	b.Helper()
	before := used()
	post(b, load+"/begin", "")
	over := make(chan loadResult)
	go func() {
		var r loadResult
		_ = json.Unmarshal(post(b, load+"/converse", m.url), &r)
		over <- r
	}()
	halfway := make(chan struct{})
	go func() {
		post(b, load+"/middle", "")
		close(halfway)
	}()
	var result loadResult
	select {
	case <-halfway:
		bytes = (used() - before) / streams
		post(b, load+"/on", "")
		result = <-over
	case result = <-over:
	}
	m.rest()
	if len(result.Failed) > 0 || len(result.First) != streams {
		b.Fatalf("%d conversations failed: %.300q", len(result.Failed), result.Failed)
	}
	slices.Sort(result.First)
	return result.First[streams*99/100], bytes
}

// settle waits until the connections of a round have ended.
func settle(b *testing.B, goroutines int) {
	b.Helper()
	for range 1000 {
		if goruntime.NumGoroutine() <= goroutines {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	b.Fatalf("%d goroutines are left, and there were %d", goruntime.NumGoroutine(), goroutines)
}

// BenchmarkStreams has 1,000 streamed conversations at once with the server, and as many with a
// proxy, turn by turn. The model and the clients are another process.
func BenchmarkStreams(b *testing.B) {
	load := startLoad(b)
	ours, theirs := measureServer(b, load), measureProxy(b, load)
	http.DefaultClient.CloseIdleConnections()
	goroutines := goruntime.NumGoroutine() + 10
	var times, addedTimes, memories []float64 // ours by theirs
	var first, theirFirst, memory, theirMemory []float64
	for i := 0; b.Loop(); i++ {
		var t, u time.Duration
		var m, n float64
		for turn := range 2 {
			if i%2 == turn {
				t, m = theirs.converse(b, load)
			} else {
				u, n = ours.converse(b, load)
			}
			http.DefaultClient.CloseIdleConnections()
			settle(b, goroutines)
		}
		times, addedTimes = append(times, u.Seconds()/t.Seconds()), append(addedTimes, (u-thinking).Seconds()/(t-thinking).Seconds())
		first, theirFirst = append(first, u.Seconds()*1000), append(theirFirst, t.Seconds()*1000)
		memories, memory, theirMemory = append(memories, n/m), append(memory, n), append(theirMemory, m)
	}
	median := func(list []float64) float64 { slices.Sort(list); return list[len(list)/2] }
	b.ReportMetric(median(times), "p99-ours/proxy")
	b.ReportMetric(median(addedTimes), "p99-added-ours/proxy")
	b.ReportMetric(median(first), "p99-ms")
	b.ReportMetric(median(theirFirst), "p99-ms-proxy")
	b.ReportMetric(median(memories), "memory-ours/proxy")
	b.ReportMetric(median(memory), "B/conversation")
	b.ReportMetric(median(theirMemory), "B/conversation-proxy")
}

func measureServer(b *testing.B, load string) *measured {
	b.Helper()
	m, err := openai.New(openai.Options{Provider: "OpenAI", BaseURL: load + "/v1", APIKey: "key"})
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
	l := listen(b)
	ctx, end := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- s.Serve(ctx, l) }()
	b.Cleanup(func() {
		end()
		if err := <-served; err != nil {
			b.Error(err)
		}
	})
	return &measured{"http://" + l.Addr().String() + "/v1/chat/completions", func() {
		s.hub.wait(context.Background())
		_ = m.Close()
	}}
}

func measureProxy(b *testing.B, load string) *measured {
	b.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	l := listen(b)
	web := &http.Server{Handler: &proxy{&http.Client{Transport: transport}, load + "/v1", bearer}, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	go func() { _ = web.Serve(l) }()
	b.Cleanup(func() { _ = web.Close() })
	return &measured{"http://" + l.Addr().String(), transport.CloseIdleConnections}
}

func listen(b *testing.B) net.Listener {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	return l
}
