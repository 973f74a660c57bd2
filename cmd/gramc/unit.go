package main

import (
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
)

// A unit is a parsed file with what it imports.
type unit struct {
	*workspace.Unit
	libraries []*library.Library // that its agents are to work with
}

// load reads an input and what it imports. The error says that the input
// cannot be read.
func (c *cli) load(in input) (*unit, error) {
	file, problems, err := c.parse(in)
	if err != nil {
		return nil, err
	}
	return &unit{Unit: c.workspace.Add(file.Source.Name(), file, problems)}, nil
}

// options returns how the unit is checked.
func (u *unit) options(how *strictness) *compile.Options {
	o := how.options()
	o.Libraries = u.libraries
	return u.Options(*o)
}

// examine returns all problems of the file, those of parsing included.
func (u *unit) examine(how *strictness) diag.List {
	return how.judge(workspace.Examine(u.File, u.Problems, u.options(how)))
}

// examineAll is examine for the file, and for the errors of all that it imports.
func (u *unit) examineAll(how *strictness) diag.List {
	all := u.examine(how)
	for _, imported := range u.Imports() {
		for _, d := range (&unit{Unit: imported}).examine(how) {
			if d.Severity == diag.Error {
				all = append(all, d)
			}
		}
	}
	return all
}
