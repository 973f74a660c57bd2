package server

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// loadVariable is set for this test program when it is started again as the clients of
// a benchmark, and as the model behind the server: so neither counts as memory of the server.
const loadVariable = "GRAMC_TEST_LOAD"

const (
	streams  = 1000                   // conversations that go on at once
	thinking = 500 * time.Millisecond // of the model before its first piece
	pieces   = 20                     // of an answer
)

// A load is a model, and clients that talk to it through a server.
type load struct {
	mu     sync.Mutex
	middle int           // conversations in which half of the answer has arrived
	all    chan struct{} // is closed when that is so of all
	goOn   chan struct{} // is closed when the second half may be sent
}

// reset begins a round.
func (l *load) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.middle, l.all, l.goOn = 0, make(chan struct{}), make(chan struct{})
}

// gates returns the channels of the round that goes on.
func (l *load) gates() (all, goOn chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all, l.goOn
}

// serveLoad writes its address to standard output, and serves until its input ends.
func serveLoad() {
	l := &load{}
	routes := http.NewServeMux()
	routes.HandleFunc("POST /v1/chat/completions", l.answer)
	routes.HandleFunc("POST /begin", func(http.ResponseWriter, *http.Request) { l.reset() })
	routes.HandleFunc("POST /converse", l.converse)
	routes.HandleFunc("POST /middle", func(_ http.ResponseWriter, r *http.Request) {
		all, _ := l.gates()
		select {
		case <-all:
		case <-r.Context().Done():
		}
	})
	routes.HandleFunc("POST /on", func(http.ResponseWriter, *http.Request) {
		_, goOn := l.gates()
		close(goOn)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() { panic(http.Serve(listener, routes)) }()
	fmt.Println("http://" + listener.Addr().String())
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// answer is the model: it thinks, and sends an answer in pieces. In the middle it waits until the
// benchmark has measured what the server holds.
func (l *load) answer(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	_, goOn := l.gates()
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	time.Sleep(thinking)
	const chunk = `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}` + "\n\n"
	for i := range pieces {
		if i == pieces/2 {
			select {
			case <-goOn:
			case <-r.Context().Done():
				return
			}
		}
		fmt.Fprintf(w, chunk, fmt.Sprintf(`{"content":"word%d "}`, i), "null")
		if control.Flush() != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	fmt.Fprintf(w, chunk+"data: [DONE]\n\n", "{}", `"stop"`)
}

// halfway counts a conversation in which half of the answer has arrived.
func (l *load) halfway() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.middle++; l.middle == streams {
		close(l.all)
	}
}

// A loadResult is how all conversations went.
type loadResult struct {
	First  []time.Duration // until the first piece of each answer
	Failed []string
}

// converse has all conversations of a round, with the server whose URL is the body of the request.
func (l *load) converse(w http.ResponseWriter, r *http.Request) {
	url, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	client := &http.Client{Transport: &http.Transport{}}
	result := loadResult{First: make([]time.Duration, streams)}
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range streams {
		all.Go(func() {
			var err error
			if result.First[i], err = l.talk(client, string(url)); err != nil {
				mu.Lock()
				defer mu.Unlock()
				result.Failed = append(result.Failed, err.Error())
			}
		})
	}
	all.Wait()
	client.CloseIdleConnections()
	_ = json.NewEncoder(w).Encode(result)
}

// talk has one conversation, and returns the time until the first piece of the answer.
func (l *load) talk(client *http.Client, url string) (first time.Duration, _ error) {
	began := time.Now()
	r, err := http.NewRequest("POST", url, strings.NewReader(`{"model":"talk","stream":true,"messages":[{"role":"user","content":"Hello"}]}`))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", bearer)
	response, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	got, done := 0, false
	for lines.Scan() {
		if strings.Contains(lines.Text(), fmt.Sprintf(`"content":"word%d "`, got)) {
			switch got++; got {
			case 1:
				first = time.Since(began)
			case pieces / 2:
				l.halfway()
			}
		}
		done = done || lines.Text() == "data: [DONE]"
	}
	if !done || got != pieces {
		return first, fmt.Errorf("a conversation broke off after %d pieces, with status %d: %v", got, response.StatusCode, lines.Err())
	}
	return first, nil
}
