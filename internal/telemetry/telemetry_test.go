package telemetry

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A collector receives OTLP on loopback.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	status  []int // of the next responses; then 200
	headers []http.Header
	paths   []string
	spans   []*tracepb.Span
	scope   *tracepb.ScopeSpans
	about   map[string]string // the resource
	metrics []*metricspb.Metric
}

func newCollector(t *testing.T) *collector {
	c := &collector{about: map[string]string{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if err := c.take(r); err != nil {
			t.Error(err)
		}
		if len(c.status) > 0 {
			status := c.status[0]
			c.status = c.status[1:]
			w.WriteHeader(status)
		}
		fmt.Fprint(w, `{"not": "protobuf"}`) // as Langfuse answers
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) take(r *http.Request) error {
	body := r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return err
		}
		body = unzipped
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	c.headers, c.paths = append(c.headers, r.Header), append(c.paths, r.Method+" "+r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "metrics") {
		var m metricspb.MetricsData
		if err := proto.Unmarshal(text, &m); err != nil {
			return err
		}
		for _, s := range m.ResourceMetrics[0].ScopeMetrics {
			c.metrics = append(c.metrics, s.Metrics...)
		}
		return nil
	}
	var data tracepb.TracesData
	if err := proto.Unmarshal(text, &data); err != nil {
		return err
	}
	if len(c.status) > 0 {
		return nil // it comes again
	}
	for _, resource := range data.ResourceSpans {
		for _, a := range resource.Resource.Attributes {
			c.about[a.Key] = a.Value.GetStringValue()
		}
		for _, s := range resource.ScopeSpans {
			c.scope = s
			c.spans = append(c.spans, s.Spans...)
		}
	}
	return nil
}

// span returns the only span of a name.
func (c *collector) span(t *testing.T, name string) *tracepb.Span {
	t.Helper()
	var found []*tracepb.Span
	for _, s := range c.spans {
		if s.Name == name {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d spans %q among %s", len(found), name, c.names())
	}
	return found[0]
}

func (c *collector) names() (names []string) {
	for _, s := range c.spans {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return names
}

// attributes returns the attributes of a span as JSON has them.
func attributes(list []*commonpb.KeyValue) map[string]any {
	all := map[string]any{}
	for _, a := range list {
		switch v := a.Value.Value.(type) {
		case *commonpb.AnyValue_StringValue:
			all[a.Key] = v.StringValue
		case *commonpb.AnyValue_IntValue:
			all[a.Key] = int(v.IntValue)
		case *commonpb.AnyValue_DoubleValue:
			all[a.Key] = v.DoubleValue
		case *commonpb.AnyValue_BoolValue:
			all[a.Key] = v.BoolValue
		case *commonpb.AnyValue_ArrayValue:
			for _, item := range v.ArrayValue.Values {
				all[a.Key] = append(texts(all[a.Key]), item.GetStringValue())
			}
		}
	}
	return all
}

func texts(value any) []string { list, _ := value.([]string); return list }

// environment returns the variables for a collector, and more as NAME=value.
func environment(address string, more ...string) Environment {
	values := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": address}
	for _, pair := range more {
		name, value, _ := strings.Cut(pair, "=")
		values[name] = value
	}
	return func(name string) (string, bool) { value, ok := values[name]; return value, ok }
}

const schema = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`

// weather is an agent with a tool, which keeps the contexts of its calls.
type weather struct {
	agent *interp.Agent
	lib   runtime.Library
	seen  []runtime.TraceContext
}

func newWeather(t *testing.T) *weather {
	t.Helper()
	w := &weather{}
	tool, err := runtime.NewTool(runtime.ToolConfig{Name: "weather", Adopt: true, Execute: func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
		w.seen = append(w.seen, runtime.TraceContextOf(ctx))
		if strings.Contains(string(args), "nowhere") {
			return nil, errors.New("secret failure")
		}
		return json.RawMessage(`"secret sun"`), nil
	}})
	if err == nil {
		w.lib, err = runtime.Library{}.Add("weather", tool)
	}
	if err != nil {
		t.Fatal(err)
	}
	heat := .5
	w.agent = &interp.Agent{
		Name: "sky", Model: compile.Model{Provider: "Mistral", ID: "small"}, Fallbacks: []compile.Model{{Provider: "OpenAI", ID: "big"}},
		Instruction: "secret instruction", Temperature: &heat, MaxTokens: 100,
		Tools: []runtime.Contract{{Name: "weather", Description: "the weather", Input: json.RawMessage(schema)}},
	}
	return w
}

// run runs the agent, and sends what happens.
func (w *weather) run(t *testing.T, tel *Telemetry, caller runtime.TraceContext, models ...runtime.Model) {
	t.Helper()
	m := runtime.UserMessage("secret question")
	r := tel.Run(caller, w.agent, &m, "talk")
	bound, err := interp.Bind(w.agent, w.lib, models[0], &interp.Options{CallContext: r.CallContext, Fallbacks: models[1:], Stream: true})
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range bound.EventsOf(t.Context(), m, nil) {
		if err != nil {
			var known *runtime.Error
			errors.As(err, &known)
			r.Stopped(string(known.Kind), err.Error())
			continue
		}
		r.Event(&e)
	}
}

func called(pairs ...string) runtime.Response {
	r := runtime.Response{Finish: "tool_calls", Usage: runtime.Usage{Input: 10, Output: 5, Total: 15, CacheRead: 4, Reasoning: 2}}
	for i := 0; i < len(pairs); i += 2 {
		r.Calls = append(r.Calls, runtime.Call{ID: fmt.Sprint("c", i/2), Name: pairs[i], Args: json.RawMessage(pairs[i+1])})
	}
	return r
}

var answered = runtime.Response{Content: "secret answer", Finish: "stop", Usage: runtime.Usage{Input: 20, Output: 7, Total: 27}}

const caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

func TestARunIsReceived(t *testing.T) {
	c := newCollector(t)
	tel := Start(environment(c.URL+"/base", "OTEL_EXPORTER_OTLP_HEADERS=x-key=a%20b", "OTEL_EXPORTER_OTLP_COMPRESSION=gzip"), "v9")
	w := newWeather(t)
	w.run(t, tel, runtime.TraceContext{Parent: caller, State: "a=b"}, &limited{responses: []runtime.Response{called("weather", `{"city":"secret city"}`), answered}})
	if err := tel.Close(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"POST /base/v1/metrics", "POST /base/v1/traces"}; !cmp.Equal(slices.Sorted(slices.Values(c.paths)), want) {
		t.Errorf("requests %v", c.paths)
	}
	for _, h := range c.headers {
		if h.Get("Content-Type") != "application/x-protobuf" || h.Get("X-Key") != "a b" {
			t.Errorf("headers %v", h)
		}
	}
	if c.about["service.name"] != "gramc" || c.about["service.version"] != "v9" || c.scope.SchemaUrl != schemaURL || c.scope.Scope.Name != scope {
		t.Errorf("resource %v, scope %v", c.about, c.scope.Scope)
	}
	if want := []string{"chat small", "chat small", "execute_tool weather", "invoke_agent sky"}; !cmp.Equal(c.names(), want) {
		t.Fatalf("spans %v", c.names())
	}
	agent, tool := c.span(t, "invoke_agent sky"), c.span(t, "execute_tool weather")
	if fmt.Sprintf("%x %x %s", agent.TraceId, agent.ParentSpanId, agent.TraceState) != "0af7651916cd43dd8448eb211c80319c b7ad6b7169203331 a=b" {
		t.Errorf("the trace is not that of its caller: %v", agent)
	}
	for _, s := range c.spans {
		if s != agent && string(s.ParentSpanId) != string(agent.SpanId) || s.StartTimeUnixNano < agent.StartTimeUnixNano || s.EndTimeUnixNano > agent.EndTimeUnixNano || s.EndTimeUnixNano < s.StartTimeUnixNano {
			t.Errorf("%s is not within its agent", s.Name)
		}
		if s.Status.GetCode() != tracepb.Status_STATUS_CODE_UNSET || strings.Contains(s.String(), "secret") {
			t.Errorf("%s has content or failed: %v", s.Name, s)
		}
	}
	if want := fmt.Sprintf("00-%x-%x-01", tool.TraceId, tool.SpanId); len(w.seen) != 1 || w.seen[0] != (runtime.TraceContext{Parent: want, State: "a=b"}) {
		t.Errorf("the tool got %v, want %s", w.seen, want)
	}
	if diff := cmp.Diff(map[string]any{
		"gen_ai.operation.name": "invoke_agent", "gen_ai.provider.name": "mistral_ai", "gen_ai.request.model": "small", "gen_ai.agent.name": "sky",
		"gen_ai.conversation.id": "talk", "gen_ai.output.type": "text", "gen_ai.response.finish_reasons": []string{"stop"},
		"gen_ai.usage.input_tokens": 30, "gen_ai.usage.output_tokens": 12, "gen_ai.usage.cache_read.input_tokens": 4, "gen_ai.usage.reasoning.output_tokens": 2,
	}, attributes(agent.Attributes)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]any{
		"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather", "gen_ai.tool.call.id": "c0", "gen_ai.tool.type": "function", "gen_ai.tool.description": "the weather",
	}, attributes(tool.Attributes)); diff != "" {
		t.Error(diff)
	}
	chat := c.spans[slices.IndexFunc(c.spans, func(s *tracepb.Span) bool { return s.Name == "chat small" })]
	got := attributes(chat.Attributes)
	if first, ok := got["gen_ai.response.time_to_first_chunk"].(float64); !ok || first <= 0 {
		t.Errorf("the first piece came after %v", got["gen_ai.response.time_to_first_chunk"])
	}
	delete(got, "gen_ai.response.time_to_first_chunk")
	if diff := cmp.Diff(map[string]any{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "mistral_ai", "gen_ai.request.model": "small", "gen_ai.output.type": "text",
		"gen_ai.request.temperature": .5, "gen_ai.request.max_tokens": 100, "gen_ai.response.finish_reasons": []string{"tool_calls"}, "gen_ai.request.stream": true, "http.request.resend_count": 1,
		"gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 5, "gen_ai.usage.cache_read.input_tokens": 4, "gen_ai.usage.reasoning.output_tokens": 2,
	}, got); diff != "" || chat.Kind != tracepb.Span_SPAN_KIND_CLIENT {
		t.Error(chat.Kind, diff)
	}
	checkMetrics(t, c.metrics)
}

func checkMetrics(t *testing.T, list []*metricspb.Metric) {
	t.Helper()
	got := map[string]string{}
	for _, m := range list {
		for _, p := range m.GetHistogram().GetDataPoints() {
			a := attributes(p.Attributes)
			got[fmt.Sprint(m.Name, " ", m.Unit, " ", a["gen_ai.token.type"], " ", a["gen_ai.provider.name"], " ", a["gen_ai.request.model"], " ", a["gen_ai.operation.name"])] =
				fmt.Sprint(p.Count, " ", len(p.ExplicitBounds), " ", len(p.BucketCounts))
			if m.Unit == "{token}" {
				got["sum "+a["gen_ai.token.type"].(string)] = fmt.Sprint(p.GetSum(), " ", p.GetMin(), " ", p.GetMax())
			}
		}
	}
	if diff := cmp.Diff(map[string]string{
		"gen_ai.client.operation.duration s <nil> mistral_ai small chat": "2 14 15",
		"gen_ai.client.token.usage {token} input mistral_ai small chat":  "2 14 15",
		"gen_ai.client.token.usage {token} output mistral_ai small chat": "2 14 15",
		"sum input": "30 10 20", "sum output": "12 5 7",
	}, got); diff != "" {
		t.Error(diff)
	}
}

func TestContentIsSentWhenItIsAskedFor(t *testing.T) {
	c := newCollector(t)
	tel := Start(environment(c.URL, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=span_only", "OTEL_METRICS_EXPORTER=none"), "v9")
	newWeather(t).run(t, tel, runtime.TraceContext{}, runtime.NewScript(called("weather", `{"city":"Ulm"}`), answered))
	if err := tel.Close(); err != nil {
		t.Fatal(err)
	}
	if len(c.metrics) > 0 {
		t.Error("there are metrics")
	}
	agent, tool := attributes(c.span(t, "invoke_agent sky").Attributes), attributes(c.span(t, "execute_tool weather").Attributes)
	last := c.spans[slices.IndexFunc(c.spans, func(s *tracepb.Span) bool { return attributes(s.Attributes)["gen_ai.usage.input_tokens"] == 20 })]
	chat := attributes(last.Attributes)
	const definitions = `[{"type":"function","name":"weather","description":"the weather","parameters":` + schema + `}]`
	for _, tt := range []struct{ got, want any }{
		{agent["gen_ai.system_instructions"], `[{"type":"text","content":"secret instruction"}]`},
		{agent["gen_ai.input.messages"], `[{"role":"user","parts":[{"type":"text","content":"secret question"}]}]`},
		{agent["gen_ai.output.messages"], `[{"role":"assistant","parts":[{"type":"text","content":"secret answer"}],"finish_reason":"stop"}]`},
		{agent["gen_ai.tool.definitions"], definitions},
		{tool["gen_ai.tool.call.arguments"], `{"city":"Ulm"}`},
		{tool["gen_ai.tool.call.result"], `"secret sun"`},
		{chat["gen_ai.tool.definitions"], definitions},
		{chat["gen_ai.input.messages"], `[{"role":"user","parts":[{"type":"text","content":"secret question"}]},` +
			`{"role":"assistant","parts":[{"type":"tool_call","id":"c0","name":"weather","arguments":{"city":"Ulm"}}]},` +
			`{"role":"tool","parts":[{"type":"tool_call_response","id":"c0","response":"secret sun"}]}]`},
		{chat["gen_ai.output.messages"], `[{"role":"assistant","parts":[{"type":"text","content":"secret answer"}],"finish_reason":"stop"}]`},
	} {
		if tt.got != tt.want {
			t.Errorf("got %v\nwant %s", tt.got, tt.want)
		}
	}
}

func TestFailuresAreMarked(t *testing.T) {
	c := newCollector(t)
	tel := Start(environment(c.URL), "v9")
	first := &limited{[]runtime.Response{called("weather", `{"city":"nowhere"}`, "unknown", `{}`)}, runtime.Errorf(runtime.KindOverloaded, "secret load")}
	second := &limited{err: runtime.Errorf(runtime.KindContentFilter, "secret filter")}
	newWeather(t).run(t, tel, runtime.TraceContext{}, first, second)
	if err := tel.Close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"execute_tool weather": "execution", "execute_tool unknown": string(runtime.ToolNotFound("", nil).Kind), "chat big": "ContentFilterError", "invoke_agent sky": "ContentFilterError",
	} {
		s := c.span(t, name)
		kind := attributes(s.Attributes)["error.type"]
		if kind != want || s.Status.GetCode() != tracepb.Status_STATUS_CODE_ERROR || strings.Contains(s.String(), "secret") {
			t.Errorf("%s: %v", name, s)
		}
	}
	failed := 0
	for _, s := range c.spans {
		if s.Name == "chat small" && s.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("%d failed requests before the fallback: %v", failed, c.spans)
	}
	kinds := map[any]uint64{}
	for _, m := range c.metrics {
		for _, p := range m.GetHistogram().GetDataPoints() {
			if m.Unit == "s" {
				kinds[attributes(p.Attributes)["error.type"]] += p.Count
			}
		}
	}
	if len(kinds) != 3 || kinds[nil] != 1 || kinds["ContentFilterError"] != 1 || kinds["OverloadedError"] != 1 {
		t.Errorf("durations %v", kinds)
	}
}

// A limited model streams its responses, and then fails.
type limited struct {
	responses []runtime.Response
	err       error
}

func (*limited) Name() string { return "limited" }

func (m *limited) Generate(ctx context.Context, q *runtime.Request) (*runtime.Response, error) {
	return m.Stream(ctx, q, func(runtime.Delta) error { return nil })
}

func (m *limited) Stream(_ context.Context, _ *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	if len(m.responses) == 0 {
		return nil, m.err
	}
	r := m.responses[0]
	m.responses = m.responses[1:]
	r.Attempts.Sent = 2
	return &r, yield(runtime.Delta{Kind: runtime.DeltaText, Text: r.Content})
}

func TestABusyCollectorIsAskedAgain(t *testing.T) {
	c := newCollector(t)
	c.status = []int{503, 429}
	tel := Start(environment(c.URL, "OTEL_METRICS_EXPORTER=none"), "v9")
	newWeather(t).run(t, tel, runtime.TraceContext{}, runtime.NewScript(answered))
	if err := tel.Close(); err != nil || len(c.spans) != 2 || len(c.paths) != 3 {
		t.Errorf("%v, requests %v", err, c.paths)
	}
}

// TestACollectorThatFailsDisturbsNoRun has servers that are away, refuse, redirect, or never answer.
func TestACollectorThatFailsDisturbsNoRun(t *testing.T) {
	done := make(chan struct{})
	reached := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/hangs"):
			<-done
		case strings.HasPrefix(r.URL.Path, "/redirects"):
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		default:
			http.Error(w, "\x1b[31msecret", http.StatusForbidden)
		}
	}))
	defer server.Close()
	defer close(done)
	away := httptest.NewServer(nil)
	away.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	for address, want := range map[string]string{
		away.URL:                       "not sent to " + away.URL + "/v1/traces: dial tcp",
		server.URL + "/refuses?key=k":  "traces not sent to " + server.URL + "/refuses/v1/traces: status 403",
		"http://user:pass@" + host:     "traces not sent to " + server.URL + "/v1/traces: status 403",
		server.URL + "/redirects":      "status 307",
		server.URL + "/hangs":          "the collector took longer than 50ms",
		"collector.example.test:4317":  "OTEL_EXPORTER_OTLP_ENDPOINT is not a URL with http:// or https://",
		"unix:///var/run/collector.so": "OTEL_EXPORTER_OTLP_ENDPOINT is not a URL with http:// or https://",
	} {
		tel := Start(environment(address, "OTEL_METRICS_EXPORTER=none"), "v9")
		tel.flush = flushTime
		if strings.HasSuffix(address, "hangs") {
			tel.flush = 50 * time.Millisecond
		}
		w := newWeather(t)
		w.run(t, tel, runtime.TraceContext{Parent: caller}, runtime.NewScript(called("weather", `{"city":"Ulm"}`), answered))
		if len(w.seen) != 1 || !strings.HasPrefix(w.seen[0].Parent, "00-0af7651916cd43dd8448eb211c80319c-") {
			t.Errorf("%s: the tool got %v", address, w.seen)
		}
		err := tel.Close()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "pass") || strings.Contains(err.Error(), "key=") {
			t.Errorf("%s: %v; want %s", address, err, want)
		}
	}
	if reached {
		t.Error("a redirect was followed")
	}
}

func TestMetricsThatNobodyTakesSayHowToStopThem(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	tel := Start(environment(server.URL, "OTEL_TRACES_EXPORTER=none"), "v9")
	newWeather(t).run(t, tel, runtime.TraceContext{Parent: caller}, runtime.NewScript(answered))
	if err := tel.Close(); err == nil || !strings.Contains(err.Error(), "OTEL_METRICS_EXPORTER=none") {
		t.Error(err)
	}
}

func TestNothingIsStartedUnasked(t *testing.T) {
	for variables, want := range map[string]bool{
		"":                                             false,
		"OTEL_SERVICE_NAME=x":                          false,
		"OTEL_TRACES_EXPORTER=otlp":                    true,
		"OTEL_METRICS_EXPORTER=otlp":                   true,
		"OTEL_TRACES_EXPORTER=none":                    false,
		"OTEL_EXPORTER_OTLP_ENDPOINT":                  false, // empty
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://h":         true,
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://h":  true,
		"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://h": true,
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://h OTEL_SDK_DISABLED=TRUE":                                  false,
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://h OTEL_TRACES_EXPORTER=none OTEL_METRICS_EXPORTER=console": false,
		"OTEL_TRACES_EXPORTER=console,otlp":                                                            true,
	} {
		if got := Wanted(environment("", strings.Fields(variables)...)); got != want {
			t.Errorf("%s: %v", variables, got)
		}
	}
	tel := Start(environment(""), "v9")
	if m := runtime.UserMessage("x"); tel != nil || tel.Run(runtime.TraceContext{}, nil, &m, "") != nil || tel.Close() != nil {
		t.Error("something was started")
	}
	var r *Run
	r.Event(nil)
	r.Stopped("", "")
	if ctx := t.Context(); r.CallContext(ctx, nil) != ctx {
		t.Error("another context")
	}
}

func TestSettings(t *testing.T) {
	for _, tt := range []struct{ variables, want string }{
		{"", "http://localhost:4318/v1/traces 10s"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=https://h:1/a/ OTEL_EXPORTER_OTLP_TIMEOUT=2500", "https://h:1/a/v1/traces 2.5s"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=https://h OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://t/x OTEL_EXPORTER_OTLP_TIMEOUT=9 OTEL_EXPORTER_OTLP_TRACES_TIMEOUT=7", "http://t/x 7ms"},
		{"OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", "http://localhost:4318/v1/traces 10s"},
		{"OTEL_EXPORTER_OTLP_PROTOCOL=grpc", `OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" is not known; gramc sends http/protobuf`},
		{"OTEL_EXPORTER_OTLP_COMPRESSION=zstd", `"zstd" is not known`},
		{"OTEL_EXPORTER_OTLP_TIMEOUT=10s", "OTEL_EXPORTER_OTLP_TIMEOUT is not a number of milliseconds"},
		{"OTEL_EXPORTER_OTLP_HEADERS=secret", "OTEL_EXPORTER_OTLP_HEADERS: it is not a list of name=value"},
		{"OTEL_EXPORTER_OTLP_TRACES_HEADERS=a=b%0Asecret", "OTEL_EXPORTER_OTLP_TRACES_HEADERS: it is not a list"},
		{"OTEL_EXPORTER_OTLP_CERTIFICATE=/no/such/file", "OTEL_EXPORTER_OTLP_CERTIFICATE: open /no/such/file"},
		{"OTEL_EXPORTER_OTLP_CLIENT_KEY=/no/such/file", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: open"},
	} {
		d, err := newDestination(environment("", strings.Fields(tt.variables)...), traces)
		got := fmt.Sprint(err)
		if err == nil {
			got = d.address.String() + " " + d.client.Timeout.String()
		}
		if !strings.Contains(got, tt.want) || strings.Contains(got, "secret") {
			t.Errorf("%s: %s; want %s", tt.variables, got, tt.want)
		}
	}
}

func TestContentIsBounded(t *testing.T) {
	long := strings.Repeat("é", maxText)
	conversation := make([]runtime.Message, 0, 100)
	for i := range cap(conversation) {
		conversation = append(conversation, runtime.UserMessage(fmt.Sprint(i, " ", long)))
	}
	text := messagesOf(conversation)
	var list []message
	if err := json.Unmarshal([]byte(text), &list); err != nil || len(text) > maxMessages+10_000 || len(list) < 10 {
		t.Fatalf("%d messages in %d bytes, %v", len(list), len(text), err)
	}
	if last := list[len(list)-1].Parts[0].Content; !strings.HasPrefix(last, "99 é") || !strings.HasSuffix(last, fmt.Sprintf("… (%d bytes)", len("99 ")+len(long))) {
		t.Errorf("the last message is not the last: %.20s", last)
	}
	if got := cutJSON(json.RawMessage(`{"a":`)); string(got) != `"{\"a\":"` {
		t.Errorf("what is no JSON became %s", got)
	}
}

func TestProvidersHaveTheNamesOfTheConventions(t *testing.T) {
	for name, want := range map[string]string{"OpenAI": "openai", "Anthropic": "anthropic", "Google": "gcp.gemini", "Azure": "azure.ai.openai", "Mistral": "mistral_ai", "xAI": "x_ai", "DeepSeek": "deepseek", "Groq": "groq", "Ollama": "ollama"} {
		if got := providerOf(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
