package compile

import (
	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
)

// Options say how strictly a file is read. Nil means the zero Options.
type Options struct {
	// Strict refuses parameters without a name. Else they are named by their
	// position, with a warning.
	Strict bool
	// StrictGram refuses what the reference grammar of gram refuses. Else it
	// is an Info.
	StrictGram bool
}

// Check returns what is wrong with any gram file: with its records, and with
// the agents and tools in it, if there are any. It expects that the problems
// of parsing have been told, and is silent about what did not parse.
func Check(f *ast.File, o *Options) diag.List {
	c := newCompiler(f, o)
	c.file(f)
	c.unlabelled(f)
	c.diags.Sort()
	return c.diags
}

// File lowers the agents of a file. The program is nil exactly when the list
// holds an error or the tree something that did not parse. As for Check, the
// problems of parsing come first: whoever has some should not run the program.
func File(f *ast.File, o *Options) (*Program, diag.List) {
	c := newCompiler(f, o)
	agents := c.file(f)
	switch {
	case len(agents) > 0:
		c.unlabelled(f)
	case !c.broken:
		c.noAgent(f)
	}
	c.limit(agents)
	c.diags.Sort()
	if c.broken || c.diags.HasErrors() {
		return nil, c.diags
	}
	c.place(agents)
	return &Program{Version: Version, Agents: agents}, c.diags
}

// CheckAgent returns what is wrong with one agent of a file and with the tools
// that it has, and whether it can run: there is no error in the list, and all
// of the agent did parse. It is what a run needs to know when it works on the
// tree alone.
func CheckAgent(f *ast.File, a ast.Agent, o *Options) (usable bool, list diag.List) {
	c := newCompiler(f, o)
	c.gram(a.Pattern)
	for e := range a.Tools() {
		t, ok := c.names.Tool(e)
		if _, done := c.lowered[t.Pattern]; !ok || done {
			continue
		}
		if t.Pattern != e {
			c.gram(t.Pattern)
		}
		c.tool(t)
	}
	for _, t := range c.agent(a).Tools {
		if same := c.names.sameName[t.Name]; len(same) > 1 {
			c.redefinitions(same)
		}
	}
	c.diags.Sort()
	return !c.broken && !c.diags.HasErrors(), c.diags
}

// A compiler is the state of one call.
type compiler struct {
	opts    Options
	names   *Names
	lowered map[*ast.Pattern]*Tool // each tool once, however often it is referred to
	told    map[*ast.Pattern]bool  // tools whose double definition has been told
	tools   []*Tool                // the lowered tools, in the order of the text
	broken  bool                   // something did not parse
	diags   diag.List

	guesses   int      // how often somebody asked for a suggestion
	toolNames []string // what is suggested for a tool; made on first use
}

func newCompiler(f *ast.File, o *Options) *compiler {
	c := &compiler{
		names:   Resolve(f),
		lowered: map[*ast.Pattern]*Tool{},
		told:    map[*ast.Pattern]bool{},
	}
	if o != nil {
		c.opts = *o
	}
	return c
}

// file runs the passes over a whole file and returns its agents.
func (c *compiler) file(f *ast.File) []*Agent {
	// What holds for any gram file, agents or not.
	c.gram(f)
	c.invisible(f)
	// Every tool, also those that no agent has.
	for _, t := range c.names.tools {
		c.tool(t)
	}
	// Every agent, with the tools that its elements stand for.
	agents := make([]*Agent, 0, len(c.names.agents))
	for _, a := range c.names.agents {
		agents = append(agents, c.agent(a))
	}
	// What takes more than one of them to go wrong.
	c.duplicateAgents()
	for _, t := range c.names.tools {
		if same := c.names.sameName[t.Name()]; len(same) > 1 && same[0] == t.Pattern {
			c.redefinitions(same)
		}
	}
	c.vocabulary()
	return agents
}
