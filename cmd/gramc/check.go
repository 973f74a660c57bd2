package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

func (c *cli) checkCommand() *cobra.Command {
	var how strictness
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Tell everything that is wrong with gram files",
		Long: `check tells everything that is wrong with gram files: mistakes of syntax, and
of the agents and tools in them, if there are any. It never runs anything and
reads no other files.

With --json the report goes to standard output, in the format of "gram check":
lines and characters count from 0, characters in UTF-16 units.`,
		Example: `  gramc check agents/*.gram
  gramc check --json --strict agent.gram
  gramc check -e '(a)-->(b)'`,
		RunE: func(cmd *cobra.Command, files []string) error {
			inputs, err := c.inputs(cmd, files)
			if err != nil {
				return err
			}
			return c.check(inputs, how, asJSON)
		},
	}
	addExpression(cmd, "check this gram text instead of a file")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a report for programs")
	how.addFlags(cmd)
	return cmd
}

func (c *cli) check(inputs []input, how strictness, asJSON bool) error {
	r := newReport()
	var all diag.List
	code := exitFine
	for _, in := range inputs {
		file, problems, err := c.parse(in)
		if err != nil {
			c.complain(err.Error())
			code = exitUsage
			continue
		}
		problems = how.judge(examine(file, problems, how.options()))
		all = append(all, problems...)
		r.add(in.name, problems.Limit())
		if !asJSON {
			if err := c.show(problems, diag.Hint); err != nil {
				return err
			}
		}
	}
	if asJSON {
		if err := encode(c.out, r, "  "); err != nil {
			return err
		}
	} else if summary := summarize(all, len(r.Files)); all != nil || isTerminal(c.err) {
		c.note(summary)
	}
	if code == exitFine && all.HasErrors() {
		code = exitProblems
	}
	if code == exitFine {
		return nil
	}
	return told(code)
}

// summarize returns "2 errors, 1 warning in 3 files".
func summarize(list diag.List, files int) string {
	var parts []string
	for _, severity := range []diag.Severity{diag.Error, diag.Warning} {
		if n := count(list, severity); n > 0 {
			parts = append(parts, counted(n, severity.String()))
		}
	}
	cut := slices.ContainsFunc(list, func(d *diag.Diagnostic) bool { return d.Code == diag.CodeTooManyErrors })
	switch {
	case len(parts) == 0:
		parts = []string{"no errors"}
	case cut: // somebody stopped to count
		parts[0] = "at least " + parts[0]
	}
	return fmt.Sprintf("%s in %s", strings.Join(parts, ", "), counted(files, "file"))
}

// A report is the JSON form of diagnostics. It is that of "gram check", version
// 1, with the members "related" and "fixes" besides.
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
	Message string    `json:"message"`
	Range   textRange `json:"range"`
}

type fixJSON struct {
	Title string     `json:"title"`
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
			f.Related = append(f.Related, relatedJSON{related.Message, rangeOf(related.Span)})
		}
		for _, fix := range d.Fixes {
			j := fixJSON{Title: fix.Title}
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
