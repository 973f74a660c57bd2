package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A report is the JSON form of diagnostics. It is that of "gram check", version
// 1, with the additional members "related" and "fixes".
type report struct {
	SchemaVersion int          `json:"schema_version"`
	Tool          string       `json:"tool"`
	Files         []fileReport `json:"files"`
}

type fileReport struct {
	Path        string    `json:"path"`
	Diagnostics []finding `json:"diagnostics"`
}

type finding struct {
	Severity string        `json:"severity"`
	Message  string        `json:"message"`
	Range    textRange     `json:"range"`
	Code     diag.Code     `json:"code"`
	Related  []relatedJSON `json:"related,omitempty"`
	Fixes    []fixJSON     `json:"fixes,omitempty"`
}

type relatedJSON struct {
	Path    string    `json:"path,omitempty"` // of another file
	Message string    `json:"message"`
	Range   textRange `json:"range"`
}

type fixJSON struct {
	Title string     `json:"title"`
	Safe  bool       `json:"safe"` // check --fix applies it
	Edits []editJSON `json:"edits"`
}

type editJSON struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

type textRange struct {
	Start textPosition `json:"start"`
	End   textPosition `json:"end"`
}

type textPosition struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// jsonReport returns the report of files.
func jsonReport(files []fileProblems) *report {
	r := &report{SchemaVersion: 1, Tool: "gramc/" + version(), Files: make([]fileReport, len(files))}
	for i, f := range files {
		r.Files[i] = fileReport{Path: f.name, Diagnostics: []finding{}}
		for _, d := range f.problems.Limit() {
			r.Files[i].Diagnostics = append(r.Files[i].Diagnostics, findingOf(f.name, d))
		}
	}
	return r
}

func findingOf(file string, d *diag.Diagnostic) finding {
	f := finding{Severity: d.Severity.String(), Message: d.Message, Range: rangeOf(d.Span), Code: d.Code}
	for _, related := range d.Related {
		r := relatedJSON{Message: related.Message, Range: rangeOf(related.Span)}
		if name := fileOf(related.Span, file); name != file {
			r.Path = name
		}
		f.Related = append(f.Related, r)
	}
	for _, fix := range d.Fixes {
		j := fixJSON{Title: fix.Title, Safe: fix.Safe}
		for _, e := range fix.Edits {
			j.Edits = append(j.Edits, editJSON{rangeOf(e.Span), e.NewText})
		}
		f.Fixes = append(f.Fixes, j)
	}
	return f
}

func rangeOf(s source.Span) textRange {
	var t textRange
	if !s.IsZero() {
		t.Start.Line, t.Start.Character = s.File.UTF16(s.Start)
		t.End.Line, t.End.Character = s.File.UTF16(s.End)
	}
	return t
}

// fileOf returns the name of the file of a span, or of the checked file for the
// zero span.
func fileOf(s source.Span, checked string) string {
	if s.IsZero() {
		return checked
	}
	return s.File.Name()
}

// writeAnnotations writes the workflow commands of GitHub Actions that annotate
// the lines of a change. What could not be read is on standard error.
func writeAnnotations(w io.Writer, files []fileProblems) error {
	for _, f := range files {
		for _, d := range f.problems.Limit() {
			if _, err := fmt.Fprintln(w, annotation(f.name, d)); err != nil {
				return err
			}
		}
	}
	return nil
}

func annotation(file string, d *diag.Diagnostic) string {
	command := map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice", diag.Hint: "notice"}[d.Severity]
	place := "file=" + escapeProperty(fileOf(d.Span, file))
	if s := d.Span; !s.IsZero() {
		start, end := s.Pos(), s.File.Position(s.End)
		place += fmt.Sprintf(",line=%d,endLine=%d", start.Line, end.Line)
		if start.Line == end.Line { // else columns are refused
			place += fmt.Sprintf(",col=%d,endColumn=%d", start.Column, end.Column)
		}
	}
	return fmt.Sprintf("::%s %s,title=%s::%s", command, place, escapeProperty(string(d.Code)), escapeCommand(diag.Escape(d.Message)))
}

// escapeCommand returns text as the message of a workflow command.
func escapeCommand(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// escapeProperty returns text as a property of a workflow command.
func escapeProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeCommand(text))
}
