package openai

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/runtime"
)

func TestWhichStatusIsRetried(t *testing.T) {
	tests := []struct {
		status, requests int
		kind             runtime.ErrorKind
	}{
		{408, 4, runtime.KindLLMAPI}, {409, 4, runtime.KindLLMAPI}, {429, 4, runtime.KindRateLimit},
		{500, 4, runtime.KindLLMAPI}, {502, 4, runtime.KindLLMAPI}, {503, 4, runtime.KindOverloaded}, {529, 4, runtime.KindOverloaded},
		{400, 1, runtime.KindLLMAPI}, {404, 1, runtime.KindLLMAPI}, {413, 1, runtime.KindLLMAPI}, {422, 1, runtime.KindLLMAPI},
		{401, 1, runtime.KindConfiguration}, {403, 1, runtime.KindLLMAPI},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.status), func(t *testing.T) {
			s := serve(t, responds(tt.status, `{"error":{"message":"boom"}}`))
			wantError(t, s.model(t, Options{}), tt.kind, fmt.Sprintf("API error: %d - boom", tt.status))
			if s.requests() != tt.requests {
				t.Errorf("%d requests, want %d", s.requests(), tt.requests)
			}
			for i, d := range s.waits {
				if limit := 500 * time.Millisecond << i; d < 0 || d > limit {
					t.Errorf("wait %d is %v, want at most %v", i, d, limit)
				}
			}
		})
	}
}

func TestRetriedRequestIsTheSameAndCanSucceed(t *testing.T) {
	s := serve(t, responds(500, ""), responds(429, ""), says("third"))
	got, err := s.model(t, Options{}).Generate(t.Context(), conversation())
	if err != nil || got.Content != "third" {
		t.Fatalf("%+v, %v", got, err)
	}
	if s.bodies[0] != s.bodies[1] || s.bodies[0] != s.bodies[2] {
		t.Errorf("requests differ: %q", s.bodies)
	}
}

func TestMaxRetriesIsKept(t *testing.T) {
	for _, n := range []int{-1, 0, 1, 7} {
		s := serve(t, responds(500, ""))
		wantError(t, s.model(t, Options{MaxRetries: &n}), runtime.KindLLMAPI, "API error: 500 - internal server error")
		if want := max(n, 0) + 1; s.requests() != want {
			t.Errorf("MaxRetries %d: %d requests", n, s.requests())
		}
		for _, d := range s.waits {
			if d > 8*time.Second {
				t.Errorf("waited %v", d)
			}
		}
	}
}

func TestErrorBodies(t *testing.T) {
	tests := []struct{ body, want string }{
		{`{"error":{"message":"a","type":"t","param":null,"code":1.5}}`, "400 - a"},
		{`{"error":{"message":["a","b"]}}`, `400 - ["a","b"]`},
		{`{"error":"text"}`, "400 - text"},
		{`[{"error":{"code":400,"message":"google","status":"INVALID_ARGUMENT"}}]`, "400 - google"},
		{`{"message":"plain"}`, "400 - plain"},
		{`{"detail":"fast"}`, "400 - fast"},
		{`{"error":{"code":5}}`, `400 - {"code":5}`},
		{`{"unknown":1}`, `400 - {"unknown":1}`},
		{"<html>\n<b>nginx</b>", "400 - <html> <b>nginx</b>"},
		{"", "400 - bad request"},
		{"null", "400 - null"},
		{`{"error":{"message":"\u001b[2Jx\u202ey\nz"}}`, "400 - [2Jxy z"},
	}
	for _, tt := range tests {
		s := serve(t, responds(400, tt.body))
		if err := wantError(t, s.model(t, Options{}), runtime.KindLLMAPI); err.Error() != "API error: "+tt.want {
			t.Errorf("%s: got %q, want %q", tt.body, err, tt.want)
		}
	}
}

func TestExhaustedQuotaIsNotRetried(t *testing.T) {
	for _, body := range []string{`{"error":{"message":"pay","code":"insufficient_quota"}}`, `{"error":{"message":"pay","type":"insufficient_quota"}}`} {
		s := serve(t, responds(429, body))
		wantError(t, s.model(t, Options{}), runtime.KindLLMAPI, "API error: 429 - pay")
		if s.requests() != 1 {
			t.Errorf("%d requests", s.requests())
		}
	}
}

func TestRefusedKeyNamesTheVariable(t *testing.T) {
	s := serve(t, responds(401, `{"error":{"message":"Incorrect API key provided: `+testKey+`"}}`))
	wantError(t, s.model(t, Options{}), runtime.KindConfiguration, "invalid API key", "OPENAI_API_KEY", "401", "[hidden key]")
	s = serve(t, responds(400, `[{"error":{"message":"API key not valid. Please pass a valid API key."}}]`))
	wantError(t, s.model(t, Options{Provider: "Google"}), runtime.KindConfiguration, "GOOGLE_API_KEY or GEMINI_API_KEY")
}

