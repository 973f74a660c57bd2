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

// load reads the agent. Files with errors end here.
func (r *runner) load(file string) error {
	text, err := r.read(file)
	switch {
	case err != nil:
		_, problems, err := unreadable(file, err)
		if err != nil {
			return err
		}
		return r.loaded(file, nil, problems)
	case isProgram(file, text):
		err = r.loadProgram(file, text)
	default:
		err = r.loadGram(file, text)
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

func (r *runner) loadProgram(name, text string) error {
	program, err := compile.ReadProgram(name, []byte(text))
	if err != nil {
		r.complain(err.Error())
		return r.refuse(err.Error())
	}
	if r.mode.value == string(interp.ModeAST) {
		agent, problems := interp.FromTree(compile.Decompile(program), r.agentName)
		return r.loaded(name, agent, problems)
	}
	if r.agent, err = interp.FromProgram(program, r.agentName); err != nil {
		var choice *interp.ChoiceError
		if !errors.As(err, &choice) {
			return err
		}
		return choose(name, choice.Code, err.Error())
	}
	return nil
}

func (r *runner) loadGram(name, text string) error {
	file, problems := grammar.Parse(name, text)
	u := &unit{Unit: r.workspace.Add(name, file, problems)}
	if u.Problems.HasErrors() {
		return r.loaded(name, nil, u.examine(&strictness{}))
	}
	agent, problems := interp.Load(file, r.agentName, interp.Mode(r.mode.value), u.Trees()...)
	return r.loaded(name, agent, problems)
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
