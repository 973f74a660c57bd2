package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/source"
)

// A Severity says how bad a diagnostic is. The numbers are those of the
// language server protocol; zero is invalid.
type Severity uint8

// The severities, from the worst. Only an Error makes a file unusable.
const (
	Error Severity = iota + 1
	Warning
	Info
	Hint
)

// String returns "error", "warning", "information" or "hint".
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Info:
		return "information"
	case Hint:
		return "hint"
	}
	panic(fmt.Sprintf("diag: severity %d", uint8(s)))
}

// A Diagnostic is one thing that the author of a file should know.
type Diagnostic struct {
	Span     source.Span // the smallest span that shows the problem
	Code     Code
	Severity Severity
	Message  string    // one line, lower case, no final period
	Related  []Related // other places that belong to the problem
	Fixes    []Fix     // alternatives, the best first
}

// Related is a second place, such as where a name was first defined.
type Related struct {
	Span    source.Span
	Message string
}

// A Fix is one way to mend the problem; its edits do not overlap.
type Fix struct {
	Title string // a verb phrase: `write "::Text"`
	Edits []Edit
	// Safe says that nobody would mend it otherwise, so that a program may do
	// it without asking. At most one fix of a diagnostic is safe, the first.
	Safe bool
}

// An Edit replaces the text of Span by NewText.
type Edit struct {
	Span    source.Span
	NewText string
}

// Relate adds a related place and returns d.
func (d *Diagnostic) Relate(s source.Span, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Related{s, fmt.Sprintf(format, args...)})
	return d
}

// Fix adds a one-edit fix, which replaces the text of s, and returns d.
func (d *Diagnostic) Fix(title string, s source.Span, newText string) *Diagnostic {
	d.Fixes = append(d.Fixes, Fix{Title: title, Edits: []Edit{{s, newText}}})
	return d
}

// MarkSafe marks the fix that was added last as safe and returns d.
func (d *Diagnostic) MarkSafe() *Diagnostic {
	d.Fixes[len(d.Fixes)-1].Safe = true
	return d
}

// A List is the diagnostics of one file or one run of a phase. It is not an
// error itself: see Err.
type List []*Diagnostic

// Errorf appends an Error and returns it.
func (l *List) Errorf(s source.Span, c Code, format string, args ...any) *Diagnostic {
	return l.add(Error, s, c, format, args)
}

// Warnf appends a Warning and returns it.
func (l *List) Warnf(s source.Span, c Code, format string, args ...any) *Diagnostic {
	return l.add(Warning, s, c, format, args)
}

// Infof appends an Info and returns it.
func (l *List) Infof(s source.Span, c Code, format string, args ...any) *Diagnostic {
	return l.add(Info, s, c, format, args)
}

// Hintf appends a Hint and returns it.
func (l *List) Hintf(s source.Span, c Code, format string, args ...any) *Diagnostic {
	return l.add(Hint, s, c, format, args)
}

func (l *List) add(sev Severity, s source.Span, c Code, format string, args []any) *Diagnostic {
	d := &Diagnostic{Span: s, Code: c, Severity: sev, Message: fmt.Sprintf(format, args...)}
	*l = append(*l, d)
	return d
}

// HasErrors reports whether any diagnostic is an Error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d *Diagnostic) bool { return d.Severity == Error })
}

// Sort orders the list by file name, place, severity and code, keeping the
// order of equals.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b *Diagnostic) int {
		return cmp.Or(
			cmp.Compare(fileName(a), fileName(b)),
			cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Code, b.Code),
		)
	})
}

func fileName(d *Diagnostic) string {
	if d.Span.File == nil {
		return ""
	}
	return d.Span.File.Name()
}

// MaxPerList is the number of diagnostics that Limit keeps.
const MaxPerList = 100

// Limit returns the list cut to its first MaxPerList entries, errors kept
// before anything milder, and one last entry that says how many were left out.
func (l List) Limit() List {
	if len(l) <= MaxPerList || l[len(l)-1].Code == CodeTooManyErrors {
		return l
	}
	kept := slices.Clone(l)
	slices.SortStableFunc(kept, func(a, b *Diagnostic) int { return cmp.Compare(a.Severity, b.Severity) })
	rest := kept[MaxPerList:]
	kept = kept[:MaxPerList:MaxPerList]
	kept.Sort()
	kept.add(rest[0].Severity, rest[0].Span, CodeTooManyErrors, "and %d more", []any{len(rest)})
	return kept
}

// Err returns nil when the list holds no error, and else an error that shows
// every error of the list and gives the list back to FromError.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return &listError{l}
}

// FromError returns the list that an error of Err carries.
func FromError(err error) (List, bool) {
	var e *listError
	if errors.As(err, &e) {
		return e.list, true
	}
	return nil, false
}

type listError struct{ list List }

func (e *listError) Error() string {
	var lines []string
	for _, d := range e.list.Limit() {
		if d.Severity == Error {
			lines = append(lines, d.String())
		}
	}
	return strings.Join(lines, "\n")
}

// String returns "file:line:column: code: message".
func (d *Diagnostic) String() string {
	return fmt.Sprintf("%s: %s: %s", d.Span, d.Code, d.Message)
}
