package types

import (
	"regexp"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// A Scope is what type expressions of a file can refer to.
type Scope struct {
	File          *ast.File                                  // the file being checked
	Imported      []*ast.File                                // the files that it imports, directly or not
	Types         []*ast.Pattern                             // the named types of all of them
	Graph         bool                                       // the file has no agents, tools or libraries, so a label Type may mean something else
	Mentions      func() []string                            // the texts that may mention an imported type; nil lowers all types
	Incomplete    bool                                       // an import is missing, so an unknown name may be defined there
	Unlinked      bool                                       // the imports are not known
	Strict        bool                                       // a parameter without a name is an error
	Dry           bool                                       // only the problems are asked for; no schemas are kept
	Mislabelled   func(name string) bool                     // reports that a name was meant to be a type, but is labelled otherwise
	SuggestImport func(d *diag.Diagnostic, name string) bool // adds to a diagnostic which other file defines a name; nil = none does
}

// A Checker lowers the types of a file and compares values with them.
type Checker struct {
	*report.Reporter
	Scope
	Named     NamedTypes
	Conflicts diag.List // types that are defined twice
	Missed    bool      // a type that was not lowered was asked for

	steps   int                       // taken to compare values with their types
	regexps map[string]*regexp.Regexp // those that values were compared with
	enums   map[*byte]map[string]bool // by the first byte of their RawJSON
	valid   map[string]bool           // patterns that were found valid
	written int                       // size of the schemas that were made
	scratch []byte                    // the last schema
	types   pool[Type]
	params  pool[Param]
}

// A pool allocates many values at a time.
type pool[T any] struct {
	left []T
	made int
}

// How many values are allocated at a time, at least and at most: of types, Go has room
// for 48 without a remainder.
const (
	minPool = 4
	maxPool = 48
)

func (p *pool[T]) take() *T {
	if len(p.left) == 0 {
		n := min(max(p.made/2, minPool), maxPool) // at most a third stays unused
		p.left, p.made = make([]T, n), p.made+n
	}
	taken := &p.left[0]
	p.left = p.left[1:]
	return taken
}

// NewChecker returns a checker that has lowered no types yet.
func NewChecker(s Scope, r *report.Reporter) *Checker {
	return &Checker{Reporter: r, Scope: s}
}

// Fork returns a checker that knows the same types and has reported nothing yet.
func (c *Checker) Fork() *Checker {
	named := c.Named
	named.Used = map[*TypeDef]bool{}
	return &Checker{Reporter: &report.Reporter{}, Scope: c.Scope, Named: named}
}

// IsImported reports whether a span is in an imported file.
func (c *Checker) IsImported(s source.Span) bool {
	return s.File != nil && s.File != c.File.Source &&
		slices.ContainsFunc(c.Imported, func(f *ast.File) bool { return f.Source == s.File })
}

// IsLikelyImported reports whether a name that is not defined is likely to be defined
// by an import that cannot be read.
func (c *Checker) IsLikelyImported(name string) bool {
	return c.Unlinked || c.Incomplete && c.SuggestImport != nil && c.SuggestImport(&diag.Diagnostic{}, name)
}

// MayBeImported makes a warning of an error about an unknown name, which an import that
// cannot be read may define.
func (c *Checker) MayBeImported(d *diag.Diagnostic) {
	d.Severity = diag.Warning
	d.Message += ", unless the import that cannot be read defines it"
}

// Conflict returns where to report of two definitions, of which the second may
// stand in an imported file, and both may: then it is the import.
func (c *Checker) Conflict(first, second source.Span) (at, other source.Span) {
	switch {
	case !c.IsImported(second):
		return second, first
	case !c.IsImported(first):
		return first, second
	}
	if p := c.File.Header.Get("import"); p != nil {
		return p.Span(), second
	}
	return second, first
}

// MaxProgram is the size to which a program may grow when it is written out,
// each agent with all its tools: what can be read back.
const MaxProgram = grammar.MaxSize
