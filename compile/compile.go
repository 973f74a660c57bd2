package compile

import (
	"maps"
	"regexp"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
)

// Options say how strictly a file is read. Nil means the zero Options.
type Options struct {
	// Strict refuses parameters without a name. Else they are named by their
	// position, with a warning.
	Strict bool
	// StrictGram refuses what tree-sitter-gram refuses. Else it
	// is an Info.
	StrictGram bool
	// Imported are the files that the file imports, directly or not, parsed
	// without errors where that is possible. Their tools and types are known by
	// name in the file.
	Imported []*ast.File
	// Behind are, for each path that the file imports, those of Imported that
	// it makes known. Nil says nothing of imports that are not used.
	Behind map[string][]*ast.File
	// Incomplete says that some imported file could not be found, which has been
	// told. A name that is not defined is no mistake of its own then.
	Incomplete bool
	// Elsewhere says which file, if any, that is not imported defines a name,
	// as an import of it would be written. Nil knows of none.
	Elsewhere func(name string) (path string, found bool)
	// Libraries are those that the agents of the file are to work with, later
	// ones before earlier ones. Check tells which tools they do not have, or
	// have otherwise. Nil says nothing of that.
	Libraries []*Library
	// Memo makes Check faster when it is called with one version of a file after
	// the other. Nil checks each from nothing.
	Memo *Memo
}

// Equal reports whether a file is read in one way with two options. Elsewhere and
// Memo do not count.
func (o *Options) Equal(p *Options) bool {
	return o.Strict == p.Strict && o.StrictGram == p.StrictGram && o.Incomplete == p.Incomplete &&
		slices.Equal(o.Imported, p.Imported) && maps.EqualFunc(o.Behind, p.Behind, slices.Equal) && slices.Equal(o.Libraries, p.Libraries)
}

// Check returns what is wrong with any gram file: with its records, and with
// the agents, tools and types in it, if there are any. It expects that the
// problems of parsing have been told, and is silent about what did not parse
// and about what is wrong in other files.
func Check(f *ast.File, o *Options) (problems diag.List) {
	if o != nil && o.Memo != nil {
		return o.Memo.check(f, o)
	}
	sparing(f, o, func(c *compiler) { problems = c.check(f) })
	return problems
}

func (c *compiler) check(f *ast.File) diag.List {
	c.dry = true
	agents, libraries := c.file(f)
	c.unlabelled(f)
	c.ownTypes()
	c.lint()
	c.deprecatedTools(libraries)
	c.wiring(agents)
	c.diags = slices.DeleteFunc(c.diags, c.elsewhere)
	c.diags.Sort()
	return c.diags
}

// elsewhere reports whether a diagnostic is about an imported file.
func (c *compiler) elsewhere(d *diag.Diagnostic) bool {
	return slices.ContainsFunc(c.opts.Imported, func(f *ast.File) bool { return f.Source == d.Span.File && f.Source != nil })
}

// File lowers the agents and the libraries of a file. The program is nil exactly
// when the list holds an error or the tree something that did not parse. As for
// Check, the problems of parsing come first: whoever has some should not run the
// program. The list tells of imported files what the agents use of them.
func File(f *ast.File, o *Options) (p *Program, problems diag.List) {
	sparing(f, o, func(c *compiler) { p, problems = c.program(f) })
	return p, problems
}

func (c *compiler) program(f *ast.File) (*Program, diag.List) {
	agents, libraries := c.file(f)
	switch {
	case len(agents)+len(libraries) > 0:
		c.unlabelled(f)
	case !c.broken:
		c.noAgent(f)
	}
	c.limit(agents, libraries)
	c.ownTypes()
	c.diags = append(c.diags, c.typeProblems()...)
	c.diags = unique(c.diags)
	if c.broken || c.diags.HasErrors() {
		return nil, c.diags
	}
	c.place(agents, libraries)
	return &Program{Version: Version, Types: c.usedTypes(), Agents: agents, Libraries: libraries}, c.diags
}

// Tools lowers the tools of a file, the first of each name. The list is what
// is wrong with them and with the types that they use; with an error in it, or
// where something did not parse, there are no tools.
func Tools(f *ast.File, o *Options) (tools []*Tool, problems diag.List) {
	sparing(f, o, func(c *compiler) { tools, problems = c.allTools(f) })
	return tools, problems
}

func (c *compiler) allTools(f *ast.File) ([]*Tool, diag.List) {
	c.gram(f)
	var tools []*Tool
	for _, t := range c.names.tools {
		lowered := c.tool(t)
		if same := c.names.sameName[t.Name()]; len(same) == 0 || same[0] == t.Pattern {
			tools = append(tools, lowered)
		}
	}
	c.diags = unique(append(c.diags, c.typeProblems()...))
	if c.broken || c.diags.HasErrors() {
		return nil, c.diags
	}
	return tools, c.diags
}

