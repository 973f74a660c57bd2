package main

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

// A fixing is what the safe fixes made of a text.
type fixing struct {
	before, after string // the text; the same where nothing was fixed
	fixed         int    // fixes that were made
	refused       bool   // making more of them would have made it worse
}

// maxRounds is how often a text is mended and checked again: a fix may bring
// another problem to light, or two may touch.
const maxRounds = 10

// mend makes the safe fixes of a text until there are no more, and returns the
// problems that are left.
func (k *checker) mend(src *source.File, problems diag.List) (fixing, diag.List) {
	f := fixing{before: src.Text(), after: src.Text()}
	for range maxRounds {
		text, applied := diag.Apply(f.after, problems.SafeFixes())
		if len(applied) == 0 {
			break
		}
		file, left := grammar.Parse(src.Name(), text)
		left, _ = k.examine(&unit{Unit: k.workspace.Add(src.Name(), file, left)})
		if worse(left, problems) {
			f.refused = true
			break
		}
		problems = left
		f.after, f.fixed = text, f.fixed+len(applied)
	}
	return f, problems
}

// worse reports whether a text has got more errors. What parses at last may
// show other errors, which nobody could see before: as long as the mistakes of
// syntax get fewer, these do not count.
func worse(now, before diag.List) bool {
	if a, b := syntaxErrors(now), syntaxErrors(before); a != b {
		return a > b
	}
	return count(now, diag.Error) > count(before, diag.Error)
}

func syntaxErrors(list diag.List) int {
	n := 0
	for _, d := range list {
		if d.Code == diag.CodeSyntax && d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// deliver writes the mended text to where it belongs, or shows the change.
func (k *checker) deliver(m *checked) error {
	switch {
	case k.diff:
		change := diff.Diff(m.name, []byte(m.before), m.name, []byte(m.after))
		_, err := k.out.WriteString(clean(string(change)))
		return err
	case k.fix && m.toStdout():
		_, err := k.out.WriteString(m.after)
		return err
	case k.fix && m.after != m.before:
		return writeFile(m.name, []byte(m.after))
	}
	return nil
}

// sayFixed tells people what --fix did to a file.
func (k *checker) sayFixed(m *checked) {
	if m.refused {
		k.note(m.name + ": other fixes would leave more errors than there were; they are not made")
	}
	choices := 0
	for _, d := range m.problems {
		if len(d.Fixes) > 0 && !d.Fixes[0].Safe {
			choices++
		}
	}
	if k.diff || !k.fix || m.fixed+choices == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "fixed %d of %s in %s", m.fixed, counted(m.fixed+len(m.problems), "problem"), m.name)
	switch {
	case choices == 1:
		b.WriteString("; one more has a fix that is a matter of choice")
	case choices > 1:
		fmt.Fprintf(&b, "; %d more have a fix that is a matter of choice", choices)
	}
	k.note(b.String())
}
