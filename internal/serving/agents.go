package serving

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/server"
	"github.com/gram-lang/gramc/internal/telemetry"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
)

// Agents are those of files, with what they work with.
type Agents struct {
	Words  []string               // files, and folders with such
	Allow  func(tool string) bool // reports whether calls of a tool are made without asking
	Models *models.Table          // nil is the built-in one

	// Program compiles a file. It returns nil for a file without agents.
	Program func(file string) (*compile.Program, error)

	// Open opens the libraries.
	Open func(context.Context) (*host.Set, error)

	// Bind chooses the models of an agent, which it may change, and returns how the agent is bound
	// to the libraries.
	Bind func(*host.Set, *interp.Agent) (func(*interp.Options) (*interp.Bound, error), error)

	// Trace begins the spans of a run of an agent; nil, or a nil *Run, for none.
	Trace func(a *interp.Agent, caller runtime.TraceContext, m *runtime.Message, conversation string) *telemetry.Run

	// Redact takes the keys of models out of a text. The secrets of libraries are taken out besides.
	Redact func(string) string
}

// A fileAgent is an agent of a file.
type fileAgent struct {
	name    string // of the file, as it was found
	file    string // absolute
	program []byte // of the whole file
	agent   *interp.Agent
}

// A ProblemError says that the files have no agents, or not such as can be served together.
type ProblemError struct{ err error }

// Error says why.
func (e *ProblemError) Error() string { return e.err.Error() }

// Unwrap returns what is wrong.
func (e *ProblemError) Unwrap() error { return e.err }

// Check reads the files, and returns why their agents cannot be served.
func (a *Agents) Check() error {
	_, err := a.read()
	return err
}

// read returns the agents of all files. No two have the same name.
func (a *Agents) read() (all []fileAgent, err error) {
	names, unreadable := workspace.FindFiles(a.Words, nil)
	if len(unreadable) > 0 {
		return nil, &ProblemError{errors.Join(unreadable...)}
	}
	in := map[string]string{} // the file of each agent
	for _, file := range names {
		program, err := a.Program(file)
		if err != nil {
			return nil, err
		}
		if program == nil {
			continue
		}
		for _, one := range program.Agents {
			if other, ok := in[one.Name]; ok {
				return nil, &ProblemError{fmt.Errorf("%s and %s both have an agent named %q; clients choose agents by name", other, file, one.Name)}
			}
			in[one.Name] = file
			agent, err := interp.FromProgram(program, one.Name)
			if err != nil {
				return nil, err
			}
			all = append(all, fileAgent{file, workspace.Resolve(file), program.JSON(), agent})
		}
	}
	if len(all) == 0 {
		return nil, &ProblemError{fmt.Errorf("there is no agent in %s", strings.Join(a.Words, ", "))}
	}
	return all, nil
}

// Load reads the files and opens the libraries. The function closes those, once nobody runs the
// agents any more. What does not fit an agent is an error now, and not in its first run.
func (a *Agents) Load(ctx context.Context) ([]*server.Agent, func(), error) {
	agents, err := a.read()
	if err != nil {
		return nil, nil, err
	}
	set, err := a.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	var served []*server.Agent
	for _, one := range agents {
		agent, err := a.bind(set, one.program, one.agent)
		if err == nil {
			agent.File = one.file
			_, err = agent.Bind(&interp.Options{})
		}
		if err != nil {
			redacted := errors.New(set.Redact(one.unserved(err)))
			_ = set.Close() // the error that matters is err
			return nil, nil, redacted
		}
		served = append(served, agent)
	}
	return served, func() { _ = set.Close() }, nil // what does not end in time is reported by no one: the runs are over
}

// unserved says why an agent cannot be served.
func (f *fileAgent) unserved(err error) string {
	text := fmt.Sprintf("%s: the agent %q cannot be served: %v", f.name, f.agent.Name, err)
	if errors.Is(err, runtime.ErrToolNotFound) {
		text += "; --library names a file that implements tools"
	}
	return text
}

// bind returns an agent that can be served, of a program that may be of another version than the
// file.
func (a *Agents) bind(set *host.Set, program []byte, agent *interp.Agent) (*server.Agent, error) {
	bind, err := a.Bind(set, agent)
	if err != nil {
		return nil, err
	}
	served := &server.Agent{
		Name: agent.Name, Description: agent.Description, Model: agent.Model.String(), JSON: len(agent.Returns) > 0,
		Program: program, Redact: func(text string) string { return a.Redact(set.Redact(text)) }, Bind: bind,
		Approve: func(_ context.Context, q *interp.ApprovalRequest) (bool, error) {
			if a.Allow(q.Tool) {
				return true, nil
			}
			return false, interp.ErrWaiting
		},
		Pinned: func(earlier []byte) (*server.Agent, error) { return a.pinned(set, agent.Name, earlier) },
	}
	if a.Trace != nil {
		served.Trace = func(caller runtime.TraceContext, m *runtime.Message, conversation string) *telemetry.Run {
			return a.Trace(agent, caller, m, conversation)
		}
	}
	for i := range agent.Tools {
		served.Tools = append(served.Tools, agent.Tools[i].Name)
	}
	return served, nil
}

// pinned returns an agent as it was when a run of it began.
func (a *Agents) pinned(set *host.Set, name string, program []byte) (*server.Agent, error) {
	read, err := compile.ReadProgram("the program of the run", program, &compile.Options{Models: a.Models})
	if err != nil {
		return nil, err
	}
	agent, err := interp.FromProgram(read, name)
	if err != nil {
		return nil, err
	}
	return a.bind(set, program, agent)
}
