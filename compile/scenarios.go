package compile

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/scenario"
	"github.com/gram-lang/gramc/diag"
)

// scenarios lowers the tests of a file, whose agents are lowered already.
func (c *compiler) scenarios(f *ast.File, agents []*Agent) []*scenario.Scenario {
	if !slices.ContainsFunc(f.Patterns, scenario.IsTest) {
		return nil
	}
	l := &scenario.Lowerer{Checker: c.Checker, Open: c.opts.Incomplete || c.opts.Unlinked}
	for i, a := range agents {
		tested := &scenario.Agent{Name: a.Name, Pattern: c.names.agents[i].Pattern}
		if a.Returns != nil {
			tested.Returns = a.Returns.Type
		}
		for _, t := range a.Tools {
			tested.Tools = append(tested.Tools, &scenario.Tool{Name: t.Name, Signature: t.Signature})
		}
		l.Agents = append(l.Agents, tested)
	}
	for _, a := range c.names.foreign {
		l.Agents = append(l.Agents, c.foreignAgent(a))
	}
	return l.Scenarios(f)
}

// foreignAgent returns what tests have to know of an agent of an imported file, whose
// own check reports what is wrong with it.
func (c *compiler) foreignAgent(a ast.Agent) *scenario.Agent {
	before := len(c.Diags)
	tested := &scenario.Agent{Name: a.Name(), Pattern: a.Pattern}
	for e := range a.Tools() {
		if t, ok := c.names.Tool(e); ok {
			tested.Tools = append(tested.Tools, &scenario.Tool{Name: t.Name(), Signature: c.lowerToolOnce(t).Signature})
		}
	}
	if p := a.Property("returns"); p != nil && p.Value != nil {
		tested.Returns, _ = c.LowerTypeValue(p, diag.CodeInvalidType, "the agent")
	}
	c.Diags = c.Diags[:before]
	return tested
}

// Scenarios lowers the tests of a file. The list is what is wrong with them and
// with what they use of the file; with an error in it, or where something did not
// parse, there are no tests.
func Scenarios(f *ast.File, o *Options) (list []*scenario.Scenario, problems diag.List) {
	withLazyTypes(f, o, func(c *compiler) {
		agents := make([]*Agent, 0, len(c.names.agents))
		for _, a := range c.names.agents {
			agents = append(agents, c.lowerAgent(a))
		}
		list = c.scenarios(f, agents)
		c.Diags = slices.DeleteFunc(append(c.Diags, c.NamedTypeProblems()...).Unique(), c.elsewhere)
		if problems = c.Diags; c.Broken || problems.HasErrors() {
			list = nil
		}
	})
	return list, problems
}
