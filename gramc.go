// Package gramc runs the agents of gram files from Go programs.
//
//	answer, err := gramc.Run(ctx, "hello.gram", "Hello, I am Ada", nil)
//
// A Go function implements a tool if its types fit the signature of the tool in
// the file, which is checked before the first request to a model:
//
//	agent, err := gramc.Load(ctx, "bookshop.gram", &gramc.Options{
//		Tools: []gramc.Tool{gramc.Func("findBook", findBook), gramc.Func("price", price)},
//	})
//	if err != nil {
//		return err
//	}
//	defer agent.Close()
//	response, err := agent.Run(ctx, "What does Tides cost?", nil)
//
// This package is the front door. If you need more, use the packages behind it:
// grammar and ast for the text and its tree, compile for programs, runtime for
// tools and models, interp for runs.
package gramc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/dialect"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
	"github.com/gram-lang/gramc/runtime/offline"
)

// The types of a run, from the packages that define them.
type (
	Conversation = runtime.Conversation
	Event        = interp.Event
	Model        = runtime.Model
	Response     = interp.AgentResponse
)

// Options say what an agent works with. The zero value, like nil, is the
// default.
type Options struct {
	Agent     string          // the agent to run; "" is the only one of the file
	Tools     []Tool          // Go functions; each replaces a tool of its name in Libraries
	Libraries []string        // paths of library files; a later one replaces tools of an earlier one
	Model     Model           // nil are the providers that the agent names, with the keys in the environment
	Lock      *Lock           // what the tools must still promise; nil compares nothing
	Run       *interp.Options // limits and approval of runs; nil is the default
}

// An Agent is ready to run: its file is free of errors, and its tools and its
// model are bound. It may be shared by goroutines if its model and its Go
// functions may.
type Agent struct {
	bound     *interp.Bound
	models    []Model // nil for a model of the caller
	set       *host.Set
	functions map[string]bool // names of tools that are Go functions
}

// Run loads the agent of a file, runs it once and returns the text of its
// response. See [Load] and [Agent.Run] for the errors.
func Run(ctx context.Context, path, input string, o *Options) (string, error) {
	agent, err := Load(ctx, path, o)
	if err != nil {
		return "", err
	}
	response, err := agent.Run(ctx, input, nil)
	if closing := agent.Close(); err == nil {
		err = closing
	}
	return response.Content, err
}

// Load reads a gram file and what it imports, and binds its agent. It starts
// the MCP servers of o.Libraries that the agent needs, and calls no model.
//
// Errors in a file are a list of diagnostics; see [diag.FromError]. Tools that
// are missing or do not fit are [runtime.BindErrors].
func Load(ctx context.Context, path string, o *Options) (*Agent, error) {
	unit, err := read(path)
	if err != nil {
		return nil, err
	}
	return load(ctx, unit.File, unit.Problems, o, unit.Trees()...)
}

// Parse is [Load] for the text of a file that imports nothing, such as an
// embedded one. Diagnostics show the name.
func Parse(ctx context.Context, name, text string, o *Options) (*Agent, error) {
	file, problems := grammar.Parse(name, text)
	return load(ctx, file, problems, o)
}

// Check returns all problems of a gram file with what it imports, warnings
// included. The error is that of reading the file.
func Check(path string) (diag.List, error) {
	unit, err := read(path)
	if err != nil {
		return nil, err
	}
	return workspace.ExamineUnit(unit.File, unit.Problems, unit.Options(compile.Options{})), nil
}

