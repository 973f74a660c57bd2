package diag

import (
	"fmt"
	"slices"
	"strings"
)

// An Entry is what the catalogue says of one code. "gramc explain",
// docs/diagnostics.md and the rules of SARIF reports are made from it.
//
// To add a code, add its constant to codes.go and its entry to the function of
// the catalogue that holds its neighbours, at the same place of the order, and
// run "go generate ./diag". The tests tell what is missing, and whether the
// examples show what they should.
type Entry struct {
	Code     Code
	Severity Severity // that of most of its diagnostics, and of Wrong
	Title    string   // one sentence
	// Explanation says in 1 to 4 sentences what the code means, why it
	// matters, and how to mend it.
	Explanation string
	Wrong       string // a text that has the problem, and no other
	Right       string // the same without: nothing is to be said of it
	Signature   bool   // Wrong and Right are type signatures, not files
	// Unshown says why there are no examples. Few entries have it: those of
	// problems that no short text can have.
	Unshown string
	// Peers are the codes that "gram check", the checker of the reference
	// grammar, has for the problem.
	Peers []string
}

// Catalogue returns the entries of all codes, in the order of codes.go.
func Catalogue() []Entry {
	return slices.Concat(frontEntries(), gramEntries(), agentEntries(), toolEntries(), signatureEntries(),
		typeEntries(), targetEntries(), importEntries(), libraryEntries(), lintEntries(), definitionEntries())
}

// Explain returns the entries of a code: one when it is a code of ours, those
// that correspond when it is one of "gram check", else none.
func Explain(code string) []Entry {
	all := Catalogue()
	if i := slices.IndexFunc(all, func(e Entry) bool { return string(e.Code) == code }); i >= 0 {
		return all[i : i+1]
	}
	return slices.DeleteFunc(all, func(e Entry) bool { return !slices.Contains(e.Peers, code) })
}

// Markdown returns the entry as the body of a section: everything but its
// heading.
func (e Entry) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** · %s\n\n%s\n", e.Severity, e.Title, e.Explanation)
	if len(e.Peers) > 0 {
		fmt.Fprintf(&b, "\n`gram check` calls it `%s`.\n", strings.Join(e.Peers, "`, `"))
	}
	if e.Unshown != "" {
		fmt.Fprintf(&b, "\nThere is no example: %s.\n", e.Unshown)
		return b.String()
	}
	fmt.Fprintf(&b, "\nWrong:\n\n%s\nRight:\n\n%s", fenced(e.Wrong), fenced(e.Right))
	return b.String()
}

// fenced returns text as a Markdown block, in tildes since gram has backticks.
func fenced(text string) string {
	var b strings.Builder
	b.WriteString("~~~gram\n")
	for line := range strings.Lines(text) {
		b.WriteString(Escape(strings.TrimSuffix(line, "\n")))
		b.WriteByte('\n')
	}
	b.WriteString("~~~\n")
	return b.String()
}
