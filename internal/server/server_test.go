package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/mcp"
)

const secret = "0123456789abcdef0123456789"

// A talker is a model that does what the last message of the user says.
type talker struct {
	wait chan struct{} // "wait" returns when it is closed
}

func (*talker) Name() string { return "talker" }

func (m *talker) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	return m.Stream(ctx, r, func(runtime.Delta) error { return nil })
}

func (m *talker) Stream(ctx context.Context, r *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	last := r.Messages[len(r.Messages)-1]
	say := func(text string) (*runtime.Response, error) {
		for _, word := range strings.SplitAfter(text, " ") {
			if err := yield(runtime.Delta{Kind: runtime.DeltaText, Text: word}); err != nil {
				return nil, err
			}
		}
		return &runtime.Response{Content: text, Finish: "stop", Usage: runtime.Usage{Input: 7, Output: 3, Total: 10, CacheRead: 2}}, nil
	}
	if last.Role == runtime.RoleTool {
		return say("The result is " + last.Content)
	}
	switch verb, rest, _ := strings.Cut(last.Content, " "); verb {
	case "wait":
		select {
		case <-m.wait:
			return say("waited")
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case "call":
		response, err := say("I call it.")
		if err == nil {
			response.Calls = []runtime.Call{{ID: "c1", Name: rest, Args: json.RawMessage(`{}`)}}
			response.Finish = "tool_calls"
		}
		return response, err
	case "restart": // with the words that follow, or with others
		_, _ = say("one two ")
		if err := yield(runtime.Delta{Kind: runtime.DeltaRestart}); err != nil {
			return nil, err
		}
		return say(rest)
	case "busy":
		return nil, &runtime.Error{Kind: runtime.KindRateLimit, Message: "slow down, " + secret, Wait: 1500 * time.Millisecond}
	case "away":
		return nil, runtime.Errorf(runtime.KindLLMAPI, "Network error: no response from http://10.1.2.3:8000/v1: dial tcp 10.1.2.3:8000: connect: connection refused; lookup models.internal: no such host")
	case "long":
		return nil, runtime.Errorf(runtime.KindContextOverflow, "too long")
	case "count":
		return say(string(rune('0' + len(r.Messages))))
	}
	return say("You said: " + last.Content)
}

// newCatalog returns agents named echo, with two tools, and shape, whose answers are JSON.
func newCatalog(t testing.TB, model runtime.Model) *Catalog {
	t.Helper()
	lib, err := runtime.AddFunc(runtime.Library{}, "add", "Adds", func(context.Context, struct{}) (int, error) { return 3, nil })
	if err != nil {
		t.Fatal(err)
	}
	risky := runtime.ToolConfig{
		Name: "risky", Description: "Needs approval", Input: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`), Approval: runtime.Approval{Default: runtime.Ask},
		Execute: func(_ context.Context, args json.RawMessage) (json.RawMessage, error) { return args, nil },
	}
	slow, err := runtime.Func("slow", "Takes its time", func(ctx context.Context, _ struct{}) (string, error) {
		time.Sleep(120 * time.Millisecond)
		return "done", nil
	})
	if err == nil {
		lib, err = lib.Add("slow", slow)
	}
	if err == nil {
		slow, err = runtime.NewTool(risky)
	}
	if err == nil {
		lib, err = lib.Add("risky", slow)
	}
	if err != nil {
		t.Fatal(err)
	}
	contract := func(name string) runtime.Contract {
		tool, _ := lib.Lookup(name)
		return runtime.Contract{Name: name, Description: tool.Description(), Input: tool.Input()}
	}
	agents := []*interp.Agent{
		{Name: "echo", Description: "Repeats", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"}, Tools: []runtime.Contract{contract("add"), contract("slow"), contract("risky")}},
		{Name: "shape", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"}, Returns: json.RawMessage(`{"type":"object"}`)},
	}
	c := &Catalog{}
	var served []*Agent
	for _, a := range agents {
		one := &Agent{
			Name: a.Name, Description: a.Description, Model: "OpenAI/gpt-4o-mini", JSON: len(a.Returns) > 0, File: "/agents.gram", Program: []byte(a.Name),
			Redact:  func(text string) string { return strings.ReplaceAll(text, secret, "***") },
			Bind:    func(o *interp.Options) (*interp.Bound, error) { return interp.Bind(a, lib, model, o) },
			Approve: func(context.Context, *interp.ApprovalRequest) (bool, error) { return false, interp.ErrWaiting },
		}
		if _, err := one.Bind(&interp.Options{}); err != nil {
			t.Fatal(err)
		}
		served = append(served, one)
	}
	c.Set(served, nil)
	return c
}

// start serves agents on loopback and returns the address of the server.
func start(t testing.TB, change func(*Options)) string {
	t.Helper()
	var s *Server
	return startWith(t, change, &s)
}

// startWith is start that also gives the server.
func startWith(t testing.TB, change func(*Options), server **Server) string {
	t.Helper()
	mine, err := NewToken(Principal{Name: "ada", Approve: true}, secret)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Access: Access{Tokens: []Token{mine}}, Grace: 200 * time.Millisecond, Engine: OnJournal(newJournal(t))}
	if change != nil {
		change(&o)
	}
	if o.Catalog == nil {
		o.Catalog = newCatalog(t, &talker{})
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	*server = s
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + listener.Addr().String()
}

func newJournal(t testing.TB) *journal.Journal {
	t.Helper()
	j, err := journal.Open(filepath.Join(t.TempDir(), "state"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

func openAI(address string) *openai.Client {
	c := openai.DefaultConfig(secret)
	c.BaseURL = address + "/v1"
	return openai.NewClientWithConfig(c)
}

func say(model string, texts ...string) openai.ChatCompletionRequest {
	r := openai.ChatCompletionRequest{Model: model}
	for i, text := range texts {
		r.Messages = append(r.Messages, openai.ChatCompletionMessage{Role: []string{"user", "assistant"}[i%2], Content: text})
	}
	return r
}

// streamed returns the text of a streamed answer, why it ended, and its usage.
func streamed(t *testing.T, c *openai.Client, r openai.ChatCompletionRequest) (text, finish string, usage *openai.Usage, err error) {
	t.Helper()
	r.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	stream, err := c.CreateChatCompletionStream(t.Context(), r)
	if err != nil {
		return "", "", nil, err
	}
	defer stream.Close()
	for range 1000 {
		piece, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return text, finish, usage, nil
		}
		if err != nil {
			return text, finish, usage, err
		}
		if piece.Usage != nil {
			usage = piece.Usage
		}
		for _, choice := range piece.Choices {
			text += choice.Delta.Content
			finish += string(choice.FinishReason)
		}
	}
	return text, finish, usage, errors.New("the stream does not end")
}

func TestAnswersWholeAndStreamed(t *testing.T) {
	c := openAI(start(t, nil))
	for _, test := range []struct {
		model, want string
		messages    []string
	}{
		{"echo", "You said: hello", []string{"hello"}},
		{"echo", "I call it.\n\nThe result is 3", []string{"call add"}},
		{"echo", "3", []string{"a", "b", "count"}},
		{"echo", "one two three", []string{"restart one two three"}},
	} {
		got, err := c.CreateChatCompletion(t.Context(), say(test.model, test.messages...))
		if err != nil || got.Choices[0].Message.Content != test.want || got.Choices[0].FinishReason != "stop" {
			t.Errorf("%q: %+v, %v, want %q", test.messages, got.Choices, err, test.want)
		}
		text, finish, usage, err := streamed(t, c, say(test.model, test.messages...))
		if err != nil || text != test.want || finish != "stop" {
			t.Errorf("%q streamed: %q, %q, %v, want %q", test.messages, text, finish, err, test.want)
		}
		if usage == nil || *usage.PromptTokensDetails != *got.Usage.PromptTokensDetails || usage.TotalTokens != got.Usage.TotalTokens || usage.TotalTokens%10 != 0 || usage.TotalTokens == 0 {
			t.Errorf("%q: usage %+v, streamed %+v", test.messages, got.Usage, usage)
		}
	}
}

func TestAnAnswerInJSONIsSentInOnePiece(t *testing.T) {
	c := openAI(start(t, func(o *Options) {
		o.Catalog = newCatalog(t, runtime.NewScript(
			runtime.Response{Content: "no JSON", Finish: "stop"}, runtime.Response{Content: "```json\n{\"a\": 1}\n```", Finish: "stop"}))
	}))
	text, _, _, err := streamed(t, c, say("shape", "x"))
	if err != nil || text != `{"a": 1}` {
		t.Errorf("%q, %v", text, err)
	}
}