// read returns a file with what it imports.
func read(path string) (*workspace.Unit, error) {
	unit, err := workspace.Open(workspace.NewDisk()).Load(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return unit, nil
}

func load(ctx context.Context, file *ast.File, problems diag.List, o *Options, imported ...*ast.File) (*Agent, error) {
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if o == nil {
		o = &Options{}
	}
	agent, problems := interp.Load(file, o.Agent, interp.ModeIR, &compile.Options{Imported: imported})
	if err := problems.Err(); err != nil {
		return nil, err
	}
	a := &Agent{}
	tools, err := a.tools(ctx, agent, o)
	if err == nil {
		err = a.bind(agent, tools, o)
	}
	if err == nil && o.Lock != nil {
		err = a.compare(o.Lock)
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// bind binds an agent to tools and models. What is wrong with the tools is reported
// before a missing key.
func (a *Agent) bind(agent *interp.Agent, tools runtime.Library, o *Options) error {
	var run interp.Options
	if o.Run != nil {
		run = *o.Run
	}
	first := o.Model
	var unusable error
	if first == nil {
		if a.models, unusable = newModels(agent); unusable == nil {
			first, run.Fallbacks = a.models[0], a.models[1:]
		}
	}
	var err error
	if a.bound, err = interp.Bind(agent, tools, first, &run); errors.Is(err, interp.ErrNoModel) && unusable != nil {
		err = unusable
	}
	return err
}

// newModels returns the models of an agent, in its order, with the keys in the
// environment.
func newModels(agent *interp.Agent) ([]Model, error) {
	var providers []string
	for _, m := range agent.Models() {
		providers = append(providers, m.Provider)
	}
	return dialect.FromEnvironment(providers, "")
}

// tools opens the libraries and adds the Go functions.
func (a *Agent) tools(ctx context.Context, agent *interp.Agent, o *Options) (runtime.Library, error) {
	var libraries []*library.Library
	for _, path := range o.Libraries {
		unit, err := read(path)
		if err != nil {
			return runtime.Library{}, err
		}
		entries, problems := compile.Libraries(unit.File, unit.Options(compile.Options{}))
		if err := slices.Concat(unit.Problems, problems).Err(); err != nil {
			return runtime.Library{}, err
		}
		libraries = append(libraries, entries...)
	}
	a.functions = make(map[string]bool, len(o.Tools))
	for _, t := range o.Tools {
		a.functions[t.name] = true
	}
	names := make([]string, len(agent.Tools))
	need := []string{}
	for i, c := range agent.Tools {
		names[i] = c.Name
		if !a.functions[c.Name] {
			need = append(need, c.Name)
		}
	}
	var err error
	if a.set, err = host.Open(ctx, libraries, &host.Options{Need: need}); err != nil {
		return runtime.Library{}, err
	}
	tools, _ := a.set.GuardLeaks(names)
	for _, t := range o.Tools {
		if t.err == nil {
			tools, t.err = tools.Add(t.name, t.tool)
		}
		if t.err != nil {
			return runtime.Library{}, t.err
		}
	}
	return tools, nil
}

// Run answers the input of a user. The conversation holds what was said
// before: nil, or that of an earlier response. The response is never nil; with
// an error it holds what was done until then. The error is a *[runtime.Error],
// or wraps the error of ctx.
func (a *Agent) Run(ctx context.Context, input string, conversation Conversation) (*Response, error) {
	return a.bound.Run(ctx, input, conversation)
}

// Events is [Agent.Run] step by step; see [interp.Bound.Events].
func (a *Agent) Events(ctx context.Context, input string, conversation Conversation) iter.Seq2[Event, error] {
	return a.bound.Events(ctx, input, conversation)
}

// Close ends the MCP servers that [Load] started, and closes the connections to the
// provider unless the model is that of the caller. The agent cannot run after it.
func (a *Agent) Close() error {
	var failed error
	for _, m := range a.models {
		if own, ok := m.(io.Closer); ok {
			failed = errors.Join(failed, own.Close())
		}
	}
	if a.set != nil {
		failed = errors.Join(failed, a.set.Close())
	}
	return failed
}

// A Tool is a Go function that implements the tool of its name.
type Tool struct {
	name string
	tool runtime.Tool
	err  error // is reported where the agent is loaded
}

// Func makes a tool of a Go function. It has the description of the tool in
// the gram file, and fits when every call that the signature there allows is
// one that its types take; see [runtime.Func] for how types become schemas.
// What is wrong with it is an error of [Load].
func Func[In, Out any](name string, fn func(context.Context, In) (Out, error)) Tool {
	t, err := runtime.Implement(name, fn)
	return Tool{name: name, tool: t, err: err}
}

// Offline returns a model that calls no provider: fixed rules choose the tools
// and make their arguments. It shows that the wiring works and understands
// nothing.
func Offline() Model { return offline.New() }
