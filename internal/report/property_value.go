package report

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
)

// Flag reads true or false.
func (c *Reporter) Flag(p *ast.Property, what string) bool {
	v, ok := p.Value.(*ast.Bool)
	if !ok {
		d := c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "%s of %s is %s; it must be true or false", p.Key.Text, what, KindOf(p.Value))
		text, _ := ast.WordOf(p.Value)
		meant := cmp.Or(c.Guess(text, []string{"true", "false"}), "true")
		if Fix(d, "write "+meant, p.Value.Span(), meant); strings.EqualFold(text, meant) && len(d.Fixes) > 0 {
			d.MarkSafe()
		}
		return false
	}
	return v.Value
}

// Word reads a word of a closed vocabulary, "" when nothing is said. A wrong one has the fix
// that writes the nearest, or else otherwise, where that is not "".
func (c *Reporter) Word(p *ast.Property, what string, known []string, otherwise string) string {
	if p == nil || p.Value == nil {
		return ""
	}
	word, ok := ast.WordOf(p.Value)
	if ok && slices.Contains(known, word) {
		return word
	}
	is, last := KindOf(p.Value), len(known)-1
	if ok {
		is = Quote(word)
	}
	choice := strings.Join(known[:last], ", ") + " or " + known[last]
	d := c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "%s of %s is %s; it must be %s", p.Key.Text, what, is, choice)
	if meant := cmp.Or(c.Guess(word, known), otherwise); meant != "" {
		Fix(d, "write "+meant, p.Value.Span(), meant)
	}
	return ""
}

// Timeout reads how long a call of a tool may take, in milliseconds: 500ms, 5s,
// 1.5m; 0 when nothing is said.
func (c *Reporter) Timeout(p *ast.Property, what string) int64 {
	if p == nil || p.Value == nil {
		return 0
	}
	n, ok := p.Value.(*ast.Number)
	unit, known := int64(0), false
	if ok {
		unit, known = map[string]int64{"ms": 1, "s": 1000, "m": 60 * 1000, "h": 60 * 60 * 1000}[n.Unit()]
	}
	if !known {
		d := c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "the timeout of %s must be a time, such as 500ms, 5s or 2m", what)
		if text, _ := ast.TextOf(p.Value); timeForm().MatchString(text) {
			SafeFix(d, "write "+text, p.Value.Span(), text)
		} else if ok && n.Kind == ast.Integer {
			Fix(d, "write "+n.Raw+"s", p.Value.Span(), n.Raw+"s")
		}
		return 0
	}
	amount, err := strconv.ParseFloat(n.Digits(), 64)
	ms := amount * float64(unit)
	if err != nil || ms < 1 || ms > MaxTimeoutMS {
		c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "the timeout of %s must be from 1ms to 24h", what)
		return 0
	}
	return int64(ms)
}

var timeForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[1-9][0-9]*(\.[0-9]+)?(ms|s|m|h)$`)
})

// MaxTimeoutMS is the longest timeout of a call, in milliseconds.
const MaxTimeoutMS = 24 * 60 * 60 * 1000

// ToolFlag reads true or false, or what holds when nothing is said.
func (c *Reporter) ToolFlag(p *ast.Property, otherwise bool, what string) bool {
	if p == nil || p.Value == nil {
		return otherwise
	}
	return c.Flag(p, what)
}

// Deprecation reads true, false, or a text, which means true.
func (c *Reporter) Deprecation(p *ast.Property, what string) bool {
	if text, ok := ast.TextOf(p.Value); ok && !Blank(text) && !strings.EqualFold(text, "true") && !strings.EqualFold(text, "false") {
		return true
	}
	return c.Flag(p, what)
}
