package main

import (
	"io"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A jsonReporter writes one report when all files are known.
type jsonReporter struct {
	out    io.Writer
	report *report
}

func (r *jsonReporter) add(file string, problems diag.List) error {
	r.report.add(file, problems.Limit())
	return nil
}

func (r *jsonReporter) finish([]error) error { return encode(r.out, r.report, "  ") }

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

func newReport() *report {
	return &report{SchemaVersion: 1, Tool: "gramc/" + readVersion().version, Files: []fileReport{}}
}

func (r *report) add(path string, problems diag.List) {
	file := fileReport{Path: path, Diagnostics: make([]finding, len(problems))}
	for i, d := range problems {
		f := finding{Severity: d.Severity.String(), Message: d.Message, Range: rangeOf(d.Span), Code: d.Code}
		for _, related := range d.Related {
			j := relatedJSON{Message: related.Message, Range: rangeOf(related.Span)}
			if name := fileOf(related.Span, path); name != path {
				j.Path = name
			}
			f.Related = append(f.Related, j)
		}
		for _, fix := range d.Fixes {
			j := fixJSON{Title: fix.Title, Safe: fix.Safe}
			for _, e := range fix.Edits {
				j.Edits = append(j.Edits, editJSON{rangeOf(e.Span), e.NewText})
			}
			f.Fixes = append(f.Fixes, j)
		}
		file.Diagnostics[i] = f
	}
	r.Files = append(r.Files, file)
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
