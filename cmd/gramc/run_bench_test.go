package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/interp"
	model "github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/openai"
)

// The two answers of the loopback server of BenchmarkRun, and the request of
// the hand-written loop.
const (
	callAnswer  = `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"sayHello","arguments":"{\"personName\":\"Ada\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":50,"completion_tokens":10,"total_tokens":60}}`
	finalAnswer = `{"id":"2","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello Ada!"},"finish_reason":"stop"}],"usage":{"prompt_tokens":80,"completion_tokens":5,"total_tokens":85}}`
	helloAgent  = `[hello:Agent {instruction: "Greet the user with sayHello.", model: "OpenAI/m"} |
  [sayHello:Tool {description: "Returns a friendly greeting"} | (personName::Text {default:"world"})==>(::String)]]`
)

// serve answers each connection's requests with the two answers by turns. It
// allocates next to nothing, so that the benchmark counts the clients.
func serve(b *testing.B) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answer(conn)
		}
	}()
	return "http://" + listener.Addr().String() + "/v1"
}

func answer(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	var answers [2][]byte
	for i, body := range []string{callAnswer, finalAnswer} {
		answers[i] = fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	for turn := 0; ; turn++ {
		size := 0
		for {
			line, err := in.ReadSlice('\n')
			if err != nil {
				return
			}
			if len(bytes.TrimSpace(line)) == 0 {
				break
			}
			const length = "Content-Length: "
			if bytes.HasPrefix(line, []byte(length)) {
				size, _ = strconv.Atoi(textproto.TrimString(string(line[len(length):])))
			}
		}
		if _, err := in.Discard(size); err != nil {
			return
		}
		if _, err := conn.Write(answers[turn%2]); err != nil {
			return
		}
	}
}

// BenchmarkRun runs an agent over loopback HTTP, two requests and one tool
// call, beside the same in plain net/http and encoding/json, turn by turn.
func BenchmarkRun(b *testing.B) {
	url := serve(b)
	byHand := handWritten(b, url)
	withGramc := toolchain(b, url)
	byHand()
	withGramc()
	var wall [2]time.Duration
	var allocs [2]uint64
	var before, after runtime.MemStats
	const batch = 20 // reading the statistics stops everything; do it seldom
	for b.Loop() {
		for i, run := range []func(){withGramc, byHand} {
			runtime.ReadMemStats(&before)
			start := time.Now()
			for range batch {
				run()
			}
			wall[i] += time.Since(start)
			runtime.ReadMemStats(&after)
			allocs[i] += after.Mallocs - before.Mallocs
		}
	}
	runs := float64(b.N * batch)
	b.ReportMetric(wall[0].Seconds()/wall[1].Seconds(), "wall/hand")
	b.ReportMetric(float64(allocs[0])/float64(allocs[1]), "allocs/hand")
	b.ReportMetric(float64(allocs[0])/runs, "gramc-allocs")
	b.ReportMetric(float64(wall[0].Microseconds())/runs, "gramc-µs")
	b.ReportMetric(float64(wall[1].Microseconds())/runs, "hand-µs")
}

// toolchain returns one run of helloAgent by this module.
func toolchain(b *testing.B, url string) func() {
	file, _ := grammar.Parse("hello.gram", helloAgent)
	agent, problems := interp.Load(file, "", interp.ModeAuto)
	if problems.HasErrors() {
		b.Fatal(problems.Err())
	}
	tool, err := model.NewTool(model.ToolConfig{Name: "sayHello", Adopt: true, Execute: sayHello})
	if err != nil {
		b.Fatal(err)
	}
	var empty model.Library
	lib, err := empty.Add("sayHello", tool)
	if err != nil {
		b.Fatal(err)
	}
	client, err := openai.New(openai.Options{BaseURL: url, APIKey: "key"})
	if err != nil {
		b.Fatal(err)
	}
	bound, err := interp.Bind(agent, lib, client, nil)
	if err != nil {
		b.Fatal(err)
	}
	return func() {
		response, err := bound.Run(context.Background(), "Hello, I am Ada", nil)
		if err != nil || response.Content != "Hello Ada!" || len(response.ToolsUsed) != 1 {
			b.Fatal(response, err)
		}
	}
}

func sayHello(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
	var in struct{ PersonName string }
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	return json.Marshal("Hello, " + in.PersonName + "! Nice to meet you.")
}

type (
	handCall struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	}
	handMessage struct {
		Role    string     `json:"role"`
		Content string     `json:"content"`
		Calls   []handCall `json:"tool_calls,omitempty"`
		CallID  string     `json:"tool_call_id,omitempty"`
	}
	handRequest struct {
		Model    string            `json:"model"`
		Messages []handMessage     `json:"messages"`
		Tools    []json.RawMessage `json:"tools"`
	}
)

// handWritten returns the same run without the toolchain: with the least that
// one would ship, a limit for time and size and a look at the status, and no
// checks, retries or validation.
func handWritten(b *testing.B, url string) func() {
	tool := json.RawMessage(`{"type":"function","function":{"name":"sayHello","description":"Returns a friendly greeting","parameters":{"type":"object","properties":{"personName":{"type":"string","default":"world"}},"required":[]}}}`)
	client := &http.Client{Timeout: 2 * time.Minute}
	return func() {
		messages := []handMessage{{Role: "system", Content: "Greet the user with sayHello."}, {Role: "user", Content: "Hello, I am Ada"}}
		for {
			body, err := json.Marshal(handRequest{Model: "m", Messages: messages, Tools: []json.RawMessage{tool}})
			if err != nil {
				b.Fatal(err)
			}
			request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url+"/chat/completions", bytes.NewReader(body))
			if err != nil {
				b.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Authorization", "Bearer key")
			response, err := client.Do(request)
			if err != nil {
				b.Fatal(err)
			}
			var answer struct {
				Choices []struct{ Message handMessage }
			}
			err = json.NewDecoder(response.Body).Decode(&answer)
			_, _ = io.Copy(io.Discard, response.Body)
			response.Body.Close()
			if err != nil || len(answer.Choices) == 0 {
				b.Fatal(err)
			}
			message := answer.Choices[0].Message
			if len(message.Calls) == 0 {
				return
			}
			messages = append(messages, message)
			for _, call := range message.Calls {
				result, err := sayHello(context.Background(), json.RawMessage(call.Function.Arguments))
				if err != nil {
					b.Fatal(err)
				}
				messages = append(messages, handMessage{Role: "tool", Content: string(result), CallID: call.ID})
			}
		}
	}
}
