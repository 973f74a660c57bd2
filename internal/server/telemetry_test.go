package server

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/telemetry"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A collector receives spans and metrics of OpenTelemetry.
type collector struct {
	mu      sync.Mutex
	spans   []*tracepb.Span
	metrics int // requests with them
}

func (c *collector) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body) // what arrived counts
	c.mu.Lock()
	defer c.mu.Unlock()
	if strings.HasSuffix(r.URL.Path, "/metrics") {
		c.metrics++
		return
	}
	var data tracepb.TracesData
	if err := proto.Unmarshal(text, &data); err != nil {
		return
	}
	for _, of := range data.ResourceSpans {
		for _, s := range of.ScopeSpans {
			c.spans = append(c.spans, s.Spans...)
		}
	}
}

// TestRunsAreTraces has clients with a trace and without one, and a run that waits in between.
func TestRunsAreTraces(t *testing.T) {
	got := &collector{}
	receiver := httptest.NewServer(got)
	defer receiver.Close()
	sender := telemetry.Start(func(name string) (string, bool) {
		if name != "OTEL_EXPORTER_OTLP_ENDPOINT" {
			return "", false
		}
		return receiver.URL, true
	}, "1")
	catalog := newCatalog(t, &talker{})
	for _, a := range catalog.current.agents {
		of := &interp.Agent{Name: a.Name, Model: compile.Model{Provider: "OpenAI", ID: "m"}}
		a.Trace = func(caller runtime.TraceContext, m *runtime.Message, conversation string) *telemetry.Run {
			return sender.Run(caller, of, m, conversation)
		}
	}
	const trace, span = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	parent := []string{"Authorization", bearer, "traceparent", "00-" + trace + "-" + span + "-01", "tracestate", "vendor=x"}
	c := caller{t, start(t, func(o *Options) { o.Catalog = catalog }), secret}
	if status, text := get(t, "POST", c.address+"/v1/chat/completions", `{"model":"echo","messages":[{"role":"user","content":"call add"}]}`, parent...); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	status, text := get(t, "POST", c.address+"/api/runs", `{"agent":"echo","message":"call risky"}`, parent...)
	var begun struct{ ID string }
	if err := json.Unmarshal([]byte(text), &begun); err != nil || status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	list := c.follow(begun.ID, "", waits)
	w := list[len(list)-1].Run.Waiting
	if status := c.do("POST", "/api/runs/"+begun.ID+"/decision", map[string]any{"call": w.Call, "hash": w.Hash, "allow": true}, nil); status != 204 {
		t.Fatal(status)
	}
	c.follow(begun.ID, "", ended)
	own, _ := c.send("", "hello")
	c.follow(own, "", ended)
	if err := sender.Close(); err != nil {
		t.Fatal(err)
	}
	got.mu.Lock()
	defer got.mu.Unlock()
	names := map[string]int{}
	agents := map[string]bool{}
	for _, s := range got.spans {
		if in := hex.EncodeToString(s.TraceId); in == trace {
			names[s.Name]++
		} else {
			names["own "+s.Name]++
		}
		if strings.HasPrefix(s.Name, "invoke_agent") {
			agents[string(s.SpanId)] = true
			if below := hex.EncodeToString(s.ParentSpanId); below != span && below != "" {
				t.Errorf("%s is below %s", s.Name, below)
			}
		}
		if s.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR {
			t.Errorf("%s is an error: %s", s.Name, s.Status.Message)
		}
	}
	for _, s := range got.spans {
		if !strings.HasPrefix(s.Name, "invoke_agent") && !agents[string(s.ParentSpanId)] {
			t.Errorf("%s is below no agent", s.Name)
		}
	}
	want := map[string]int{ // the run that waited has two spans of its agent, and each step once
		"invoke_agent echo": 3, "chat m": 4, "execute_tool add": 1, "execute_tool risky": 1, "own invoke_agent echo": 1, "own chat m": 1,
	}
	for name := range names {
		if names[name] != want[name] {
			t.Errorf("%d of %q, want %d", names[name], name, want[name])
		}
	}
	if len(names) != len(want) || got.metrics == 0 {
		t.Errorf("the spans are %v, and metrics came %d times", names, got.metrics)
	}
}
