package main

import (
	"slices"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/interp"
)

// saidOf returns what is said of an example: by check, and where that says
// nothing, by a run.
func saidOf(e diag.Entry, text string) diag.List {
	if e.Signature {
		_, problems := types.ParseTypeSignature(text)
		return problems
	}
	file, problems := grammar.Parse("example", text)
	problems = append(problems, compile.Check(file, nil)...)
	if len(problems) == 0 {
		_, problems = interp.Load(file, "", interp.ModeAuto, nil)
	}
	return problems
}

func TestExamplesOfTheCatalogueShowTheirCodes(t *testing.T) {
	for _, e := range diag.Catalogue() {
		if e.Unshown != "" {
			continue
		}
		said := saidOf(e, e.Wrong)
		if !slices.ContainsFunc(said, func(d *diag.Diagnostic) bool { return d.Code == e.Code && d.Severity == e.Severity }) {
			t.Errorf("%s: the wrong example has no %s of this code: %v", e.Code, e.Severity, said)
		}
		for _, d := range said {
			if d.Code != e.Code {
				t.Errorf("%s: the wrong example has another problem: %v", e.Code, d)
			}
		}
		file, problems := grammar.Parse("example", e.Right)
		if e.Signature {
			_, problems = types.ParseTypeSignature(e.Right)
		} else {
			problems = append(problems, compile.Check(file, nil)...)
		}
		for _, d := range problems {
			if d.Severity <= diag.Warning {
				t.Errorf("%s: the right example has a problem: %v", e.Code, d)
			}
		}
	}
}
