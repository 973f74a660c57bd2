package compile

import (
	"regexp"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

// A scope is what type expressions of a file can refer to.
type scope struct {
	file          *ast.File                                  // the file being checked
	imported      []*ast.File                                // the files that it imports, directly or not
	types         []*ast.Pattern                             // the named types of all of them
	graph         bool                                       // the file has no agents, tools or libraries, so a label Type may mean something else
	mentions      func() []string                            // the texts that may mention an imported type; nil lowers all types
	incomplete    bool                                       // an import is missing, so an unknown name may be defined there
	strict        bool                                       // a parameter without a name is an error
	dry           bool                                       // only the problems are asked for; no schemas are kept
	suggestImport func(d *diag.Diagnostic, name string) bool // adds to a diagnostic which other file defines a name; nil = none does
}

// A checker lowers the types of a file and compares values with them.
type checker struct {
	*reporter
	scope
	named     namedTypes
	conflicts diag.List // types that are defined twice
	missed    bool      // a type that was not lowered was asked for

	steps    int                       // taken to compare values with their types
	patterns map[string]*regexp.Regexp // those that values were compared with
	enums    map[*byte]map[string]bool // by the first byte of their JSON
	written  *int                      // size of the schemas that were made, here and in forks
	scratch  []byte                    // the last schema
}

// newChecker returns a checker that has lowered no types yet.
func newChecker(s scope, r *reporter) *checker {
	return &checker{reporter: r, scope: s, written: new(int)}
}

// fork returns a checker that knows the same types and has reported nothing yet.
func (c *checker) fork() *checker {
	named := c.named
	named.used = map[*TypeDef]bool{}
	return &checker{reporter: &reporter{}, scope: c.scope, named: named, written: c.written}
}

// isImported reports whether a span is in an imported file.
func (c *checker) isImported(s source.Span) bool {
	return s.File != nil && s.File != c.file.Source &&
		slices.ContainsFunc(c.imported, func(f *ast.File) bool { return f.Source == s.File })
}

// conflict returns where to tell of two definitions, of which the second may
// stand in an imported file, and both may: then it is the import.
func (c *checker) conflict(first, second source.Span) (at, other source.Span) {
	switch {
	case !c.isImported(second):
		return second, first
	case !c.isImported(first):
		return first, second
	}
	if p := c.file.Header.Get("import"); p != nil {
		return p.Span(), second
	}
	return second, first
}

// maxProgram is the size to which a program may grow when it is written out,
// each agent with all its tools: what can be read back.
const maxProgram = grammar.MaxSize