func TestKindsOfRefusals(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		kind   runtime.ErrorKind
	}{
		{400, `{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}`, runtime.KindContextOverflow},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 215000 tokens > 200000 maximum"}}`, runtime.KindContextOverflow},
		{400, `{"error":{"type":"invalid_request_error","message":"input length and ` + "`max_tokens`" + ` exceed context limit: 190000 + 20000 > 200000"}}`, runtime.KindContextOverflow},
		{400, `[{"error":{"code":400,"message":"The input token count (1300000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, runtime.KindContextOverflow},
		{400, `{"error":{"code":400,"type":"exceed_context_size_error","message":"request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it"}}`, runtime.KindContextOverflow},
		{413, `{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, runtime.KindContextOverflow},
		{500, `{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}`, runtime.KindContextOverflow},
		{200, `{"error":{"message":"maximum context length is 32768 tokens","code":400}}`, runtime.KindContextOverflow},
		{400, `{"error":{"code":"content_filter","message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","status":400}}`, runtime.KindContentFilter},
		{400, `{"error":{"code":"content_policy_violation","message":"Your request was rejected as a result of our safety system."}}`, runtime.KindContentFilter},
		{403, `{"error":{"code":403,"message":"openai/gpt-4o requires moderation. Your input was flagged for \"violence\"."}}`, runtime.KindContentFilter},
		{400, `{"error":{"message":"Unknown parameter: 'tools'."}}`, runtime.KindLLMAPI},
		{400, `{"error":{"message":"max_tokens is too large: 5000000. This model supports at most 16384 completion tokens"}}`, runtime.KindLLMAPI},
		{429, `{"error":{"message":"Request too large: tokens per minute. Reduce the context size."}}`, runtime.KindRateLimit},
	} {
		s := serve(t, responds(tt.status, tt.body))
		wantError(t, s.model(t, Options{}), tt.kind, "API error: ")
		if refused := tt.kind != runtime.KindLLMAPI && tt.kind != runtime.KindRateLimit; refused && s.requests() != 1 {
			t.Errorf("%s: %d requests", tt.body, s.requests())
		}
	}
}

// Who is busy is distinguished from who refuses, with how long to wait.
func TestKindsOfBusyProviders(t *testing.T) {
	for _, tt := range []struct {
		status int
		body   string
		header string
		kind   runtime.ErrorKind
		wait   time.Duration
	}{
		{429, `{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}`, "Retry-After: 3600", runtime.KindRateLimit, time.Hour},
		{429, `{"error":{"message":"later"}}`, "Retry-After: 2", runtime.KindRateLimit, 2 * time.Second},
		{429, `[{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}]`, "", runtime.KindRateLimit, 34 * time.Second},
		{429, `{"error":{"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}}`, "", runtime.KindOverloaded, 0},
		{529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "", runtime.KindOverloaded, 0},
		{503, ``, "Retry-After: 7", runtime.KindOverloaded, 7 * time.Second},
		{200, `{"error":{"message":"Provider returned error","code":503}}`, "", runtime.KindOverloaded, 0},
		{200, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "", runtime.KindOverloaded, 0},
		{500, `{"error":{"code":500,"message":"boom","status":"INTERNAL"}}`, "", runtime.KindLLMAPI, 0},
		{400, `{"error":{"message":"rate_limit is no parameter"}}`, "", runtime.KindLLMAPI, 0},
		{429, `{"error":{"message":"pay","code":"insufficient_quota"}}`, "", runtime.KindLLMAPI, 0},
	} {
		s := serve(t, responds(tt.status, tt.body, "X-A: b", cmp.Or(tt.header, "X-A: c")))
		err := wantError(t, s.model(t, Options{}), tt.kind)
		var e *runtime.Error
		if errors.As(err, &e); e.Wait != tt.wait {
			t.Errorf("%d %s: waits %s, want %s", tt.status, tt.body, e.Wait, tt.wait)
		}
	}
}

func TestUnknownModelNamesModelAndServer(t *testing.T) {
	s := serve(t, responds(404, `{"error":{"message":"no such model."}}`))
	wantError(t, s.model(t, Options{}), runtime.KindLLMAPI, "API error: 404 - no such model; check", "gpt-4o-mini", s.URL)
}

