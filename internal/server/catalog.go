package server

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gram-lang/gramc/internal/telemetry"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// An Agent is one that can be asked.
type Agent struct {
	Name        string
	Description string
	Model       string // for people, such as "OpenAI/gpt-5.4"
	JSON        bool   // the answers are JSON: they are sent in one piece
	File        string
	Tools       []string
	Redact      func(string) string // removes secrets from texts

	// Program is all that is needed to run the agent, in a form of the caller. Pinned returns the
	// agent of a program of before.
	Program []byte
	Pinned  func(program []byte) (*Agent, error)

	// Trace begins the spans of a run, which are below those of its caller; nil, or a nil *Run, for none.
	Trace func(caller runtime.TraceContext, m *runtime.Message, conversation string) *telemetry.Run

	// Bind returns the agent with options; Approve is that of its runs.
	Bind    func(*interp.Options) (*interp.Bound, error)
	Approve func(context.Context, *interp.ApprovalRequest) (bool, error)
}

// A Catalog is the agents that are served. They can be exchanged while requests run.
type Catalog struct {
	mu      sync.Mutex
	current *edition
	problem string // why the newest files are not served; "" if they are
}

// An edition is the agents of one state of the files. Its tools are closed when the
// last run with it has ended.
type edition struct {
	agents []*Agent
	since  time.Time
	close  func()

	users int // runs, and 1 while it is the current one
}

// Set serves other agents from now on. The function is called when the last run with
// them has ended after they were replaced.
func (c *Catalog) Set(agents []*Agent, closed func()) {
	sorted := slices.Clone(agents)
	slices.SortFunc(sorted, func(a, b *Agent) int { return strings.Compare(a.Name, b.Name) })
	c.mu.Lock()
	old := c.current
	c.current = &edition{agents: sorted, since: time.Now(), close: closed, users: 1}
	c.problem = ""
	c.mu.Unlock()
	if old != nil {
		c.release(old)
	}
}

// Names returns the names of the agents, sorted.
func (c *Catalog) Names() []string {
	agents, _, done := c.use()
	defer done()
	return agentNames(agents)
}

func agentNames(agents []*Agent) []string {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.Name
	}
	return names
}

// Refuse notes why the newest files are not served, until the next Set.
func (c *Catalog) Refuse(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.problem = why
}

// Problem returns why the newest files are not served; "" if they are.
func (c *Catalog) Problem() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.problem
}

// Close ends serving. Runs that are still on their way keep their agents.
func (c *Catalog) Close() {
	c.mu.Lock()
	old := c.current
	c.current = nil
	c.mu.Unlock()
	if old != nil {
		c.release(old)
	}
}

// use returns the agents, until the function is called.
func (c *Catalog) use() (agents []*Agent, since time.Time, done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.current
	if e == nil {
		return nil, time.Time{}, func() {}
	}
	e.users++
	return e.agents, e.since, sync.OnceFunc(func() { c.release(e) })
}

func (c *Catalog) release(e *edition) {
	c.mu.Lock()
	e.users--
	last := e.users == 0
	c.mu.Unlock()
	if last && e.close != nil {
		e.close()
	}
}

// named returns the agent with a name.
func named(agents []*Agent, name string) *Agent {
	for _, a := range agents {
		if a.Name == name {
			return a
		}
	}
	return nil
}
