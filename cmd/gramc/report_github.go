package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/gram-lang/gramc/diag"
)

// githubReport writes the workflow commands of GitHub Actions that annotate
// the lines of a change. What could not be read is on standard error.
func githubReport(w io.Writer, files []fileProblems) error {
	for _, f := range files {
		for _, d := range f.problems.Limit() {
			if _, err := fmt.Fprintln(w, githubAnnotation(f.name, d)); err != nil {
				return err
			}
		}
	}
	return nil
}

func githubAnnotation(file string, d *diag.Diagnostic) string {
	command := map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice", diag.Hint: "notice"}[d.Severity]
	place := "file=" + githubProperty(jsonFileName(d.Span, file))
	if s := d.Span; !s.IsZero() {
		start, end := s.Pos(), s.File.Position(s.End)
		place += fmt.Sprintf(",line=%d,endLine=%d", start.Line, end.Line)
		if start.Line == end.Line { // else columns are refused
			place += fmt.Sprintf(",col=%d,endColumn=%d", start.Column, end.Column)
		}
	}
	return fmt.Sprintf("::%s %s,title=%s::%s", command, place, githubProperty(string(d.Code)), githubEscape(diag.Escape(d.Message)))
}

// githubEscape returns text as the message of a workflow command.
func githubEscape(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// githubProperty returns text as a property of a workflow command.
func githubProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubEscape(text))
}
