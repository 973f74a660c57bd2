package lint

import (
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// oddNumber reports numbers that are read otherwise than they look.
func (c *Linter) oddNumber(n *ast.Number) {
	switch n.Kind {
	case ast.Octal:
		c.octalNumber(n)
	case ast.Measurement:
		c.oddNumberUnit(n)
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

// octalNumber reports that a leading zero makes a number octal.
func (c *Linter) octalNumber(n *ast.Number) {
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

// oddNumberUnit reports measurements that look like numbers of other languages.
func (c *Linter) oddNumberUnit(n *ast.Number) {
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
