package compile

import (
	"maps"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/internal/lint"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/scenario"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/report"
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
	// ReachableFrom holds, for each path that the file imports, those of Imported that
	// it makes known. Nil reports no unused imports.
	ReachableFrom map[string][]*ast.File
	// Incomplete says that some imported file could not be found, which has been
	// reported. That a name is not defined is a warning then, and not reported of a
	// name that another file of the project defines.
	Incomplete bool
	// Unlinked says that the imports of the file are not known. Nothing is reported
	// of a name that is not defined.
	Unlinked bool
	// Elsewhere says which file, if any, that is not imported defines a name,
	// as an import of it would be written. Nil knows of none.
	Elsewhere func(name string) (path string, found bool)
	// Libraries are those that the agents of the file are to work with, later
	// ones before earlier ones. Check reports which tools they do not have, or
	// have otherwise. Nil does not restrict that.
	Libraries []*library.Library
	// Models are the providers and models that are known; nil means the built-in table.
	Models *models.Table
}

// Equal reports whether a file is read in one way with two options. Elsewhere does
// not count.
func (o *Options) Equal(p *Options) bool {
	return o.Strict == p.Strict && o.StrictGram == p.StrictGram && o.Models == p.Models && o.Incomplete == p.Incomplete && o.Unlinked == p.Unlinked &&
		slices.Equal(o.Imported, p.Imported) && maps.EqualFunc(o.ReachableFrom, p.ReachableFrom, slices.Equal) && slices.Equal(o.Libraries, p.Libraries)
}

// Check returns what is wrong with any gram file: with its records, and with
// the agents, tools and types in it, if there are any. It expects that the
// problems of parsing are already reported, and is silent about what did not parse
// and about what is wrong in other files, unless the provider of an agent refuses it.
func Check(f *ast.File, o *Options) (problems diag.List) {
	withLazyTypes(f, o, func(c *compiler) { problems = c.check(f) })
	return problems
}

func (c *compiler) check(f *ast.File) diag.List {
	c.Dry = true
	agents, libraries := c.lowerFile(f)
	c.unlabelledAgents(f)
	c.AppendOwnNamedTypes()
	c.addHints(agents)
	c.hintDeprecatedTools(libraries)
	c.fitLibraries(agents)
	c.scenarios(f, agents)
	c.Diags = slices.DeleteFunc(c.Diags, c.elsewhere)
	c.Diags.Sort()
	return c.Diags
}

// elsewhere reports whether a diagnostic is about an imported file, whose own check
// reports it. What a provider refuses is known only where the agent is.
func (c *compiler) elsewhere(d *diag.Diagnostic) bool {
	return d.Code != diag.CodeTargetRefuses && slices.ContainsFunc(c.opts.Imported, func(f *ast.File) bool { return f.Source == d.Span.File && f.Source != nil })
}

// File lowers the agents and the libraries of a file. The program is nil exactly
// when the list holds an error or the tree something that did not parse. As for
// Check, the problems of parsing come first: whoever has some should not run the
// program. Of imported files it reports only what the agents use.
func File(f *ast.File, o *Options) (p *Program, problems diag.List) {
	withLazyTypes(f, o, func(c *compiler) { p, problems = c.program(f) })
	return p, problems
}

func (c *compiler) program(f *ast.File) (*Program, diag.List) {
	agents, libraries := c.lowerFile(f)
	switch {
	case len(agents)+len(libraries) > 0:
		c.unlabelledAgents(f)
	case !c.Broken:
		c.noAgent(f)
	}
	c.limitProgram(agents, libraries)
	c.AppendOwnNamedTypes()
	c.Diags = append(c.Diags, c.NamedTypeProblems()...)
	c.Diags = c.Diags.Unique()
	if c.Broken || c.Diags.HasErrors() {
		return nil, c.Diags
	}
	c.setPlaces(agents, libraries)
	return &Program{Version: Version, Types: c.UsedNamedTypes(), Agents: agents, Libraries: libraries}, c.Diags
}

// Tools lowers the tools of a file, the first of each name. The list is what
// is wrong with them and with the types that they use; with an error in it, or
// where something did not parse, there are no tools.
func Tools(f *ast.File, o *Options) (tools []*Tool, problems diag.List) {
	withLazyTypes(f, o, func(c *compiler) { tools, problems = c.allTools(f) })
	return tools, problems
}

func (c *compiler) allTools(f *ast.File) ([]*Tool, diag.List) {
	c.lintNode(f)
	var tools []*Tool
	for _, t := range c.names.tools {
		lowered := c.lowerToolOnce(t)
		if same := c.names.sameName[t.Name()]; len(same) == 0 || same[0] == t.Pattern {
			tools = append(tools, lowered)
		}
	}
	c.Diags = append(c.Diags, c.NamedTypeProblems()...).Unique()
	if c.Broken || c.Diags.HasErrors() {
		return nil, c.Diags
	}
	return tools, c.Diags
}

// Types lowers the named types of a file, in the order of the text. The list is
// what is wrong with them; with an error in it there are no types.
func Types(f *ast.File, o *Options) ([]*types.Type, diag.List) {
	c := newCompiler(f, o)
	var list []*types.Type
	for _, p := range c.names.types {
		if d := c.NamedType(p.Identity()); d != nil && d.Pattern == p && p.Span().File == f.Source {
			list = append(list, &types.Type{Def: d, Name: d.Name, Span: report.NameSpan(p)})
		}
	}
	c.Diags = append(c.Diags, c.NamedTypeProblems()...).Unique()
	if c.Broken || c.Diags.HasErrors() {
		return nil, c.Diags
	}
	return list, c.Diags
}