func TestRetryAfterIsRespected(t *testing.T) {
	tests := []struct {
		header   string
		min, max time.Duration
	}{
		{"Retry-After: 1", time.Second, time.Second},
		{"Retry-After: 1.5", 1500 * time.Millisecond, 1500 * time.Millisecond},
		{"Retry-After: 60", time.Minute, time.Minute},
		{"Retry-After-Ms: 250", 250 * time.Millisecond, 250 * time.Millisecond},
		{"Retry-After: " + time.Now().Add(30*time.Second).UTC().Format(http.TimeFormat), 20 * time.Second, 30 * time.Second},
		{"Retry-After: " + time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat), 0, 500 * time.Millisecond},
		{"Retry-After: -5", 0, 500 * time.Millisecond},
		{"Retry-After: NaN", 0, 500 * time.Millisecond},
		{"Retry-After: soon", 0, 500 * time.Millisecond},
		{"X-Other: 1", 0, 500 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.header, func(t *testing.T) {
			s := serve(t, responds(503, "", tt.header), says("ok"))
			if _, err := s.model(t, Options{}).Generate(t.Context(), hello()); err != nil {
				t.Fatal(err)
			}
			if d := s.waits[0]; d < tt.min || d > tt.max {
				t.Errorf("waited %v, want %v to %v", d, tt.min, tt.max)
			}
		})
	}
}

func TestTooLongAWaitFailsImmediately(t *testing.T) {
	for header, says := range map[string]string{
		"Retry-After: 61":         "1m1s",
		"Retry-After-Ms: 7200000": "2h0m0s",
		"Retry-After: 1e300":      "8760h0m0s",
		"Retry-After: +Inf":       "8760h0m0s",
		"Retry-After: " + time.Now().Add(90*time.Minute).UTC().Format(http.TimeFormat): "1h",
	} {
		s := serve(t, responds(429, `{"error":{"message":"later"}}`, header))
		wantError(t, s.model(t, Options{}), runtime.KindRateLimit, "API error: 429 - later", says)
		if s.requests() != 1 {
			t.Errorf("%s: %d requests", header, s.requests())
		}
	}
}

func TestNoWaitBeyondTheDeadline(t *testing.T) {
	s := serve(t, responds(429, `{"error":{"message":"later"}}`, "Retry-After: 50"))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err := s.model(t, Options{}).Generate(ctx, hello())
	if err == nil || !strings.Contains(err.Error(), "429") || s.requests() != 1 || len(s.waits) != 0 {
		t.Errorf("%v after %d requests and waits %v", err, s.requests(), s.waits)
	}
}

