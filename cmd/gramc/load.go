package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// loadAgent reads the agent. Files with errors end here.
func (r *runner) loadAgent(file string) error {
	agent, problems, err := r.agentIn(file)
	if err == nil {
		err = r.loaded(file, agent, problems)
	}
	if err != nil || r.model == "" {
		return err
	}
	model, err := compile.ParseModel(r.model)
	if err != nil {
		return fmt.Errorf("--model: %w", err)
	}
	r.agent.Model = model
	return nil
}

// agentIn returns the agent of a gram file or of a compiled program; nil where
// its problems prevent that.
func (r *runner) agentIn(file string) (*interp.Agent, diag.List, error) {
	text, err := r.read(file)
	if err != nil {
		return nil, nil, err
	}
	mode := interp.Mode(r.mode.value)
	if !isProgram(file, text) {
		tree, problems := grammar.Parse(file, text)
		u := r.workspace.Add(file, tree, problems)
		if u.Problems.HasErrors() {
			return nil, (&strictness{}).examine(u), nil
		}
		agent, problems := interp.Load(tree, r.agentName, mode, u.Trees()...)
		return agent, problems, nil
	}
	program, err := compile.ReadProgram(file, []byte(text))
	switch {
	case err != nil:
		r.complain(err.Error())
		return nil, nil, r.refuse(err.Error())
	case mode == interp.ModeAST:
		agent, problems := interp.FromTree(compile.Decompile(program), r.agentName)
		return agent, problems, nil
	}
	agent, err := interp.FromProgram(program, r.agentName)
	var choice *interp.ChoiceError
	if errors.As(err, &choice) {
		return nil, nil, choose(file, choice.Code, err.Error())
	}
	return agent, nil, nil
}

// isProgram reports whether a text is a compiled program: by the name of its
// file, and where that says nothing, by how it looks. A gram file that is one
// JSON object has no agent in it.
func isProgram(name, text string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".json":
		return true
	case ".gram":
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") && json.Valid([]byte(text))
}

// loaded shows the problems of a file and takes the agent in it, if there is
// one.
func (r *runner) loaded(name string, agent *interp.Agent, problems diag.List) error {
	for _, d := range problems {
		if agent == nil && (d.Code == diag.CodeMultipleAgents || d.Code == diag.CodeUnknownAgent) {
			return choose(name, d.Code, d.Message)
		}
	}
	if err := r.show(problems, diag.Warning); err != nil {
		return err
	}
	if agent == nil {
		return r.refuse(problems.Err().Error())
	}
	if problems.HasErrors() {
		r.note(fmt.Sprintf("these errors are outside of agent %q, which is run from the tree of the file (--mode ast)", agent.Name))
	}
	r.agent = agent
	return nil
}

// choose asks for an agent that the file has.
func choose(name string, code diag.Code, message string) error {
	return fmt.Errorf("%s: %s: %s; name one with --agent", name, code, message)
}

// refuse ends the run of a file with errors, which have been shown.
func (r *runner) refuse(message string) error {
	if r.asJSON {
		if err := r.writeFailure(failure{string(runtime.KindValidation), message}); err != nil {
			return err
		}
	}
	return exitSilently(exitProblems)
}
