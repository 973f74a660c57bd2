package server

import (
	"net/http"
	"strings"
	"time"

	prometheus "github.com/VictoriaMetrics/metrics"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// metrics are what an operator watches, in the text format of Prometheus. Labels are names
// of agents and tools, which the files have, and never texts of clients.
type metrics struct{ set *prometheus.Set }

// The upper bounds of histograms, in seconds.
var timeBounds = []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300}

func newMetrics() *metrics { return &metrics{prometheus.NewSet()} }

// count adds to a counter. Labels are pairs of a name and a value.
func (m *metrics) count(name string, n int64, labels ...string) {
	m.set.GetOrCreateCounter(labelled(name, labels)).AddInt64(n)
}

// observe adds a time to a histogram.
func (m *metrics) observe(name string, took time.Duration, labels ...string) {
	m.set.GetOrCreatePrometheusHistogramExt(labelled(name, labels), timeBounds).Update(took.Seconds())
}

// running returns the number of runs of an agent that have not ended.
func (m *metrics) running(agent string) *prometheus.Gauge {
	return m.set.GetOrCreateGauge(labelled("runs_in_flight", []string{"agent", agent}), nil)
}

// labelled returns the name of a metric with its labels: gramc_name{label="value"}.
func labelled(name string, labels []string) string {
	var b strings.Builder
	b.WriteString("gramc_" + name)
	for i := 0; i < len(labels); i += 2 {
		b.WriteByte("{,"[min(i, 1)])
		b.WriteString(labels[i] + `="`)
		labelEscapes.WriteString(&b, labels[i+1])
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return b.String()
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (m *metrics) serve(w http.ResponseWriter, _ *http.Request, _ Principal) *problem {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	m.set.WritePrometheus(w)
	prometheus.WriteProcessMetrics(w)
	return nil
}

// A runMeter measures one run.
type runMeter struct {
	*metrics
	agent string
	start time.Time
	begun bool // the first token has come
}

func (m *metrics) begin(agent string) *runMeter {
	m.running(agent).Inc()
	return &runMeter{metrics: m, agent: agent, start: time.Now()}
}

func (m *runMeter) event(e *interp.Event) {
	switch e.Kind {
	case interp.EventRequest:
		m.count("model_requests_total", 1, "agent", m.agent)
	case interp.EventDelta:
		if !m.begun && e.Delta.Kind == runtime.DeltaText {
			m.begun = true
			m.observe("first_token_seconds", time.Since(m.start), "agent", m.agent)
		}
	case interp.EventResponse:
		m.count("tokens_total", max(e.Response.Usage.Input, 0), "agent", m.agent, "direction", "input")
		m.count("tokens_total", max(e.Response.Usage.Output, 0), "agent", m.agent, "direction", "output")
	case interp.EventToolFinished:
		outcome := "ok"
		if e.Invocation.Err != nil {
			outcome = string(e.Invocation.Err.Kind)
		}
		tool := e.Invocation.Tool
		if e.Time == 0 { // it was not run, and the name is the model's
			tool = ""
		}
		m.count("tool_calls_total", 1, "agent", m.agent, "tool", tool, "outcome", outcome)
		if e.Time > 0 {
			m.observe("tool_call_seconds", e.Time, "agent", m.agent, "tool", tool)
		}
	}
}

// end counts the run, with its error.
func (m *runMeter) end(p *problem) {
	outcome := "ok"
	if p != nil {
		outcome = p.Code
	}
	m.running(m.agent).Dec()
	m.count("runs_total", 1, "agent", m.agent, "outcome", outcome)
	m.observe("run_seconds", time.Since(m.start), "agent", m.agent)
}
