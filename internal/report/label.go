package report

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
)

// FixLabel adds the fix that labels p, or corrects its label. It reports
// whether p has no other label that may be what was meant.
func (c *Reporter) FixLabel(d *diag.Diagnostic, p *ast.Pattern, label string, alsoKnown ...string) (sure bool) {
	for _, l := range p.Subject.Labels {
		if near := c.Guess(l.Name.Text, append(alsoKnown, label)); near != "" {
			d.Span = l.Name.Span()
			d.Message += "; did you mean " + near + "?"
			Fix(d, "write "+near, l.Name.Span(), near)
			return len(p.Subject.Labels) == 1
		}
	}
	switch s := p.Subject; {
	case len(s.Labels) > 0:
		Fix(d, "label it "+label, s.Labels[len(s.Labels)-1].Span().Tail(), ":"+label)
	case s.Identity != nil:
		return LabelName(d, s.Identity, label)
	}
	return len(p.Subject.Labels) == 0
}

// LabelName adds the fix that writes a label after a name, or a colon before the label
// at its end: helloAgent may be hello:Agent. It reports whether it was the first.
func LabelName(d *diag.Diagnostic, n *ast.Name, label string) (sure bool) {
	if name, glued := strings.CutSuffix(n.Text, label); glued && name != "" && n.Kind == ast.NameSymbol {
		Fix(d, "write "+name+":"+label, n.Span(), name+":"+label)
		return false
	}
	Fix(d, "label it "+label, n.Span().Tail(), ":"+label)
	return true
}
