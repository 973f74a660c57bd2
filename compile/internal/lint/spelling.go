package lint

import (
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// oddNumber reports numbers that are read otherwise than they look.
func (c *Linter) oddNumber(n *ast.Number) {
	switch n.Kind {
	case ast.Octal:
		c.octal(n)
	case ast.Measurement:
		c.oddUnit(n)
	case ast.Integer:
		if len(n.Raw) < len("1000000000000000000") {
			return
		}
		_, tooLow := strconv.ParseInt(n.Raw, 10, 64)
		_, tooHigh := strconv.ParseUint(n.Raw, 10, 64)
		if tooLow != nil && tooHigh != nil {
			d := c.Diags.Infof(n.Span(), diag.CodeOddNumber, "a number of more than 64 bits; many programs lose its last digits")
			report.Fix(d, "write it as text", n.Span(), strconv.Quote(n.Raw))
		}
	}
}

// octal reports that a leading zero makes a number octal.
func (c *Linter) octal(n *ast.Number) {
	value, decimal := n.Digits(), strings.TrimLeft(n.Raw, "0")
	if decimal == "" {
		decimal = "0"
	}
	if value == decimal {
		d := c.Diags.Hintf(n.Span(), diag.CodeOddNumber, "the leading zero makes this an octal number")
		report.Fix(d, "write "+report.Clip(decimal), n.Span(), decimal)
		if len(d.Fixes) > 0 {
			d.MarkSafe()
		}
		return
	}
	d := c.Diags.Warnf(n.Span(), diag.CodeOddNumber, "the leading zero makes this an octal number: %s", report.Clip(value))
	report.Fix(d, "write "+report.Clip(value), n.Span(), value)
	report.Fix(d, "write "+report.Clip(decimal), n.Span(), decimal)
}

// oddUnit reports measurements that look like numbers of other languages.
func (c *Linter) oddUnit(n *ast.Number) {
	unit, digits := n.Unit(), n.Digits()
	zero := strings.TrimPrefix(digits, "-") == "0"
	switch {
	case unit == "e" || unit == "E":
		c.Diags.Warnf(n.Span(), diag.CodeOddNumber, "%s is a measurement, with the unit %s; gram has no exponents", report.Clip(n.Raw), unit)
	case zero && (unit[0] == 'x' || unit[0] == 'X'):
		d := c.Diags.Warnf(n.Span(), diag.CodeOddNumber,
			"%s is a measurement, %s of the unit %s; a hexadecimal number is 0x and digits", report.Clip(n.Raw), digits, report.Clip(unit))
		if digits == "0" && len(unit) > 1 && unit[0] == 'X' && strings.Trim(unit[1:], "0123456789abcdefABCDEF") == "" {
			report.Fix(d, "write 0x"+report.Clip(unit[1:]), n.Span(), "0x"+unit[1:])
		}
	}
}

// duplicateLabels reports labels that a pattern has twice. Types, ::Text, have
// rules of their own.
func (c *Linter) duplicateLabels(labels []*ast.Label) {
	if len(labels) < 2 {
		return
	}
	seen := make(map[string]*ast.Label, len(labels))
	for i, l := range labels {
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

// annotationKeys reports annotations of one key, of which only the last one
// counts, and of those that take for a value what looks like a pattern.
func (c *Linter) annotationKeys(list []*ast.Annotation) {
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
