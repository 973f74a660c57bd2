package server

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// What is counted is written as Prometheus reads it, whatever a name has in it.
func TestMetrics(t *testing.T) {
	m := newMetrics()
	run, quoted := m.begin("greeter"), m.begin("a \"b\" \\c\n, d")
	run.event(&interp.Event{Kind: interp.EventRequest})
	run.event(&interp.Event{Kind: interp.EventDelta, Delta: &runtime.Delta{Kind: runtime.DeltaText}})
	run.event(&interp.Event{Kind: interp.EventDelta, Delta: &runtime.Delta{Kind: runtime.DeltaText}})
	run.event(&interp.Event{Kind: interp.EventResponse, Response: &runtime.Response{Usage: runtime.Usage{Input: 5, Output: 7}}})
	run.event(&interp.Event{Kind: interp.EventToolFinished, Time: 3 * time.Second, Invocation: &runtime.Invocation{Tool: "greet"}})
	run.event(&interp.Event{Kind: interp.EventToolFinished, Invocation: &runtime.Invocation{Tool: "of the model",
		Err: &runtime.ToolError{Kind: runtime.ToolExecution}}})
	run.end(nil)
	quoted.end(&problem{Code: "timeout"})
	m.refused.WithLabelValues("too_large").Inc()

	written := httptest.NewRecorder()
	m.serve(written, httptest.NewRequest("GET", "/metrics", nil), Principal{})
	for _, line := range []string{
		`gramc_runs_in_flight{agent="greeter"} 0`,
		`gramc_runs_total{agent="greeter",outcome="ok"} 1`,
		`gramc_runs_total{agent="a \"b\" \\c\n, d",outcome="timeout"} 1`,
		`gramc_run_seconds_count{agent="greeter"} 1`,
		`gramc_first_token_seconds_count{agent="greeter"} 1`,
		`gramc_model_requests_total{agent="greeter"} 1`,
		`gramc_tokens_total{agent="greeter",direction="input"} 5`,
		`gramc_tokens_total{agent="greeter",direction="output"} 7`,
		`gramc_tool_calls_total{agent="greeter",outcome="ok",tool="greet"} 1`,
		`gramc_tool_calls_total{agent="greeter",outcome="execution",tool=""} 1`,
		`gramc_tool_call_seconds_bucket{agent="greeter",tool="greet",le="2.5"} 0`,
		`gramc_tool_call_seconds_bucket{agent="greeter",tool="greet",le="5"} 1`,
		`gramc_refused_total{code="too_large"} 1`,
	} {
		if !strings.Contains(written.Body.String(), line+"\n") {
			t.Errorf("no %s in:\n%s", line, written.Body)
		}
	}
	if got := written.Header().Get("Content-Type"); !strings.HasPrefix(got, "text/plain; version=0.0.4; charset=utf-8") {
		t.Error(got)
	}
}
