package diag

import (
	"fmt"

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
	Secret   bool      // what stands at Span is a secret, which no excerpt of the file shows
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

// MarkSecret says that what stands at the span of d is a secret, and returns d.
func (d *Diagnostic) MarkSecret() *Diagnostic {
	d.Secret = true
	return d
}

// MarkSafe marks the fix that was added last as safe and returns d.
func (d *Diagnostic) MarkSafe() *Diagnostic {
	d.Fixes[len(d.Fixes)-1].Safe = true
	return d
}

// Same reports whether two diagnostics say the same of the same place.
func (d *Diagnostic) Same(e *Diagnostic) bool {
	return d == e || d.Span == e.Span && d.Code == e.Code && d.Message == e.Message
}

// MaxPerList is the number of diagnostics that Limit keeps.
const MaxPerList = 100

// String returns "file:line:column: code: message".
func (d *Diagnostic) String() string {
	return fmt.Sprintf("%s: %s: %s", d.Span, d.Code, d.Message)
}
