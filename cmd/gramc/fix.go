package main

import (
	"fmt"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

// A fixing is a text before and after its safe fixes.
type fixing struct {
	before, after string // the text; the same where nothing was fixed
	fixed         int    // fixes that were made
	refused       bool   // more fixes would have left more errors
}

// applyFixes makes the safe fixes of a text until there are no more, and returns
// the remaining problems.
func (k *checker) applyFixes(src *source.File, problems diag.List) (fixing, diag.List) {
	f := diag.ApplySafe(src.Text(), problems, func(text string) diag.List {
		file, left := grammar.Parse(src.Name(), text)
		left, _ = k.examineWithLibraries(k.workspace.Add(src.Name(), file, left))
		return left
	})
	return fixing{before: src.Text(), after: f.Text, fixed: f.Applied, refused: f.Refused}, f.Problems
}

// deliverFixed writes the fixed text to its file or to standard output, or shows the
// change.
func (k *checker) deliverFixed(m *checked) error {
	switch {
	case k.diff:
		change := diff.Diff(m.name, []byte(m.before), m.name, []byte(m.after))
		return k.writeText(string(change))
	case k.fix && m.toStdout():
		return k.writeText(m.after)
	case k.fix && m.after != m.before:
		return writeFile(m.name, []byte(m.after))
	}
	return nil
}

// noteFixed reports what --fix did to a file.
func (k *checker) noteFixed(m *checked) {
	if m.refused {
		k.note(m.name + ": other fixes would leave more errors and are not made")
	}
	choices := countProblems(m.problems, func(d *diag.Diagnostic) bool { return len(d.Fixes) > 0 && !d.Fixes[0].Safe })
	if k.diff || !k.fix || m.fixed+choices == 0 {
		return
	}
	text := fmt.Sprintf("fixed %d of %s in %s", m.fixed, counted(m.fixed+len(m.problems), "problem"), m.name)
	switch {
	case choices == 1:
		text += "; one more has a fix to choose"
	case choices > 1:
		text += fmt.Sprintf("; %d more have a fix to choose", choices)
	}
	k.note(text)
}
