package main

import (
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A reportJSON is the JSON form of diagnostics. It is that of "gram check", version
// 1, with the additional members "related" and "fixes".
type reportJSON struct {
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
func jsonReport(files []fileProblems) *reportJSON {
	r := &reportJSON{SchemaVersion: 1, Tool: "gramc/" + version(), Files: make([]fileReport, len(files))}
	for i, f := range files {
		r.Files[i] = fileReport{Path: f.name, Diagnostics: []finding{}}
		for _, d := range f.problems.Limit() {
			r.Files[i].Diagnostics = append(r.Files[i].Diagnostics, jsonFinding(f.name, d))
		}
	}
	return r
}

func jsonFinding(file string, d *diag.Diagnostic) finding {
	f := finding{Severity: d.Severity.String(), Message: d.Message, Range: jsonRange(d.Span), Code: d.Code}
	for _, related := range d.Related {
		r := relatedJSON{Message: related.Message, Range: jsonRange(related.Span)}
		if name := jsonFileName(related.Span, file); name != file {
			r.Path = name
		}
		f.Related = append(f.Related, r)
	}
	for _, fix := range d.Fixes {
		j := fixJSON{Title: fix.Title, Safe: fix.Safe}
		for _, e := range fix.Edits {
			j.Edits = append(j.Edits, editJSON{jsonRange(e.Span), e.NewText})
		}
		f.Fixes = append(f.Fixes, j)
	}
	return f
}

func jsonRange(s source.Span) textRange {
	var t textRange
	if !s.IsZero() {
		t.Start.Line, t.Start.Character = s.File.UTF16(s.Start)
		t.End.Line, t.End.Character = s.File.UTF16(s.End)
	}
	return t
}

// jsonFileName returns the name of the file of a span, or of the checked file for the
// zero span.
func jsonFileName(s source.Span, checked string) string {
	if s.IsZero() {
		return checked
	}
	return s.File.Name()
}
