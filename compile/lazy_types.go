package compile

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/scenario"
)

// This file keeps the work for a small file that imports large ones small: of
// the types of imported files only those are lowered that something may use.

// withLazyTypes runs work with a compiler that skips imported types. If one of them is
// asked for all the same, it runs work again with a compiler that skips none.
func withLazyTypes(f *ast.File, o *Options, work func(c *compiler)) {
	c := prepare(f, o)
	if f.Source != nil {
		c.Mentions = c.lazyTypeMentions
	}
	c.LowerNamedTypes()
	work(c)
	if c.Missed {
		work(newCompiler(f, o))
	}
}

// lazyTypeMentions returns the texts in which names of imported types may stand: the
// file, and the imported tools that its agents have.
func (c *compiler) lazyTypeMentions() []string {
	texts := []string{c.main.Source.Text()}
	agents := c.names.agents
	if slices.ContainsFunc(c.main.Patterns, scenario.IsTest) {
		agents = slices.Concat(agents, c.names.foreign)
		for _, a := range c.names.foreign {
			texts = append(texts, a.Span().Text())
		}
	}
	for _, a := range agents {
		for e := range a.Tools() {
			if t, ok := c.names.Tool(e); ok && c.IsImported(t.Span()) {
				texts = append(texts, t.Span().Text())
			}
		}
	}
	return texts
}