func TestFailuresAreErrorsOfTheAPI(t *testing.T) {
	c := openAI(start(t, nil))
	part := func(parts ...openai.ChatMessagePart) openai.ChatCompletionRequest {
		return openai.ChatCompletionRequest{Model: "echo", Messages: []openai.ChatCompletionMessage{{Role: "user", MultiContent: parts}}}
	}
	withTools := say("echo", "x")
	withTools.Tools = []openai.Tool{{Type: "function", Function: &openai.FunctionDefinition{Name: "f"}}}
	system := say("echo", "x")
	system.Messages[0].Role = "system"
	for name, test := range map[string]struct {
		request openai.ChatCompletionRequest
		status  int
		code    string
		words   string
	}{
		"agent":      {say("other", "x"), 404, "model_not_found", "there is echo, shape"},
		"none":       {openai.ChatCompletionRequest{Model: "echo"}, 400, "invalid_value", "no message"},
		"last":       {say("echo", "a", "b"), 400, "invalid_value", "of the user"},
		"empty":      {say("echo", " "), 400, "invalid_value", "empty"},
		"tools":      {withTools, 400, "invalid_value", "its own tools"},
		"system":     {system, 400, "invalid_value", "its own instruction"},
		"busy":       {say("echo", "busy"), 429, "rate_limit_exceeded", "slow down, ***"},
		"away":       {say("echo", "away"), 502, "model_failed", "Network error: no response from …: …: connect: connection refused; …: no such host"},
		"long":       {say("echo", "long"), 400, "context_length_exceeded", "too long"},
		"other text": {say("echo", "restart different words"), 502, "restarted", "began anew"},
		"image":      {part(openai.ChatMessagePart{Type: "text", Text: "x"}, openai.ChatMessagePart{Type: "image_url", ImageURL: &openai.ChatMessageImageURL{URL: "http://127.0.0.1/x.png"}}), 400, "invalid_value", "fetches nothing"},
	} {
		for _, stream := range []bool{false, true} {
			if name == "other text" && !stream { // nothing was sent that could not be taken back
				continue
			}
			var err error
			if stream {
				_, _, _, err = streamed(t, c, test.request)
			} else {
				_, err = c.CreateChatCompletion(t.Context(), test.request)
			}
			var known *openai.APIError
			if !errors.As(err, &known) {
				t.Errorf("%s (stream %v): %v, want an error of the API", name, stream, err)
				continue
			}
			if name != "other text" && known.HTTPStatusCode != test.status || known.Code != test.code || !strings.Contains(known.Message, test.words) {
				t.Errorf("%s (stream %v): %d %v %q, want %d %s with %q", name, stream, known.HTTPStatusCode, known.Code, known.Message, test.status, test.code, test.words)
			}
		}
	}
}

