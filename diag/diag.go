package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/source"
)

// A Severity is the importance of a diagnostic. The numbers are those of the
// language server protocol; zero is invalid.
type Severity uint8

// The severities in decreasing order. Only an Error makes a file unusable.
const (
	Error Severity = iota + 1
	Warning
	Info
	Hint
)

// String returns "error", "warning", "information" or "hint".
func (s Severity) String() string {
	return [...]string{Error: "error", Warning: "warning", Info: "information", Hint: "hint"}[s]
}

// A Diagnostic is one message to the author of a file.
type Diagnostic struct {
	Span     source.Span // the smallest span that shows the problem
	Code     Code
	Severity Severity
	Message  string    // one line, lower case, no final period
	Related  []Related // other spans that belong to the problem
	Fixes    []Fix     // alternatives, the best first
}

// Related is a second span, such as the first definition of a name.
type Related struct {
	Span    source.Span
	Message string
}

// A Fix is one way to fix the problem; its edits do not overlap.
type Fix struct {
	Title string // a verb phrase: `write "::Text"`
	Edits []Edit
	// Safe means that this is the only reasonable fix, so that a program can
	// apply it without asking. Only the first fix of a diagnostic can be safe.
	Safe bool
}

// An Edit replaces the text of Span by NewText.
type Edit struct {
	Span    source.Span
	NewText string
}

// Relate adds a related span and returns d.
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

// A List holds the diagnostics of one file or one run of a phase. It is not an
// error itself: see [List.Err].
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

// Sort orders the list by file name, start, severity and code. It is stable.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b *Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Span.File.Name(), b.Span.File.Name()),
			cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Code, b.Code),
		)
	})
}

// Unique sorts the list and returns it without repetitions.
func (l List) Unique() List {
	l.Sort()
	return slices.CompactFunc(l, (*Diagnostic).Same)
}

// Same reports whether two diagnostics say the same of the same place.
func (d *Diagnostic) Same(e *Diagnostic) bool {
	return d == e || d.Span == e.Span && d.Code == e.Code && d.Message == e.Message
}

// MaxPerList is the number of diagnostics that Limit keeps.
const MaxPerList = 100

// Limit returns at most MaxPerList entries of the list, the most severe ones,
// and one last entry with the number of the others.
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

// Err returns nil when the list has no Error, and otherwise an error whose text
// has every Error of the list. [FromError] returns the list.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return &listError{l}
}

// FromError returns the list of an error that [List.Err] returned.
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