func (c *compiler) oneAgent(a ast.Agent) (*Agent, diag.List) {
	c.lintNode(a.Pattern)
	for e := range a.Tools() {
		t, ok := c.names.Tool(e)
		if _, done := c.lowered[t.Pattern]; !ok || done {
			continue
		}
		if t.Pattern != e {
			c.lintNode(t.Pattern)
		}
		c.lowerToolOnce(t)
	}
	agent := c.lowerAgent(a)
	for _, t := range agent.Tools {
		if same := c.names.sameName[t.Name]; len(same) > 1 {
			c.duplicateTools(same)
		}
	}
	c.Diags = append(c.Diags, c.NamedTypeProblems()...).Unique()
	if c.Broken || c.Diags.HasErrors() {
		return nil, c.Diags
	}
	return agent, c.Diags
}

// A compiler is the state of one call.
type compiler struct {
	*types.Checker
	libraries   *library.Lowerer
	opts        Options
	main        *ast.File
	names       *Names
	lowered     map[*ast.Pattern]*Tool             // each tool once, however often it is referred to
	elements    map[*Agent]map[string]*ast.Pattern // those of an agent by the names of the tools; nil if one of them is no tool
	deprecated  bool                               // some lowered tool is
	delivered   map[delivery]bool                  // what has been looked at for its provider
	reported    map[*ast.Pattern]bool              // tools whose double definition is already reported
	mislabelled map[*ast.Pattern]bool              // patterns whose misspelt label is already reported
	tools       []*Tool                            // the lowered tools, in the order of the text
	toolNames   []string                           // what is suggested for a tool; made on first use
	searched    map[string]string                  // names that were searched in other files, and the file of each, "" for none
}

// newCompiler returns a compiler that has lowered all types.
func newCompiler(f *ast.File, o *Options) *compiler {
	c := prepare(f, o)
	c.LowerNamedTypes()
	return c
}

// prepare returns a compiler that has lowered nothing yet.
func prepare(f *ast.File, o *Options) *compiler {
	c := &compiler{main: f, reported: map[*ast.Pattern]bool{}, mislabelled: map[*ast.Pattern]bool{}, delivered: map[delivery]bool{}, searched: map[string]string{}}
	if o != nil {
		c.opts = *o
	}
	if _, problems := readImports(f); problems.HasErrors() {
		c.opts.Incomplete = true
	}
	c.names = ResolveNames(f, c.opts.Imported...)
	c.Checker = types.NewChecker(types.Scope{
		File: f, Imported: c.opts.Imported, Types: c.names.types,
		Graph:      len(c.names.agents)+len(c.names.tools)+len(c.names.libraries) == 0,
		Incomplete: c.opts.Incomplete, Unlinked: c.opts.Unlinked, Strict: c.opts.Strict,
	}, &report.Reporter{})
	c.Mislabelled = c.reportTypeLabel
	if c.opts.Elsewhere != nil {
		c.SuggestImport = c.addImport
	}
	c.libraries = &library.Lowerer{Checker: c.Checker}
	c.lowered = make(map[*ast.Pattern]*Tool, len(c.names.tools))
	c.elements = make(map[*Agent]map[string]*ast.Pattern, len(c.names.agents))
	return c
}

func (c *compiler) linter() *lint.Linter {
	return &lint.Linter{Reporter: c.Reporter, Strict: c.opts.StrictGram, HasOwnRules: func(p *ast.Pattern) bool { return library.HasOwnRules(p) || scenario.IsTest(p) }}
}

// lintNode checks what holds for any gram file.
func (c *compiler) lintNode(n ast.Node) { c.linter().Node(n) }

// lowerFile runs the passes over a whole file and returns its agents and libraries.
func (c *compiler) lowerFile(f *ast.File) ([]*Agent, []*library.Library) {
	// What holds for any gram file, agents or not.
	c.lintNode(f)
	c.linter().Invisible(f)
	c.checkImportHeader()
	// Every tool, also those that no agent has.
	for _, t := range c.names.tools {
		c.lowerToolOnce(t)
	}
	// Every agent, with the tools that its elements stand for.
	agents := make([]*Agent, 0, len(c.names.agents))
	for _, a := range c.names.agents {
		agents = append(agents, c.lowerAgent(a))
	}
	libraries := c.libraries.Libraries(c.names.libraries)
	c.libraries.Misplaced(f, c.names.agents)
	c.definedProviders(f)
	// What takes more than one of them to go wrong.
	c.duplicateAgents()
	for _, t := range c.names.tools {
		if same := c.names.sameName[t.Name()]; len(same) > 1 && same[0] == t.Pattern {
			c.duplicateTools(same)
		}
	}
	c.unusedLabels()
	c.hintInconsistentParameters(agents)
	return agents, libraries
}

// Libraries lowers the libraries of a file. The list is what is wrong with
// them and with the types that they use; with an error in it, or where
// something did not parse, there are no libraries. A file without a library is
// an error too. Libraries of imported files do not count.
func Libraries(f *ast.File, o *Options) ([]*library.Library, diag.List) {
	c := newCompiler(f, o)
	c.names.libraries = slices.DeleteFunc(slices.Clone(f.Patterns), func(p *ast.Pattern) bool { return !library.HasLibraryLabel(p) })
	for _, p := range c.names.libraries {
		c.lintNode(p)
	}
	libraries := c.libraries.Libraries(c.names.libraries)
	if len(libraries) == 0 {
		c.libraries.ReportMissing(f)
	}
	c.Diags = append(c.Diags, c.NamedTypeProblems()...).Unique()
	if c.Broken || c.Diags.HasErrors() {
		return nil, c.Diags
	}
	c.setPlaces(nil, libraries)
	return libraries, c.Diags
}