func TestImagesReachTheModel(t *testing.T) {
	script := runtime.NewScript(runtime.Response{Content: "a cat", Finish: "stop"})
	c := openAI(start(t, func(o *Options) { o.Catalog = newCatalog(t, script) }))
	r := openai.ChatCompletionRequest{Model: "echo", Messages: []openai.ChatCompletionMessage{{Role: "user", MultiContent: []openai.ChatMessagePart{
		{Type: "text", Text: "what is it?"}, {Type: "image_url", ImageURL: &openai.ChatMessageImageURL{URL: "data:image/png;base64,AAEC"}},
	}}}}
	if _, err := c.CreateChatCompletion(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	got := script.Requests()[0].Messages[0]
	if got.Content != "what is it?" || len(got.Attachments) != 1 || got.Attachments[0].MediaType != "image/png" || !bytes.Equal(got.Attachments[0].Data, []byte{0, 1, 2}) {
		t.Errorf("the model got %+v", got)
	}
}

// get makes a request and returns its status and the body.
func get(t *testing.T, method, url, body string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20)) // what arrived counts
	return response.StatusCode, string(text)
}

const bearer = "Bearer " + secret

func TestWhoIsLetIn(t *testing.T) {
	address := start(t, nil)
	for _, test := range []struct {
		path   string
		status int
		header []string
	}{
		{"/healthz", 200, nil},
		{"/readyz", 200, nil},
		{"/v1/models", 401, nil},
		{"/metrics", 401, nil},
		{"/v1/models", 401, []string{"Authorization", "Bearer wrong"}},
		{"/v1/models", 401, []string{"Authorization", "Basic " + secret}},
		{"/v1/models", 200, []string{"Authorization", bearer}},
		{"/v1/models", 200, []string{"Authorization", "bearer " + secret}},
		{"/v1/models/echo", 200, []string{"Authorization", bearer}},
		{"/v1/models/none", 404, []string{"Authorization", bearer}},
		{"/v1/embeddings", 404, []string{"Authorization", bearer}},
		{"/v1/models", 421, []string{"Authorization", bearer, "Host", "evil.example"}},
		{"/healthz", 421, []string{"Host", "evil.example:80"}},
		{"/healthz", 200, []string{"Host", "LOCALHOST:1"}},
		{"/healthz", 200, []string{"Host", "[::1]:1"}},
		{"/v1/models", 401, []string{"X-User", "ada"}}, // of no proxy
		{"/v1/models", 401, []string{"Cookie", "gramc=9999999999.00"}},
	} {
		if status, body := get(t, "GET", address+test.path, "", test.header...); status != test.status {
			t.Errorf("%s %v: %d %s, want %d", test.path, test.header, status, body, test.status)
		}
	}
	status, _ := get(t, "POST", address+"/v1/chat/completions", "{}", "Authorization", bearer, "Origin", "https://evil.example")
	if status != 403 {
		t.Errorf("a foreign origin: %d", status)
	}
}

