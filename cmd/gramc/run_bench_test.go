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
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	goopenai "github.com/sashabaranov/go-openai"

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

// serve answers requests with the call, or with the text once they have its
// result. It allocates next to nothing, so that the benchmark counts the clients.
func serve(b *testing.B) string {
	return serveBodies(b, "application/json", callAnswer, finalAnswer)
}

// serveBodies is serve with other answers.
func serveBodies(b *testing.B, mediaType string, bodies ...string) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { listener.Close() })
	answers := responsesOf(mediaType, bodies...)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answer(conn, answers)
		}
	}()
	return "http://" + listener.Addr().String() + "/v1"
}

// responsesOf returns the responses with these bodies.
func responsesOf(mediaType string, bodies ...string) (responses [][]byte) {
	for _, body := range bodies {
		responses = append(responses, fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", mediaType, len(body), body))
	}
	return responses
}

func answer(conn net.Conn, answers [][]byte) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	var request []byte
	for {
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
		request = slices.Grow(request[:0], size)[:size]
		if _, err := io.ReadFull(in, request); err != nil {
			return
		}
		turn := 0
		if bytes.Contains(request, []byte("tool_call_id")) {
			turn = 1
		}
		if _, err := conn.Write(answers[turn]); err != nil {
			return
		}
	}
}

// BenchmarkRun runs an agent over loopback HTTP, two requests and one tool
// call, beside a hand-written loop over go-openai, turn by turn.
func BenchmarkRun(b *testing.B) {
	url := serve(b)
	compare(b, toolchain(b, url, nil), handWritten(b, url))
}

// compare reports what runs with gramc cost, and what they cost by hand.
func compare(b *testing.B, withGramc, manually func()) {
	manually()
	withGramc()
	var wall [2]time.Duration
	var allocs [2]uint64
	var before, after runtime.MemStats
	const batch = 20 // reading the statistics stops everything; do it seldom
	for b.Loop() {
		for i, run := range []func(){withGramc, manually} {
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

// BenchmarkSessions does the same in 64 sessions at a time.
func BenchmarkSessions(b *testing.B) {
	const sessions, each = 64, 10
	url := serve(b)
	var wall [2]time.Duration
	runs := []func(){toolchain(b, url, nil), handWritten(b, url)}
	for b.Loop() {
		for i, run := range runs {
			start := time.Now()
			var group sync.WaitGroup
			for range sessions {
				group.Go(func() {
					for range each {
						run()
					}
				})
			}
			group.Wait()
			wall[i] += time.Since(start)
		}
	}
	b.ReportMetric(wall[1].Seconds()/wall[0].Seconds(), "throughput/hand")
	b.ReportMetric(float64(b.N*sessions*each)/wall[0].Seconds(), "runs/s")
}

// toolchain returns one run of helloAgent by this module.
func toolchain(b *testing.B, url string, o *interp.Options) func() {
	file, _ := grammar.Parse("hello.gram", helloAgent)
	agent, problems := interp.Load(file, "", interp.ModeAuto, nil)
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
	bound, err := interp.Bind(agent, lib, client, o)
	if err != nil {
		b.Fatal(err)
	}
	return func() {
		response, err := bound.Run(context.Background(), "Hello, I am Ada", nil)
		if err != nil || !strings.HasPrefix(response.Content, "Hello Ada!") || len(response.ToolsUsed) != 1 {
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

// handWritten returns the same run without the toolchain: a loop over go-openai,
// with the least that one would ship, a limit for the time and a look at the
// choices, and no checks, retries or validation.
func handWritten(b *testing.B, url string) func() {
	tools := helloTools()
	return byHand(b, url, func(client *goopenai.Client, messages []goopenai.ChatCompletionMessage) goopenai.ChatCompletionMessage {
		response, err := client.CreateChatCompletion(context.Background(), goopenai.ChatCompletionRequest{
			Model: "m", Messages: messages, Tools: tools,
		})
		if err != nil || len(response.Choices) == 0 {
			b.Fatal(err)
		}
		return response.Choices[0].Message
	})
}

// byHand returns a run of which only how a response is received is missing.
func byHand(b *testing.B, url string, receive func(*goopenai.Client, []goopenai.ChatCompletionMessage) goopenai.ChatCompletionMessage) func() {
	config := goopenai.DefaultConfig("key")
	config.BaseURL = url
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	config.HTTPClient = &http.Client{Timeout: 2 * time.Minute, Transport: transport}
	client := goopenai.NewClientWithConfig(config)
	return func() {
		messages := []goopenai.ChatCompletionMessage{
			{Role: goopenai.ChatMessageRoleSystem, Content: "Greet the user with sayHello."},
			{Role: goopenai.ChatMessageRoleUser, Content: "Hello, I am Ada"},
		}
		for {
			message := receive(client, messages)
			if len(message.ToolCalls) == 0 {
				return
			}
			messages = append(messages, message)
			for _, call := range message.ToolCalls {
				result, err := sayHello(context.Background(), json.RawMessage(call.Function.Arguments))
				if err != nil {
					b.Fatal(err)
				}
				messages = append(messages, goopenai.ChatCompletionMessage{
					Role: goopenai.ChatMessageRoleTool, Content: string(result), ToolCallID: call.ID,
				})
			}
		}
	}
}

func helloTools() []goopenai.Tool {
	return []goopenai.Tool{{Type: goopenai.ToolTypeFunction, Function: &goopenai.FunctionDefinition{
		Name: "sayHello", Description: "Returns a friendly greeting",
		Parameters: json.RawMessage(`{"type":"object","properties":{"personName":{"type":"string","default":"world"}},"required":[]}`),
	}}}
}
