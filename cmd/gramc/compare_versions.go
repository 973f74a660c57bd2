package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/interp"
)

// A compareArm is a version: what it has in place of what the tests say.
type compareArm struct {
	word      string
	kind      string         // what the word names: a library, an agent or a model
	libraries []string       // absolute paths; none leaves those of the tests
	agents    []loadedAgent  // none leaves those of the tests
	model     *compile.Model // nil leaves that of the agent
}

// newArm reads what --a or --b names. Base, which may be nil, is what both have.
func (k *comparer) newArm(word string, base *compareArm) (*compareArm, error) {
	arm := &compareArm{word: word}
	if base != nil {
		arm.agents = base.agents
	}
	for _, name := range k.libraries {
		if err := arm.addLibrary(name); err != nil {
			return nil, err
		}
	}
	if base != nil && word == base.word {
		arm.kind = "an agent"
		return arm, nil
	}
	if _, err := os.Stat(word); errors.Is(err, fs.ErrNotExist) && !strings.HasSuffix(word, ".gram") {
		model, err := compile.ChooseModel(word, k.models())
		if err != nil {
			return nil, fmt.Errorf("there is no file %s, and %w", word, err)
		}
		k.noteModel("", word, model)
		arm.kind, arm.model = "a model", &model
		return arm, nil
	}
	u, err := k.loadSoundInput(input{name: word})
	if err != nil {
		return nil, err
	}
	switch {
	case slices.ContainsFunc(u.Patterns, func(p *ast.Pattern) bool { return p.HasLabel(ast.LabelAgent) }):
		arm.kind = "an agent"
		arm.agents, err = k.agentsIn(u)
		return arm, err
	case slices.ContainsFunc(u.Patterns, func(p *ast.Pattern) bool { return p.HasLabel(ast.LabelLibrary) }):
		arm.kind = "a library"
		return arm, arm.addLibrary(word)
	}
	return nil, fmt.Errorf("%s has neither an agent nor a library", word)
}

// differ reports versions between which there is nothing to compare.
func differ(a, b *compareArm) error {
	switch {
	case a.kind != b.kind:
		return fmt.Errorf("%s is %s and %s is %s: name two of the same kind; --library and AGENT-FILE say what both have", a.word, a.kind, b.word, b.kind)
	case a.model != nil && *a.model == *b.model:
		return fmt.Errorf("%s and %s are the same model", a.word, b.word)
	}
	return nil
}

func (a *compareArm) addLibrary(name string) error {
	path, err := filepath.Abs(name)
	a.libraries = append(a.libraries, path)
	return err
}

// agentArm reads the file of the agents that both versions have.
func (k *comparer) agentArm(name string) (*compareArm, error) {
	u, err := k.loadSoundInput(input{name: name})
	if err != nil {
		return nil, err
	}
	agents, err := k.agentsIn(u)
	return &compareArm{word: name, agents: agents}, err
}

func (k *comparer) agentsIn(u *workspace.Unit) (agents []loadedAgent, err error) {
	for _, p := range u.Patterns {
		if !p.HasLabel(ast.LabelAgent) {
			continue
		}
		agent, problems := interp.Load(u.File, p.Identity(), interp.ModeAuto, k.checkOptions(u))
		if agent == nil {
			return nil, k.report(problems, diag.Error)
		}
		agents = append(agents, loadedAgent{agent, u})
	}
	if len(agents) == 0 {
		return nil, fmt.Errorf("there is no agent in %s", u.Name())
	}
	return agents, nil
}

// testOf returns a case as a test of this version.
func (a *compareArm) testOf(t *testCase) (*testCase, error) {
	test := &testCase{t.Scenario, t.file, t.loadedAgent}
	if len(a.agents) > 0 {
		i := slices.IndexFunc(a.agents, func(g loadedAgent) bool { return g.agent.Name == t.agent.Name })
		if i < 0 && len(a.agents) > 1 {
			return nil, fmt.Errorf("%s has no agent %q, which %s is about", a.word, t.agent.Name, t.Name)
		}
		test.loadedAgent = a.agents[max(i, 0)]
	}
	if a.model != nil {
		agent := *test.agent
		agent.Model, agent.Fallbacks = *a.model, nil
		test.agent = &agent
	}
	if len(a.libraries) > 0 {
		scenario := *t.Scenario
		scenario.Libraries = nil
		folder, err := filepath.Abs(filepath.Dir(t.file.Name()))
		if err != nil {
			return nil, err
		}
		for _, path := range a.libraries {
			name, err := filepath.Rel(folder, path)
			if err != nil {
				return nil, err
			}
			scenario.Libraries = append(scenario.Libraries, filepath.ToSlash(name))
		}
		test.Scenario = &scenario
	}
	return test, nil
}