// TestPagesOfOthersReadNothing has them ask a server that needs no token.
func TestPagesOfOthersReadNothing(t *testing.T) {
	address := start(t, func(o *Options) { o.Access = Access{Open: true} })
	for _, test := range []struct {
		status int
		header []string
	}{
		{200, nil},
		{200, []string{"Sec-Fetch-Site", "same-origin"}},
		{200, []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}},
		{200, []string{"Origin", address}},
		{403, []string{"Origin", "https://evil.example"}},
		{403, []string{"Origin", "null"}},
		{403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}},
		{403, []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"}},
		{403, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}},
		{200, []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}},
	} {
		for _, path := range []string{"/api/state", "/"} {
			if status, text := get(t, "GET", address+path, "", test.header...); status != test.status {
				t.Errorf("%s %v: %d %s, want %d", path, test.header, status, text, test.status)
			}
		}
	}
}

func TestErrorsHaveNoAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"no response from http://10.1.2.3:8000/v1: dial tcp [::1]:80: refused": "no response from …: …: refused",
		"check the base URL https://models.example/v1 (404)":                   "check the base URL … (404)",
		"dial tcp: lookup models.internal on 10.0.0.1:53: no such host":        "dial tcp: … on …: no such host",
		"read tcp 127.0.0.1:5->[fe80::1%eth0]:6: reset":                        "read tcp …->…: reset",
		"at 12:30 it took 3.5 s, [::Map] and a: b":                             "at 12:30 it took 3.5 s, [::Map] and a: b",
	} {
		if got := withoutAddresses(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestAProxyNamesTheUser(t *testing.T) {
	for _, test := range []struct {
		from   string
		header string
		want   Principal
	}{
		{"10.1.2.3:4", "bea", Principal{"bea", false}},
		{"10.1.2.3:4", "ada", Principal{"ada", true}},
		{"[::ffff:10.1.2.3]:4", "bea", Principal{"bea", false}},
		{"11.1.2.3:4", "bea", Principal{}},
		{"10.1.2.3:4", " ", Principal{}},
	} {
		a := Access{UserHeader: "X-User", Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, Approvers: []string{"ada"}}
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.from
		r.Header.Set("X-User", test.header)
		if got, _ := a.principal(r, time.Now()); got != test.want {
			t.Errorf("%v: %+v", test, got)
		}
	}
}

func TestACookieLastsAsLongAsItsToken(t *testing.T) {
	mine, _ := NewToken(Principal{Name: "ada"}, secret)
	other, _ := NewToken(Principal{Name: "ada"}, "another token 0123456789")
	now := time.Unix(1_000_000, 0)
	key := newKey()
	cookie := (&Access{Tokens: []Token{mine}, Key: key}).cookieFor(Principal{Name: "ada"}, now, true)
	if !cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteStrictMode || strings.Contains(cookie.Value, secret) {
		t.Errorf("%+v", cookie)
	}
	for _, test := range []struct {
		key   []byte
		token Token
		value string
		at    time.Time
		ok    bool
	}{
		{key, mine, cookie.Value, now, true},
		{key, mine, cookie.Value, now.Add(cookieTime - time.Second), true},
		{key, mine, cookie.Value, now.Add(cookieTime), false},
		{key, mine, "9" + cookie.Value, now, false},
		{key, mine, "", now, false},
		{key, other, cookie.Value, now, false},
		{newKey(), mine, cookie.Value, now, false}, // whoever knows the token's hash, and no more
		{mine.Hash[:], mine, cookie.Value, now, false},
	} {
		if who, ok := (&Access{Tokens: []Token{test.token}, Key: test.key}).cookieOf(test.value, test.at); ok != test.ok || ok != (who.Name == "ada") {
			t.Errorf("%+v: %+v %v", test, who, ok)
		}
	}
}

func TestClientsAreLimited(t *testing.T) {
	model := &talker{wait: make(chan struct{})}
	address := start(t, func(o *Options) {
		o.Catalog = newCatalog(t, model)
		o.Limits = Limits{ClientRuns: 2, Burst: 6, Rate: 0.001, Body: 1000}
	})
	body := `{"model":"echo","messages":[{"role":"user","content":"wait"}]}`
	statuses := make(chan int, 3)
	for range 3 {
		go func() {
			status, _ := get(t, "POST", address+"/v1/chat/completions", body, "Authorization", bearer)
			statuses <- status
		}()
	}
	if got := <-statuses; got != 429 {
		t.Errorf("the third run at once: %d", got)
	}
	close(model.wait)
	if a, b := <-statuses, <-statuses; a != 200 || b != 200 {
		t.Errorf("the two runs: %d, %d", a, b)
	}
	if status, text := get(t, "POST", address+"/v1/chat/completions", strings.Repeat(" ", 1001), "Authorization", bearer); status != 413 {
		t.Errorf("a large body: %d %s", status, text)
	}
	for range 2 {
		get(t, "GET", address+"/v1/models", "", "Authorization", bearer)
	}
	if status, text := get(t, "GET", address+"/v1/models", "", "Authorization", bearer); status != 429 || !strings.Contains(text, "too_many_requests") {
		t.Errorf("the seventh request: %d %s", status, text)
	}
	if status, _ := get(t, "GET", address+"/v1/models", ""); status != 401 {
		t.Errorf("somebody else: %d", status)
	}
}

func TestAStreamIsKeptAlive(t *testing.T) {
	address := start(t, func(o *Options) { o.KeepAlive = 20 * time.Millisecond })
	_, text := get(t, "POST", address+"/v1/chat/completions", `{"model":"echo","stream":true,"messages":[{"role":"user","content":"call slow"}]}`, "Authorization", bearer)
	if !strings.Contains(text, "\n: keep-alive\n\n") || !strings.Contains(text, "done") || !strings.HasSuffix(text, "data: [DONE]\n\n") {
		t.Errorf("the stream is\n%s", text)
	}
}

func TestARunEndsWithItsClient(t *testing.T) {
	model := &talker{wait: make(chan struct{})}
	ended := make(chan error, 1)
	address := start(t, func(o *Options) { o.Catalog = newCatalog(t, watched{model, ended}) })
	ctx, stop := context.WithCancel(t.Context())
	r := say("echo", "wait")
	go func() { _, _ = openAI(address).CreateChatCompletion(ctx, r) }()
	time.AfterFunc(50*time.Millisecond, stop)
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the model: %v", err)
	}
}

// watched reports how requests ended.
type watched struct {
	*talker
	ended chan error
}

func (w watched) Stream(ctx context.Context, r *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	response, err := w.talker.Stream(ctx, r, yield)
	w.ended <- err
	return response, err
}

func TestNoRunIsLostWhenTheServerEnds(t *testing.T) {
	model := &talker{wait: make(chan struct{})}
	token, _ := NewToken(Principal{Name: "ada"}, secret)
	s, err := New(Options{Catalog: newCatalog(t, model), Engine: OnJournal(newJournal(t)), Access: Access{Tokens: []Token{token}}, Grace: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	answered := make(chan error, 1)
	began := make(chan struct{})
	go func() {
		close(began)
		got, err := openAI(address).CreateChatCompletion(t.Context(), say("echo", "wait"))
		if err == nil && got.Choices[0].Message.Content != "waited" {
			err = errors.New(got.Choices[0].Message.Content)
		}
		answered <- err
	}()
	<-began
	for range 500 {
		if _, text := get(t, "GET", address+"/metrics", "", "Authorization", bearer); strings.Contains(text, `gramc_runs_in_flight{agent="echo"} 1`) {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	time.AfterFunc(50*time.Millisecond, func() { close(model.wait) })
	if err := <-answered; err != nil {
		t.Errorf("the run in flight: %v", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server: %v", err)
	}
}

func TestAgentsAreExchangedWhileTheyRun(t *testing.T) {
	model := &talker{wait: make(chan struct{})}
	catalog := newCatalog(t, model)
	closed := make(chan struct{})
	agents, _, done := catalog.use()
	catalog.Set(agents, func() { close(closed) })
	done()
	agents, _, done = catalog.use()
	catalog.Set(agents[:1], nil)
	select {
	case <-closed:
		t.Fatal("the tools are closed while a run uses them")
	default:
	}
	done()
	<-closed
	if names := catalog.Names(); len(names) != 1 || names[0] != "echo" {
		t.Errorf("%v", names)
	}
}

func TestTokens(t *testing.T) {
	good := `[{"name":"ada","token":"` + secret + `","approve":true},{"name":"bea","sha256":"` + strings.Repeat("ab", 32) + `"}]`
	list, err := ReadTokens([]byte(good))
	if err != nil || len(list) != 2 || !list[0].Approve || list[1].Hash[31] != 0xab {
		t.Errorf("%+v, %v", list, err)
	}
	for _, bad := range []string{"", "{}", "[]", `[{"name":"a"}]`, `[{"token":"` + secret + `"}]`, `[{"name":"a","token":"short"}]`, `[{"name":"a","sha256":"ab"}]`,
		`[{"name":"a","sha256":"` + strings.Repeat("ab", 33) + `"}]`, `[{"name":"a","token":"` + secret + `","admin":true}]`} {
		if _, err := ReadTokens([]byte(bad)); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
	for _, a := range []Access{{}, {UserHeader: "X-User"}, {Proxies: []netip.Prefix{{}}, Open: true}, {Tokens: []Token{list[0], list[0]}}} {
		if a.Check() == nil {
			t.Errorf("%+v is accepted", a)
		}
	}
}

func TestSlowClients(t *testing.T) {
	address := start(t, func(o *Options) {
		o.Limits = Limits{Header: 50 * time.Millisecond, Read: 50 * time.Millisecond, Idle: 50 * time.Millisecond}
	})
	host := strings.TrimPrefix(address, "http://")
	for name, head := range map[string]string{
		"header":             "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-",
		"body":               "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + bearer + "\r\nContent-Length: 100\r\n\r\n{",
		"body of a stranger": "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
		"body of a page":     "POST /logout HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
		"body of another":    "POST /logout HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 100\r\n\r\n{",
		"idle":               "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(head)); err != nil {
			t.Fatal(err)
		}
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second)) // a bound, not a measurement
		if _, err := io.ReadAll(conn); err != nil {
			t.Errorf("%s: the connection is not closed: %v", name, err)
		}
		conn.Close()
	}
	if status, _ := get(t, "GET", address+"/healthz", ""); status != 200 {
		t.Errorf("others: %d", status)
	}
}

// TestTheTimeOfABodyEndsWithIt has requests whose answers take longer than their bodies may.
func TestTheTimeOfABodyEndsWithIt(t *testing.T) {
	address := start(t, func(o *Options) { o.Limits = Limits{Read: 40 * time.Millisecond} })
	c := caller{t, address, secret}
	id, _ := c.send("", "call slow")
	if list := c.follow(id, "", ended); len(list) == 0 || !ended(list[len(list)-1]) {
		t.Errorf("the stream of a GET breaks off: %v", list)
	}
	s, err := mcp.Connect(t.Context(), mcp.Server{Name: "agents", URL: address + "/mcp", Headers: map[string]string{"Authorization": bearer}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tools, _, err := s.Tools()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tools[0].Tool.Invoke(t.Context(), json.RawMessage(`{"message":"call slow"}`), 0); err != nil {
		t.Errorf("a call of MCP: %v", err)
	}
}

func TestListsOfAChatAreBounded(t *testing.T) {
	many := strings.Repeat("{},", maxWireList) + "{}"
	for _, text := range []string{
		`{"model":"echo","messages":[` + many + `]}`,
		`{"model":"echo","messages":[{"role":"user","content":[` + many + `]}]}`,
	} {
		if _, p := readChat([]byte(text)); p == nil || !strings.Contains(p.Message, "10000") {
			t.Errorf("%d bytes: %v", len(text), p)
		}
	}
}

// TestClientsThatReadNothing asks for the page again and again.
func TestClientsThatReadNothing(t *testing.T) {
	address := start(t, func(o *Options) { o.Limits = Limits{Write: 50 * time.Millisecond} })
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetWriteDeadline(time.Now().Add(10 * time.Second)) // a bound, not a measurement
	for err == nil {
		_, err = conn.Write([]byte("GET /page/app.js HTTP/1.1\r\nHost: localhost\r\n\r\n"))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection is not closed")
	}
}
