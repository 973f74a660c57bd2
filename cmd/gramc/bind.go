package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/compat"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
)

// A binder is one use of the command bind.
type binder struct {
	*cli

	agentName    string
	libraryNames []string
	lockFile     string
	mode         bindMode
	asJSON       bool

	known []string // tools that the libraries say they have
}

func (c *cli) bindCommand() *cobra.Command {
	b := &binder{cli: c, mode: newBindMode()}
	cmd := &cobra.Command{
		Use:   "bind FILE",
		Short: "Prove that libraries have the tools of the agents",
		Long: `bind opens the libraries, MCP servers included, and compares every tool of every
agent of the file with the tool that would do its work: name, description and
schemas. It calls no tool and no model. FILE is a gram file, or the JSON that
"gramc compile" made of one.

A tool fits when it takes every call that the agent can make. "compatible" shows
where its input schema differs; "not proven" where the comparison cannot decide,
so that each call is validated against both schemas. Of a tool that does not fit
the schemas are shown as a diff, - the agent's, + the library's. Where there is a lock (see "gramc lock"), what has changed since
is told too.

The exit code is 0 when all tools are bound, and 1 when some are not or what
the lock holds has changed in a way that breaks.`,
		Example: `  gramc bind agent.gram --library local.gram
  gramc bind agent.gram --library local.gram --library test.gram --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, words []string) error { return b.command(words[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&b.agentName, "agent", "", "bind this agent alone")
	b.mode.addFlag(f)
	f.BoolVar(&b.asJSON, "json", false, "write what was found as JSON")
	f.StringVar(&b.lockFile, "lock", "", "compare with this lock `FILE` (default the file's name and .lock, if it exists)")
	addLibrary(cmd, &b.libraryNames, "take the tools from the library `FILE`; may be repeated")
	return cmd
}

// A wired is an agent with the tools that do its work.
type wired struct {
	Agent string      `json:"agent"`
	Place string      `json:"place"`
	Tools []wiredTool `json:"tools"`
}

// A wiredTool is a tool of an agent, and what does its work.
type wiredTool struct {
	Name     string    `json:"tool"`
	Place    string    `json:"place"`
	From     string    `json:"from,omitempty"`    // what does the work; "" when nothing does
	Library  string    `json:"library,omitempty"` // the place of that
	Problems []problem `json:"problems"`

	// Fit and Differences are those of the binding of a tool that is bound and
	// whose input schema differs from that of the agent.
	Fit         runtime.Fit `json:"fit,omitempty"`
	Differences []string    `json:"differences,omitempty"`

	offered *compat.Locked // what the library has, if it says what that is
}

// A bindReport is what the command bind found.
type bindReport struct {
	Agents []wired         `json:"agents"`
	Drift  []compat.Change `json:"drift,omitempty"` // since the lock was written

	before *compat.Lock
}

// allBound reports whether no tool has a problem.
func allBound(found []wired) bool {
	return !slices.ContainsFunc(found, func(w wired) bool {
		return slices.ContainsFunc(w.Tools, func(t wiredTool) bool { return len(t.Problems) > 0 })
	})
}

// A problem is a reason why a tool is not bound.
type problem struct {
	Reason  runtime.Reason `json:"reason"`
	Message string         `json:"message"`
	Diff    string         `json:"diff,omitempty"`
}

func (b *binder) command(file string) error {
	before, err := b.readLock(b.lockFile, file)
	if err != nil {
		return err
	}
	found, err := b.bind(file)
	if err != nil {
		return err
	}
	report := bindReport{Agents: found, before: before}
	if before != nil {
		report.Drift = changesSince(before, found)
	}
	if err := b.tell(&report); err != nil {
		return err
	}
	if !allBound(found) || compat.AnyBreaking(report.Drift) {
		return told(exitProblems)
	}
	return nil
}

// bind opens the libraries and binds the tools of the agents of a file.
func (b *binder) bind(file string) ([]wired, error) {
	program, agents, err := b.agentsOf(file, b.agentName)
	if err != nil {
		return nil, err
	}
	libraries, err := b.readLibraries(b.libraryNames)
	if err != nil {
		return nil, err
	}
	if libraries == nil && len(b.libraryNames) > 0 {
		return nil, told(exitProblems)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	set, err := b.openSet(ctx, libraries, needs(agents))
	if err != nil {
		b.complainLines(err.Error())
		return nil, told(exitProblems)
	}
	b.known = knownTools(set, libraries)
	found := make([]wired, len(agents))
	for i, agent := range agents {
		found[i] = b.wire(program, agent, set)
	}
	b.sayRefused(set, needs(agents))
	if err := set.Close(); err != nil {
		b.complain(set.Redact(err.Error()))
	}
	return found, nil
}

// agentsOf reads a file and returns its program and the agents to bind.
func (c *cli) agentsOf(file, name string) (*compile.Program, []*interp.Agent, error) {
	program, err := c.programOf(file)
	if err != nil {
		return nil, nil, err
	}
	var agents []*interp.Agent
	for _, a := range program.Agents {
		if name != "" && a.Name != name {
			continue
		}
		agent, err := interp.FromProgram(program, a.Name)
		if err != nil {
			return nil, nil, err
		}
		agents = append(agents, agent)
	}
	if len(agents) == 0 {
		_, err := interp.FromProgram(program, name)
		var choice *interp.ChoiceError
		if errors.As(err, &choice) {
			return nil, nil, fmt.Errorf("%s: %s: %w", file, choice.Code, choice)
		}
		return nil, nil, err
	}
	return program, agents, nil
}

// programOf compiles a gram file, or reads a compiled one. What is wrong with
// the file is shown; then the error is one that was told.
func (c *cli) programOf(file string) (*compile.Program, error) {
	text, err := c.read(file)
	if err != nil {
		return nil, err
	}
	if isProgram(file, text) {
		program, err := compile.ReadProgram(file, []byte(text))
		if err != nil {
			c.complain(err.Error())
			return nil, told(exitProblems)
		}
		return program, nil
	}
	u, err := c.load(input{file, true, text})
	if err != nil {
		return nil, err
	}
	how := &strictness{}
	problems := u.examineAll(how)
	if err := c.show(problems, diag.Warning); err != nil {
		return nil, err
	}
	program, more := compile.File(u.File, u.options(how))
	if problems.HasErrors() || program == nil {
		if !problems.HasErrors() {
			if err := c.show(more, diag.Error); err != nil {
				return nil, err
			}
		}
		return nil, told(exitProblems)
	}
	return program, nil
}

// needs returns the names of all tools of agents.
func needs(agents []*interp.Agent) []string {
	names := []string{}
	for _, a := range agents {
		for i := range a.Tools {
			names = append(names, a.Tools[i].Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// knownTools returns the names of the tools that are open, and of those that
// nobody needs.
func knownTools(set *host.Set, libraries []*compile.Library) []string {
	names := set.Library().Names()
	for _, l := range libraries {
		for _, e := range l.Entries {
			if e.Kind != compile.EntryMCP {
				names = append(names, e.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// wire binds the tools of an agent.
func (b *binder) wire(program *compile.Program, agent *interp.Agent, set *host.Set) wired {
	i := slices.IndexFunc(program.Agents, func(a *compile.Agent) bool { return a.Name == agent.Name })
	in := program.Agents[i]
	w := wired{Agent: agent.Name, Place: placeOf(in.Place), Tools: make([]wiredTool, len(agent.Tools))}
	for k := range agent.Tools {
		c := &agent.Tools[k]
		t := &w.Tools[k]
		*t = wiredTool{Name: c.Name, Place: placeOf(in.Tools[k].Place), Problems: []problem{}}
		if origin, ok := set.Origin(c.Name); ok {
			t.From = fromOf(origin)
			if origin.Entry != nil {
				t.Library = placeOf(origin.Entry.Place)
			}
		}
		if _, known := set.Library().Lookup(c.Name); !known {
			t.Problems = append(t.Problems, problem{Reason: runtime.ReasonNotFound, Message: notFound(c.Name, b.known)})
			continue
		}
		b.wireTool(t, c, set)
	}
	return w
}

// wireTool binds a tool that a library has.
func (b *binder) wireTool(t *wiredTool, c *runtime.Contract, set *host.Set) {
	tools, err := set.Library().Bind([]runtime.Contract{*c}, &runtime.BindOptions{Mode: b.mode.mode()})
	var failed runtime.BindErrors
	if !errors.As(err, &failed) {
		if b := &tools[0]; b.Fit != runtime.FitEqual {
			t.Fit, t.Differences = b.Fit, b.Differences
		}
		offered := locked(tools[0].Tool, t.From)
		t.offered = &offered
		return
	}
	tool, _ := set.Library().Lookup(c.Name)
	if len(tool.Input()) > 0 {
		offered := locked(tool, t.From)
		offered.Description = cmp.Or(offered.Description, c.Description)
		t.offered = &offered
	}
	for _, f := range failed {
		p := problem{Reason: f.Reason, Message: set.Redact(f.Detail)}
		if f.Reason == runtime.ReasonSchemaMismatch && !runtime.EqualSchema(c.Input, tool.Input()) {
			p.Diff = schemaDiff(t, c.Input, tool.Input())
		}
		t.Problems = append(t.Problems, p)
	}
}
