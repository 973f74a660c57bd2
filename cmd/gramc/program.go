package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
)

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

// agentsOf returns the agent of that name in a file, compiled and as it runs;
// for "" all agents.
func (c *cli) agentsOf(file, name string) (compiled []*compile.Agent, agents []*interp.Agent, err error) {
	program, err := c.programOf(file)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range program.Agents {
		if name != "" && a.Name != name {
			continue
		}
		agent, err := interp.FromProgram(program, a.Name)
		if err != nil {
			return nil, nil, err
		}
		compiled, agents = append(compiled, a), append(agents, agent)
	}
	if len(agents) > 0 {
		return compiled, agents, nil
	}
	_, err = interp.FromProgram(program, name)
	var choice *interp.ChoiceError
	if errors.As(err, &choice) {
		err = fmt.Errorf("%s: %s: %w", file, choice.Code, choice)
	}
	return nil, nil, err
}

// programOf compiles a gram file, or reads a compiled one. A file with errors
// ends the command when they have been shown.
func (c *cli) programOf(file string) (*compile.Program, error) {
	text, err := c.readInput(file)
	if err != nil {
		return nil, err
	}
	if !isProgram(file, text) {
		return c.compile(input{file, true, text})
	}
	program, err := compile.ReadProgram(file, []byte(text), &compile.Options{Models: c.models()})
	if err != nil {
		return nil, &exit{exitProblems, err}
	}
	return program, nil
}

// toolsOf returns the names of all tools of agents.
func toolsOf(agents []*interp.Agent) []string {
	names := []string{}
	for _, a := range agents {
		for i := range a.Tools {
			names = append(names, a.Tools[i].Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
