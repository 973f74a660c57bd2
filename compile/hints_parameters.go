package compile

import (
	"slices"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// hintInconsistentParameters warns of parameters of different tools of one agent that have
// one name but values of different kinds: models mix them up. With another default, such as
// that of a limit or a timeout, or with other limits, a parameter has no other meaning.
func (c *compiler) hintInconsistentParameters(agents []*Agent) {
	type use struct {
		param *types.Param
		tool  string
	}
	var reported []*types.Param
	first := map[string]use{}
	for _, a := range agents {
		clear(first)
		for _, t := range a.Tools {
			if t.Signature == nil {
				continue
			}
			for _, p := range t.Signature.Params {
				earlier, used := first[p.Name]
				if !used {
					first[p.Name] = use{p, t.Name}
					continue
				}
				if sameParameterKind(earlier.param.Type, p.Type) || slices.Contains(reported, p) {
					continue
				}
				reported = append(reported, p)
				d := c.Diags.Warnf(p.Span, diag.CodeVocabulary, "the parameter %s has another type in the tool %s; models do better when one name has one type",
					report.Quote(p.Name), report.Quote(earlier.tool))
				report.Relate(d, earlier.param.Span, "there")
			}
		}
	}
}

// sameParameterKind reports whether values of one type can be values of another, by their kinds.
func sameParameterKind(t, u *types.Type) bool {
	a, b := t.Resolved(), u.Resolved()
	if a == nil || b == nil || a.Kind == b.Kind || a.Kind == types.KindAny || b.Kind == types.KindAny {
		return true
	}
	isNumber := func(k types.Kind) bool { return k == types.KindNumber || k == types.KindInteger }
	return isNumber(a.Kind) && isNumber(b.Kind)
}
