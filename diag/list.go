package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/source"
)

// A List holds the diagnostics of one file or one run of a phase. It is not an
// error itself: see [List.Err].
type List []*Diagnostic

// SafeFixes returns the fixes that a program can apply without asking.
func (l List) SafeFixes() []Fix {
	var safe []Fix
	for _, d := range l {
		if len(d.Fixes) > 0 && d.Fixes[0].Safe {
			safe = append(safe, d.Fixes[0])
		}
	}
	return safe
}

// BetterThan reports whether a text has fewer errors than before, or as many and
// fewer problems.
func (l List) BetterThan(before List) bool {
	errors := func(l List) (n int) {
		for _, d := range l {
			if d.Severity == Error {
				n++
			}
		}
		return n
	}
	return cmp.Or(cmp.Compare(errors(l), errors(before)), cmp.Compare(len(l), len(before))) < 0
}

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
// has every Error of the list. [ListFromError] returns the list.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return &listError{l}
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

// ListFromError returns the list of an error that [List.Err] returned.
func ListFromError(err error) (List, bool) {
	var e *listError
	if errors.As(err, &e) {
		return e.list, true
	}
	return nil, false
}