func TestCancelReturnsAtOnce(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	halfway := func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"choices":[{`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	for _, step := range []http.HandlerFunc{hang, halfway} {
		ctx, cancel := context.WithCancel(t.Context())
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			cancel()
			step(w, r)
		})
		_, err := s.model(t, Options{}).Generate(ctx, hello())
		var e *runtime.Error
		if !errors.Is(err, context.Canceled) || !errors.As(err, &e) || e.Kind != runtime.KindLLMAPI {
			t.Errorf("error %v", err)
		}
		if s.requests() != 1 {
			t.Errorf("%d requests", s.requests())
		}
	}
}

func TestCancelDuringAWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, responds(500, ""))
	m, err := New(Options{APIKey: testKey, BaseURL: s.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	sleep := m.http.Sleep
	m.http.Sleep = func(ctx context.Context, _ time.Duration) error {
		cancel()
		return sleep(ctx, time.Hour)
	}
	if _, err := m.Generate(ctx, hello()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// hijacked breaks the connection after writing text.
func hijacked(text string, reset bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		io.WriteString(c, text)
		if reset {
			c.(*net.TCPConn).SetLinger(0)
		}
		c.Close()
	}
}

func TestBrokenConnectionIsRetried(t *testing.T) {
	for name, step := range map[string]http.HandlerFunc{
		"closed":          hijacked("", false),
		"reset":           hijacked("", true),
		"inside the body": hijacked("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"choices\":[{", false),
		"bad chunk":       hijacked("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", false),
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, step, says("ok"))
			if got, err := s.model(t, Options{}).Generate(t.Context(), hello()); err != nil || got.Content != "ok" {
				t.Errorf("%+v, %v", got, err)
			}
			s = serve(t, step)
			want := "Network error: no response from " + s.URL
			if begun := name == "inside the body" || name == "bad chunk"; begun {
				want = "Network error with " + s.URL
			}
			wantError(t, s.model(t, Options{}), runtime.KindLLMAPI, want, "tried 4 times")
			if s.requests() != 4 {
				t.Errorf("%d requests", s.requests())
			}
		})
	}
}

func TestSlowResponseIsNotRetried(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	halfway := func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "{")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	for _, step := range []http.HandlerFunc{hang, halfway} {
		s := serve(t, step)
		wantError(t, s.model(t, Options{HTTPClient: &http.Client{Timeout: 3 * time.Millisecond}}), runtime.KindLLMAPI, "Network error", "Timeout")
		if n := s.requests(); n > 1 {
			t.Errorf("%d requests", n)
		}
	}
}

func TestClosedPortOfAServerWithoutAKey(t *testing.T) {
	s := serve(t, says("ok"))
	m := s.model(t, Options{Provider: "Ollama"})
	s.Close()
	wantError(t, m, runtime.KindLLMAPI, s.URL, "refused; check that Ollama is running there, and the base URL")
}

func TestClosedPort(t *testing.T) {
	s := serve(t, says("ok"))
	m := s.model(t, Options{})
	s.Close()
	wantError(t, m, runtime.KindLLMAPI, "Network error: ", s.URL, "refused", "check the base URL")
	if len(s.waits) != 0 {
		t.Errorf("waited %v", s.waits)
	}
}

// Each limit has its own reason, and none is retried: the model may be thinking.
func TestLimitsOfAResponse(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	drips := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			io.WriteString(w, " ")
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	}
	for _, tt := range []struct {
		name string
		step http.HandlerFunc
		o    Options
		want string
	}{
		{"no start", hang, Options{StartTimeout: 300 * time.Millisecond}, "the response did not begin within 300ms"},
		{"no start before the end", hang, Options{Timeout: 300 * time.Millisecond}, "the response is not complete after 300ms"},
		{"no end", drips, Options{Timeout: 300 * time.Millisecond}, "the response is not complete after 300ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.step)
			wantError(t, s.model(t, tt.o), runtime.KindLLMAPI, "Network error: no response from "+s.URL, tt.want)
			if s.requests() != 1 {
				t.Errorf("%d requests", s.requests())
			}
		})
	}
}

func TestCloseClosesIdleConnections(t *testing.T) {
	from := map[string]bool{} // one request at a time
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		from[r.RemoteAddr] = true
		says("ok")(w, r)
	})
	m := s.model(t, Options{})
	for range 2 {
		if _, err := m.Generate(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(from) != 2 {
		t.Errorf("%d connections", len(from))
	}
}

func TestStalledResponseFails(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"choices":[{`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	m, err := New(Options{APIKey: testKey, BaseURL: s.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	m.http.Idle = time.Millisecond
	wantError(t, m, runtime.KindLLMAPI, "Network error", "stopped in the middle")
	if s.requests() != 1 {
		t.Errorf("%d requests", s.requests())
	}
}

func TestLargeResponseFails(t *testing.T) {
	const start, end = `{"choices":[{"message":{"content":"`, `"}}]}`
	fill := func(n int) string { return start + strings.Repeat("a", n-len(start)-len(end)) + end }
	zip := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, text)
		z.Close()
		return b.String()
	}
	for name, step := range map[string]http.HandlerFunc{
		"plain":     responds(200, fill(modelhttp.MaxResponse+1)),
		"gzip bomb": responds(200, zip(fill(12<<20)), "Content-Encoding: gzip"),
		"error":     responds(500, fill(modelhttp.MaxResponse+1)),
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, step)
			wantError(t, s.model(t, Options{}), runtime.KindLLMAPI, "larger than 8 MiB")
			if s.requests() != 1 {
				t.Errorf("%d requests", s.requests())
			}
		})
	}
	s := serve(t, responds(200, zip(fill(modelhttp.MaxResponse)), "Content-Encoding: gzip"))
	got, err := s.model(t, Options{}).Generate(t.Context(), hello())
	if err != nil || len(got.Content) < modelhttp.MaxResponse-100 {
		t.Errorf("at the limit: %v", err)
	}
}

func TestRedirectsAreRefused(t *testing.T) {
	var visits atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, client := range []*http.Client{nil, other.Client()} {
			s := serve(t, responds(status, "", "Location: "+other.URL+"/x?key="+testKey))
			wantError(t, s.model(t, Options{HTTPClient: client}), runtime.KindLLMAPI, fmt.Sprintf("API error: %d", status), "redirects to "+other.URL)
			if s.requests() != 1 {
				t.Errorf("%d requests", s.requests())
			}
		}
	}
	s := serve(t, responds(304, ""))
	wantError(t, s.model(t, Options{}), runtime.KindLLMAPI, "API error: 304", "redirects to nowhere")
	if visits.Load() != 0 {
		t.Errorf("%d visits", visits.Load())
	}
	if http.DefaultClient.CheckRedirect != nil || other.Client().CheckRedirect != nil {
		t.Error("the caller's client was changed")
	}
}

func TestConnectionIsUsedAgain(t *testing.T) {
	from := map[string]bool{} // one request at a time
	seen := func(step http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			from[r.RemoteAddr] = true
			step(w, r)
		}
	}
	s := serve(t, seen(responds(500, strings.Repeat("x", 100_000))), seen(responds(200, "[]")), seen(says("a")), seen(says("b")))
	m := s.model(t, Options{})
	for range 2 {
		if _, err := m.Generate(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
	}
	if s.requests() != 4 || len(from) != 1 {
		t.Errorf("%d requests over %d connections", s.requests(), len(from))
	}
}