// LowerAgent lowers one agent of a file, with the tools and types that it has.
// The agent is nil when there is an error in the list, which is about these
// alone, or when part of them did not parse.
func LowerAgent(f *ast.File, a ast.Agent, o *Options) (lowered *Agent, problems diag.List) {
	sparing(f, o, func(c *compiler) { lowered, problems = c.oneAgent(a) })
	return lowered, problems
}

func (c *compiler) oneAgent(a ast.Agent) (*Agent, diag.List) {
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
	agent := c.agent(a)
	for _, t := range agent.Tools {
		if same := c.names.sameName[t.Name]; len(same) > 1 {
			c.redefinitions(same)
		}
	}
	c.diags = unique(append(c.diags, c.typeProblems()...))
	if c.broken || c.diags.HasErrors() {
		return nil, c.diags
	}
	return agent, c.diags
}

// unique sorts a list and takes what it tells twice out of it.
func unique(list diag.List) diag.List {
	list.Sort()
	return slices.CompactFunc(list, func(a, b *diag.Diagnostic) bool {
		return a == b || a.Span == b.Span && a.Code == b.Code && a.Message == b.Message
	})
}

// A compiler is the state of one call.
type compiler struct {
	opts      Options
	main      *ast.File
	names     *Names
	lowered   map[*ast.Pattern]*Tool // each tool once, however often it is referred to
	delivered map[delivery]bool      // what has been looked at for its provider
	told      map[*ast.Pattern]bool  // tools whose double definition has been told
	tools     []*Tool                // the lowered tools, in the order of the text
	broken    bool                   // something did not parse
	sparing   bool                   // imported types that nothing seems to use are not lowered
	missed    bool                   // one of those was asked for
	kept      map[string]keptTool    // tools of earlier versions, by their text
	noted     map[*ast.Pattern]keptTool
	dry       bool // only the problems are asked for
	diags     diag.List

	steps     int                       // taken to compare values with their types
	patterns  map[string]*regexp.Regexp // those that values were compared with
	enums     map[*byte]map[string]bool // by the first byte of their JSON
	written   *int                      // size of the schemas that were made, here and in forks
	scratch   []byte                    // the last schema
	types     namedTypes
	conflicts diag.List // types that are defined twice

	guesses   int      // how often somebody asked for a suggestion
	toolNames []string // what is suggested for a tool; made on first use
}

// newCompiler returns a compiler that has lowered all types.
func newCompiler(f *ast.File, o *Options) *compiler {
	c := prepare(f, o)
	c.lowerTypes()
	return c
}

// prepare returns a compiler that has lowered nothing yet.
func prepare(f *ast.File, o *Options) *compiler {
	c := &compiler{main: f, told: map[*ast.Pattern]bool{}, delivered: map[delivery]bool{}, written: new(int)}
	if o != nil {
		c.opts = *o
	}
	if _, problems := readImports(f); problems.HasErrors() {
		c.opts.Incomplete = true
	}
	c.names = Resolve(f, c.opts.Imported...)
	c.lowered = make(map[*ast.Pattern]*Tool, len(c.names.tools))
	return c
}

// file runs the passes over a whole file and returns its agents and libraries.
func (c *compiler) file(f *ast.File) ([]*Agent, []*Library) {
	// What holds for any gram file, agents or not.
	c.gram(f)
	c.invisible(f)
	c.header()
	// Every tool, also those that no agent has.
	for _, t := range c.names.tools {
		c.tool(t)
	}
	// Every agent, with the tools that its elements stand for.
	agents := make([]*Agent, 0, len(c.names.agents))
	for _, a := range c.names.agents {
		agents = append(agents, c.agent(a))
	}
	libraries := c.libraries()
	c.misplacedEntries(f)
	// What takes more than one of them to go wrong.
	c.duplicateAgents()
	for _, t := range c.names.tools {
		if same := c.names.sameName[t.Name()]; len(same) > 1 && same[0] == t.Pattern {
			c.redefinitions(same)
		}
	}
	c.vocabulary()
	return agents, libraries
}

// fork returns a compiler that knows the same names and types and has told
// nothing yet.
func (c *compiler) fork() *compiler {
	types := c.types
	types.used = map[*TypeDef]bool{}
	return &compiler{
		opts: c.opts, main: c.main, names: c.names, types: types,
		lowered: map[*ast.Pattern]*Tool{}, told: map[*ast.Pattern]bool{}, written: c.written,
	}
}
