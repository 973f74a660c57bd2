package server

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// metrics are what an operator watches. Labels are names of agents and tools, which the
// files have, and never texts of clients.
type metrics struct {
	handler http.Handler

	refused  *prometheus.CounterVec   // by code
	running  *prometheus.GaugeVec     // by agent
	runs     *prometheus.CounterVec   // by agent and outcome
	duration *prometheus.HistogramVec // of runs, by agent
	first    *prometheus.HistogramVec // until the first token, by agent
	requests *prometheus.CounterVec   // to models, by agent
	tokens   *prometheus.CounterVec   // by agent and direction
	calls    *prometheus.CounterVec   // by tool and outcome
	callTime *prometheus.HistogramVec // by tool
}

func newMetrics() *metrics {
	registry := prometheus.NewRegistry()
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "gramc", Name: name, Help: help}, labels)
		registry.MustRegister(c)
		return c
	}
	seconds := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "gramc", Name: name, Help: help, Buckets: buckets}, labels)
		registry.MustRegister(h)
		return h
	}
	running := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "gramc", Name: "runs_in_flight", Help: "Runs that have not ended."}, []string{"agent"})
	registry.MustRegister(running, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	wide := []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300}
	return &metrics{
		handler:  promhttp.HandlerFor(registry, promhttp.HandlerOpts{}),
		refused:  counter("refused_total", "Requests that were refused.", "code"),
		running:  running,
		runs:     counter("runs_total", "Runs that have ended.", "agent", "outcome"),
		duration: seconds("run_seconds", "How long runs took.", wide, "agent"),
		first:    seconds("first_token_seconds", "Time from a request of a client to the first token.", wide, "agent"),
		requests: counter("model_requests_total", "Requests to models.", "agent"),
		tokens:   counter("tokens_total", "Tokens that the models report.", "agent", "direction"),
		calls:    counter("tool_calls_total", "Calls of tools.", "agent", "tool", "outcome"),
		callTime: seconds("tool_call_seconds", "How long calls of tools took.", wide, "agent", "tool"),
	}
}

func (m *metrics) serve(w http.ResponseWriter, r *http.Request, _ Principal) *problem {
	m.handler.ServeHTTP(w, r)
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
	m.running.WithLabelValues(agent).Inc()
	return &runMeter{metrics: m, agent: agent, start: time.Now()}
}

func (m *runMeter) event(e *interp.Event) {
	switch e.Kind {
	case interp.EventRequest:
		m.requests.WithLabelValues(m.agent).Inc()
	case interp.EventDelta:
		if !m.begun && e.Delta.Kind == runtime.DeltaText {
			m.begun = true
			m.first.WithLabelValues(m.agent).Observe(time.Since(m.start).Seconds())
		}
	case interp.EventResponse:
		m.tokens.WithLabelValues(m.agent, "input").Add(float64(max(e.Response.Usage.Input, 0)))
		m.tokens.WithLabelValues(m.agent, "output").Add(float64(max(e.Response.Usage.Output, 0)))
	case interp.EventToolFinished:
		outcome := "ok"
		if e.Invocation.Err != nil {
			outcome = string(e.Invocation.Err.Kind)
		}
		tool := e.Invocation.Tool
		if e.Time == 0 { // it was not run, and the name is the model's
			tool = ""
		}
		m.calls.WithLabelValues(m.agent, tool, outcome).Inc()
		if e.Time > 0 {
			m.callTime.WithLabelValues(m.agent, tool).Observe(e.Time.Seconds())
		}
	}
}

// end counts the run, with its error.
func (m *runMeter) end(p *problem) {
	outcome := "ok"
	if p != nil {
		outcome = p.Code
	}
	m.running.WithLabelValues(m.agent).Dec()
	m.runs.WithLabelValues(m.agent, outcome).Inc()
	m.duration.WithLabelValues(m.agent).Observe(time.Since(m.start).Seconds())
}
