package lint

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// maxDiagnostics ends the search for what occurs twice: of so many, few are shown.
const maxDiagnostics = 10_000

// duplicateLabels reports labels that a pattern has twice. Types, ::Text, have
// rules of their own.
func (c *Linter) duplicateLabels(labels []*ast.Label) {
	if len(labels) < 2 {
		return
	}
	seen := map[string]*ast.Label{}
	for i, l := range labels {
		if len(c.Diags) > maxDiagnostics {
			return
		}
		first := seen[l.Name.Text]
		if first == nil || l.Separator == "::" {
			seen[l.Name.Text] = l
			continue
		}
		d := c.Diags.Warnf(l.Span(), diag.CodeDuplicateLabel, "the label %s occurs twice", report.Clip(l.Name.Text))
		report.Relate(d, first.Span(), "first here")
		if before := labels[i-1].Span(); !before.IsZero() {
			d.Fix("remove it", source.Span{File: before.File, Start: before.End, End: l.Span().End}, "").MarkSafe()
		}
	}
}

// duplicateAnnotationKeys reports annotations of one key, of which only the last one
// counts, and of those that take for a value what looks like a pattern.
func (c *Linter) duplicateAnnotationKeys(list []*ast.Annotation) {
	if len(list) == 0 {
		return
	}
	seen := map[string]*ast.Annotation{}
	for _, a := range list {
		if a.Key == nil {
			continue
		}
		if first := seen[a.Key.Text]; first != nil {
			d := c.Diags.Warnf(a.Key.Span(), diag.CodeDuplicateAnnotation, "the annotation %s occurs twice; the last one counts", report.Clip(a.Key.Text))
			report.Relate(d, first.Key.Span(), "first here")
		} else {
			seen[a.Key.Text] = a
		}
		behind := source.Span{File: a.Span().File, Start: a.Key.Span().End, End: a.Span().End}
		if word, bare := a.Value.(*ast.Symbol); bare && !strings.HasPrefix(behind.Text(), "(") && !behind.IsZero() {
			d := c.Diags.Hintf(word.Span(), diag.CodeOddLayout, "the value of the annotation %s, and no pattern", report.Clip(a.Key.Text))
			d.Fix("write @"+report.Clip(a.Key.Text)+"(true)", behind.Head(), "(true)")
		}
	}
}

// smallRecord is the number of properties up to which comparing each with each
// is faster than a table.
const smallRecord = 8

// DuplicateKeys reports the keys that a record has twice.
func DuplicateKeys(c *report.Reporter, r *ast.Record) {
	c.Broken = c.Broken || r.Broken
	var table map[string]*ast.Property
	if len(r.Properties) > smallRecord {
		table = make(map[string]*ast.Property, len(r.Properties))
	}
	found := 0
	for i, p := range r.Properties {
		var first *ast.Property
		if table == nil {
			first = (&ast.Record{Properties: r.Properties[:i]}).Get(p.Key.Text)
		} else if first = table[p.Key.Text]; first == nil {
			table[p.Key.Text] = p
		}
		if first != nil && found < maxDiagnostics {
			found++
			d := c.Diags.Errorf(p.Key.Span(), diag.CodeDuplicateKey, "the key %s occurs twice", report.Quote(p.Key.Text))
			report.Relate(d, first.Key.Span(), "first here")
			if p.Value != nil && first.Value != nil && ast.Print(p.Value) == ast.Print(first.Value) {
				report.RemoveRepeated(d, r.Properties, i)
			}
		}
	}
}
