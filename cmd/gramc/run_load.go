package main

import (
	"errors"
	"fmt"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/trace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// loadAgent reads the agent. Files with errors end here.
func (r *runner) loadAgent(file string) error {
	agent, problems, err := r.agentIn(file)
	if err == nil {
		err = r.takeAgent(file, agent, problems)
	}
	if err != nil {
		return err
	}
	return r.chooseModel()
}

// chooseModel gives the agent the model of --model, if there is one.
func (r *runner) chooseModel() error {
	if r.model == "" {
		return nil
	}
	parse := compile.ChooseModel
	if r.baseURL != "" { // there is one place to ask
		parse = compile.ParseModel
	}
	model, err := parse(r.model, r.models())
	if err != nil {
		return fmt.Errorf("--model: %w", err)
	}
	if !r.quiet {
		r.noteModel("--model: ", r.model, model)
	}
	r.agent.Model, r.agent.Fallbacks = model, nil
	return nil
}

// noteModel notes what check warns of where a model stands in a file, of one that the command
// line names.
func (c *cli) noteModel(flag, text string, m compile.Model) {
	for _, d := range compile.CheckModel(text, m, c.models()) {
		if d.Severity == diag.Warning {
			c.note("warning: " + flag + cleanLine(d.Message))
		}
	}
}

// agentIn returns the agent of a gram file or of a compiled program; nil where
// its problems prevent that.
func (r *runner) agentIn(file string) (*interp.Agent, diag.List, error) {
	if r.pinned != nil {
		agent, err := interp.FromProgram(r.pinned, r.agentName)
		r.agentFiles = []trace.File{trace.NewFile(file+", as the session has it", ast.Print(compile.Decompile(r.pinned)))}
		return agent, nil, err
	}
	text, err := r.readInput(file)
	if err != nil {
		return nil, nil, err
	}
	mode := interp.Mode(r.mode.value)
	if !isProgram(file, text) {
		u, err := r.loadInput(input{file, true, text})
		if err != nil {
			return nil, nil, err
		}
		if u.Problems.HasErrors() {
			return nil, r.examine(u), nil
		}
		r.agentFiles = traceFiles(u)
		agent, problems := interp.Load(u.File, r.agentName, mode, &compile.Options{Imported: u.Trees(), Models: r.models()})
		return agent, problems, nil
	}
	r.agentFiles = []trace.File{trace.NewFile(file, text)}
	program, err := compile.ReadProgram(file, []byte(text), &compile.Options{Models: r.models()})
	switch {
	case err != nil:
		r.complain(err.Error())
		return nil, nil, r.refuseFile(err.Error())
	case mode == interp.ModeAST:
		agent, problems := interp.FromTree(compile.Decompile(program), r.agentName, &compile.Options{Models: r.models()})
		return agent, problems, nil
	}
	agent, err := interp.FromProgram(program, r.agentName)
	var choice *interp.ChoiceError
	if errors.As(err, &choice) {
		return nil, nil, chooseLoadedAgent(file, choice.Code, err.Error())
	}
	return agent, nil, nil
}

// takeAgent shows the problems of a file and takes the agent in it, if there is
// one.
func (r *runner) takeAgent(name string, agent *interp.Agent, problems diag.List) error {
	for _, d := range problems {
		if agent == nil && (d.Code == diag.CodeMultipleAgents || d.Code == diag.CodeUnknownAgent) {
			return chooseLoadedAgent(name, d.Code, d.Message)
		}
	}
	if err := r.show(problems, diag.Warning); err != nil {
		return err
	}
	if agent == nil {
		return r.refuseFile(problems.Err().Error())
	}
	if problems.HasErrors() {
		r.note(fmt.Sprintf("these errors are outside of agent %q, which is run from the tree of the file (--mode ast)", agent.Name))
	}
	r.agent = agent
	return nil
}

// chooseLoadedAgent asks for an agent that the file has.
func chooseLoadedAgent(name string, code diag.Code, message string) error {
	return fmt.Errorf("%s: %s: %s; name one with --agent", name, code, message)
}

// refuseFile ends the run of a file with errors, which have been shown.
func (r *runner) refuseFile(message string) error {
	if r.asJSON {
		if err := r.writeFailure(failure{string(runtime.KindValidation), message}); err != nil {
			return err
		}
	}
	return exitSilently(exitProblems)
}
