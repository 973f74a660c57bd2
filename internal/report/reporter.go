package report

import (
	"strconv"
	"unicode"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A Reporter collects the diagnostics of one check.
type Reporter struct {
	Diags   diag.List
	Broken  bool // something did not parse, which is already reported
	guesses int  // how many suggestions were asked for
}

// NotText reports that the value of key is not the text that it must be.
func (c *Reporter) NotText(p *ast.Property, code diag.Code, what string) {
	d := c.Diags.Errorf(p.Value.Span(), code, "the %s of %s is %s; it must be text", p.Key.Text, what, KindOf(p.Value))
	if word, ok := p.Value.(*ast.Symbol); ok && (unicode.IsUpper(rune(word.Text[0])) || p.Separator == "::") {
		Fix(d, "put it in quotes", word.Span(), strconv.Quote(word.Text)) // it may be a type
	} else if ok {
		SafeFix(d, "put it in quotes", word.Span(), strconv.Quote(word.Text))
	}
}

// Relate adds a place where there is one.
func Relate(d *diag.Diagnostic, s source.Span, message string) {
	if !s.IsZero() {
		d.Relate(s, "%s", message)
	}
}
