package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/dialect"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/server"
	"github.com/gram-lang/gramc/internal/serving"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
	"github.com/gram-lang/gramc/runtime/offline"

	"github.com/gram-lang/gramc/engine/temporal"
)

// agentFlags say which agents are served, and with what.
type agentFlags struct {
	libraries []string
	approve   []string
	offline   bool
	model     string
	baseURL   string
}

func (a *agentFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&a.libraries, "library", nil, "take the tools that the agents call from the library `FILE`; may be repeated")
	f.StringArrayVar(&a.approve, "approve", nil, "allow calls of this `TOOL` without asking; all means every tool")
	f.BoolVar(&a.offline, "offline", false, "call no model; fixed rules choose the tools")
	f.StringVar(&a.model, "model", "", "use this model, such as OpenAI/gpt-5.4, instead of the agents'")
	f.StringVar(&a.baseURL, "base-url", "", "the base URL of the model API")
}

// agents returns how the agents of files and folders are read.
func (c *cli) agents(words []string, a *agentFlags) *serving.Agents {
	return &serving.Agents{
		Words: words, Redact: withoutKeys(), Program: c.program,
		Allow: func(tool string) bool { return slices.Contains(a.approve, tool) || slices.Contains(a.approve, "all") },
		Open:  func(ctx context.Context) (*host.Set, error) { return c.openLibraries(ctx, a.libraries) },
		Bind: func(set *host.Set, agent *interp.Agent) (func(*interp.Options) (*interp.Bound, error), error) {
			return c.bind(a, set, agent)
		},
	}
}

// withoutKeys returns what takes the keys of models out of a text.
func withoutKeys() func(string) string { return models.Builtin().HidingKeys(os.Getenv).Replace }

// load reads a file with what it imports, and shows what is wrong with it.
func (c *cli) load(file string) (*workspace.Unit, error) {
	unit, err := workspace.Open(workspace.NewDisk()).Load(file)
	if err != nil {
		return nil, &exit{exitUsage, fmt.Errorf("%s: %w", file, err)}
	}
	problems := workspace.ExamineUnit(unit.File, unit.Problems, unit.Options(compile.Options{}))
	shown := slices.DeleteFunc(slices.Clone(problems), func(d *diag.Diagnostic) bool { return d.Severity > diag.Warning })
	if len(shown) > 0 {
		if err := diag.Fprint(c.err, shown.Limit(), nil); err != nil {
			return nil, err
		}
	}
	if problems.HasErrors() {
		return nil, &exit{code: exitProblems}
	}
	return unit, nil
}

// program compiles a file; nil for one without agents.
func (c *cli) program(file string) (*compile.Program, error) {
	unit, err := c.load(file)
	if err != nil || len(compile.ResolveNames(unit.File).Agents()) == 0 {
		return nil, err
	}
	program, problems := compile.File(unit.File, unit.Options(compile.Options{}))
	if problems.HasErrors() {
		return nil, &exit{exitProblems, problems.Err()}
	}
	return program, nil
}

// openLibraries opens the libraries of files.
func (c *cli) openLibraries(ctx context.Context, files []string) (*host.Set, error) {
	var all []*library.Library
	for _, file := range files {
		unit, err := c.load(file)
		if err != nil {
			return nil, err
		}
		entries, problems := compile.Libraries(unit.File, unit.Options(compile.Options{}))
		if problems.HasErrors() {
			return nil, &exit{exitProblems, problems.Err()}
		}
		all = append(all, entries...)
	}
	set, err := host.Open(ctx, all, &host.Options{Warn: func(message string) { c.note("warning: " + visible.Line(message)) }})
	if err != nil {
		return nil, &exit{exitRun, err}
	}
	return set, nil
}

// bind chooses the models of an agent, and returns how it is bound to them and to the libraries.
func (c *cli) bind(a *agentFlags, set *host.Set, agent *interp.Agent) (func(*interp.Options) (*interp.Bound, error), error) {
	if a.model != "" {
		choose := compile.ChooseModel
		if a.baseURL != "" { // there is one place to ask
			choose = compile.ParseModel
		}
		model, err := choose(a.model, nil)
		if err != nil {
			return nil, fmt.Errorf("--model: %w", err)
		}
		agent.Model, agent.Fallbacks = model, nil
	}
	asked, err := a.models(agent)
	if err != nil {
		return nil, err
	}
	if a.offline { // which spends nothing
		agent.Budget = interp.Budget{}
	}
	names := make([]string, len(agent.Tools))
	for i := range agent.Tools {
		names[i] = agent.Tools[i].Name
	}
	tools, leak := set.GuardLeaks(names)
	if leak != nil && len(leak.Asked) > 0 {
		c.note(fmt.Sprintf("warning: the agent %q reads private data and untrusted text, and sends data out; so calls of %s need approval", agent.Name, strings.Join(leak.Asked, ", ")))
	}
	return func(o *interp.Options) (*interp.Bound, error) {
		o.Fallbacks = asked[1:]
		return interp.Bind(agent, tools, asked[0], o)
	}, nil
}

// models returns the models of an agent, in its order.
func (a *agentFlags) models(agent *interp.Agent) ([]runtime.Model, error) {
	if a.offline {
		return []runtime.Model{offline.New()}, nil
	}
	var providers []string
	for _, m := range agent.Models() {
		if a.baseURL != "" && m.Provider != agent.Model.Provider {
			return nil, fmt.Errorf("--base-url is the address of one provider, and agent %q has models of %s and %s: choose one with --model", agent.Name, agent.Model.Provider, m.Provider)
		}
		providers = append(providers, m.Provider)
	}
	return dialect.FromEnvironment(providers, a.baseURL)
}

// maxPinned is how many agents of earlier programs are kept.
const maxPinned = 64

// A crew is the agents with which a worker makes steps.
type crew struct {
	current map[string]*server.Agent // by name
	live    *live

	mu     sync.Mutex
	pinned map[string]*server.Agent // of earlier programs, by hash and name
}

func newCrew(agents []*server.Agent, l *live) *crew {
	c := &crew{current: map[string]*server.Agent{}, live: l, pinned: map[string]*server.Agent{}}
	for _, a := range agents {
		c.current[a.Name] = a
	}
	return c
}

// open returns the agent of a run, as it was when the run began.
func (c *crew) open(_ context.Context, about *journal.Run, program []byte) (*temporal.Agent, error) {
	a, err := c.agent(about, program)
	if err != nil {
		return nil, err
	}
	return &temporal.Agent{
		Bind: a.Bind, Redact: a.Redact, Approve: a.Approve,
		Pieces: func(step string, d *runtime.Delta) { c.live.pass(about.ID, piece{step, *d}) },
	}, nil
}

func (c *crew) agent(about *journal.Run, program []byte) (*server.Agent, error) {
	a := c.current[about.Agent]
	switch {
	case a == nil:
		return nil, errors.New("this worker does not serve the agent " + about.Agent)
	case string(a.Program) == string(program):
		return a, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := about.Program + " " + about.Agent
	if earlier := c.pinned[key]; earlier != nil {
		return earlier, nil
	}
	earlier, err := a.Pinned(program)
	if err != nil {
		return nil, errors.New(a.Redact(err.Error())) // it gets into the history
	}
	if len(c.pinned) >= maxPinned {
		clear(c.pinned)
	}
	c.pinned[key] = earlier
	return earlier, nil
}
