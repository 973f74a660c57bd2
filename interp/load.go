package interp

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// A Mode is the form of a gram file from which an agent is run. Every mode sends
// the same requests.
type Mode string

// The modes.
const (
	ModeAuto Mode = "auto" // compiled, or from the tree if the file does not compile
	ModeAST  Mode = "ast"  // from the tree, without checking the rest of the file
	ModeIR   Mode = "ir"   // compiled, with the whole file free of errors
)

// Load returns the agent of that name, ready to run; "" is the only agent of
// the file. The agent is nil exactly when it cannot run.
//
// In ModeAuto the list may hold errors although there is an agent: the file
// does not compile, but that agent and its tools are free of errors, and it is
// run from the tree. A list without errors and no agent mean that the agent did
// not parse; the list of the parser has the reason.
//
// The options are those of the compiler, which say what f imports; nil means none.
func Load(f *ast.File, name string, mode Mode, o *compile.Options) (*Agent, diag.List) {
	if mode == ModeAST {
		return FromTree(f, name, o)
	}
	program, problems := compile.File(f, o)
	if program == nil {
		if mode == ModeIR {
			return nil, problems
		}
		a, _ := FromTree(f, name, o) // what is wrong with it is in problems
		return a, problems
	}
	a, err := FromProgram(program, name)
	if err != nil {
		return nil, append(problems, chooseAgentProblem(f, err))
	}
	return a, problems
}

// FromTree reads only the agent of that name from the tree of its file; "" is the
// only agent. The agent is nil if the list holds an error, or if it did not parse.
//
// The options are those of the compiler, which say what f imports; nil means none.
func FromTree(f *ast.File, name string, o *compile.Options) (*Agent, diag.List) {
	names := compile.ResolveNames(f)
	agents := names.Agents()
	list := make([]string, len(agents))
	for i, a := range agents {
		list[i] = a.Name()
	}
	i, err := chooseAgent(list, name)
	if err != nil {
		return nil, diag.List{chooseAgentProblem(f, err)}
	}
	agent, problems := compile.LowerAgent(f, agents[i], o)
	if agent == nil {
		return nil, problems
	}
	return runnableAgent(agent), problems
}

// FromProgram returns the agent of that name of a compiled program; "" is the
// only agent. The error is a *ChoiceError.
func FromProgram(p *compile.Program, name string) (*Agent, error) {
	list := make([]string, len(p.Agents))
	for i, a := range p.Agents {
		list[i] = a.Name
	}
	i, err := chooseAgent(list, name)
	if err != nil {
		return nil, err
	}
	return runnableAgent(p.Agents[i]), nil
}

// runnableAgent returns a compiled agent as one that can run.
func runnableAgent(in *compile.Agent) *Agent {
	a := &Agent{
		Name: in.Name, Model: in.Model, Fallbacks: in.Fallbacks, Instruction: in.Instruction,
		MaxTokens: int(in.MaxTokens), MaxIterations: int(in.MaxIterations),
	}
	a.Budget = Budget{Requests: int(in.MaxRequests), Tokens: in.MaxTotalTokens}
	a.Timeout = time.Duration(in.TimeoutMS) * time.Millisecond
	if cost, err := models.ParseMoney(in.MaxCost.String()); err == nil {
		a.Budget.Cost = cost
	}
	if in.OnOverflow == "compact" {
		a.OnOverflow = CompactOnOverflow
	}
	if in.Description != nil {
		a.Description = *in.Description
	}
	if warmth, err := in.Temperature.Float64(); err == nil {
		a.Temperature = &warmth
	}
	if in.Returns != nil {
		a.Returns = in.Returns.Schema()
	}
	a.Tools = Contracts(in.Tools)
	return a
}

// Contracts returns the contracts of tools, in their order; nil for none.
func Contracts(tools []*compile.Tool) []runtime.Contract {
	var list []runtime.Contract
	for _, t := range tools {
		list = append(list, runtime.Contract{
			Name: t.Name, Description: t.Description, Input: t.Schema(), Output: t.OutputSchema(),
			Timeout: time.Duration(t.TimeoutMS) * time.Millisecond, NoRetry: t.NoRetry, Strict: t.Strict,
			Repeat: runtime.Repeat(t.Repeat),
		})
	}
	return list
}

// A ChoiceError is the failure to choose one agent of a file by name.
type ChoiceError struct {
	Code   diag.Code // no-agent, multiple-agents or unknown-agent
	Wanted string
	Names  []string // the agents of the file
}

// Error names the agents of the file.
func (e *ChoiceError) Error() string {
	list := strings.Join(e.Names, ", ")
	switch e.Code {
	case diag.CodeNoAgent:
		return "the file has no agent"
	case diag.CodeMultipleAgents:
		return "the file has several agents, choose one of " + list
	}
	return fmt.Sprintf("no agent is named %q; the file has %s", e.Wanted, list)
}

// chooseAgent returns the index of the agent that is wanted.
func chooseAgent(names []string, wanted string) (int, error) {
	code := diag.CodeUnknownAgent
	switch {
	case len(names) == 0:
		code = diag.CodeNoAgent
	case wanted != "":
		if i := slices.Index(names, wanted); i >= 0 {
			return i, nil
		}
	case len(names) == 1:
		return 0, nil
	default:
		code = diag.CodeMultipleAgents
	}
	return 0, &ChoiceError{Code: code, Wanted: wanted, Names: names}
}

func chooseAgentProblem(f *ast.File, err error) *diag.Diagnostic {
	var list diag.List
	return list.Errorf(f.Span().Head(), err.(*ChoiceError).Code, "%v", err)
}
