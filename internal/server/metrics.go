package server

import (
	"net/http"
	goruntime "runtime"
	"time"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// serverMetrics are what an operator watches. Labels are names of agents and tools, which
// the files have, and never texts of clients.
type serverMetrics struct {
	meter

	refused  *family // by code
	running  *family // by agent
	runs     *family // by agent and outcome
	duration *family // of runs, by agent
	first    *family // until the first token, by agent
	requests *family // to models, by agent
	tokens   *family // by agent and direction
	calls    *family // by agent, tool and outcome
	callTime *family // by agent and tool
}

func newMetrics() *serverMetrics {
	m := &serverMetrics{}
	bounds := []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300}
	m.refused = m.counter("gramc_refused_total", "Requests that were refused.", "code")
	m.running = m.gauge("gramc_runs_in_flight", "Runs that have not ended.", "agent")
	m.runs = m.counter("gramc_runs_total", "Runs that have ended.", "agent", "outcome")
	m.duration = m.histogram("gramc_run_seconds", "How long runs took.", bounds, "agent")
	m.first = m.histogram("gramc_first_token_seconds", "Time from the start of a run to the first token of its answer.", bounds, "agent")
	m.requests = m.counter("gramc_model_requests_total", "Requests to models.", "agent")
	m.tokens = m.counter("gramc_tokens_total", "Tokens that the models report.", "agent", "direction")
	m.calls = m.counter("gramc_tool_calls_total", "Calls of tools.", "agent", "tool", "outcome")
	m.callTime = m.histogram("gramc_tool_call_seconds", "How long calls of tools took.", bounds, "agent", "tool")
	m.gauge("process_start_time_seconds", "When the process started, in seconds since 1970.").add(float64(time.Now().Unix()))
	return m
}

func (m *serverMetrics) serve(w http.ResponseWriter, _ *http.Request, _ Principal) *problem {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	if m.write(w) == nil {
		ofProcess().write(w)
	}
	return nil
}

// ofProcess returns what Go knows about the process.
func ofProcess() *meter {
	m := &meter{}
	var memory goruntime.MemStats
	goruntime.ReadMemStats(&memory)
	m.gauge("go_goroutines", "Goroutines.").add(float64(goruntime.NumGoroutine()))
	m.gauge("go_heap_bytes", "Memory of objects, live or not collected yet.").add(float64(memory.HeapAlloc))
	m.gauge("go_memory_bytes", "All memory of the Go runtime.").add(float64(memory.Sys))
	return m
}

// A runMeter measures one run.
type runMeter struct {
	*serverMetrics
	agent string
	start time.Time
	begun bool // the first token has come
}

func (m *serverMetrics) begin(agent string) *runMeter {
	m.running.add(1, agent)
	return &runMeter{serverMetrics: m, agent: agent, start: time.Now()}
}

func (m *runMeter) event(e *interp.Event) {
	switch e.Kind {
	case interp.EventRequest:
		m.requests.add(1, m.agent)
	case interp.EventDelta:
		if !m.begun && e.Delta.Kind == runtime.DeltaText {
			m.begun = true
			m.first.add(time.Since(m.start).Seconds(), m.agent)
		}
	case interp.EventResponse:
		m.tokens.add(float64(max(e.Response.Usage.Input, 0)), m.agent, "input")
		m.tokens.add(float64(max(e.Response.Usage.Output, 0)), m.agent, "output")
	case interp.EventToolFinished:
		outcome := "ok"
		if e.Invocation.Err != nil {
			outcome = string(e.Invocation.Err.Kind)
		}
		tool := e.Invocation.Tool
		if e.Time == 0 { // it was not run, and the name is the model's
			tool = ""
		}
		m.calls.add(1, m.agent, tool, outcome)
		if e.Time > 0 {
			m.callTime.add(e.Time.Seconds(), m.agent, tool)
		}
	}
}

// end counts the run, with its error.
func (m *runMeter) end(p *problem) {
	outcome := "ok"
	if p != nil {
		outcome = p.Code
	}
	m.running.add(-1, m.agent)
	m.runs.add(1, m.agent, outcome)
	m.duration.add(time.Since(m.start).Seconds(), m.agent)
}
