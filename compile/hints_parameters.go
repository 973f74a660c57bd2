package compile

import (
	"bytes"
	"slices"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// inconsistentParameters warns of parameters of different tools of one agent that have
// one name but values of different kinds, or different defaults: models mix them up.
// Without a default, or with other limits, a parameter has no other meaning.
func (c *compiler) inconsistentParameters(agents []*Agent) {
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
				different := parameterDifference(earlier.param, p)
				if different == "" || slices.Contains(reported, p) {
					continue
				}
				reported = append(reported, p)
				d := c.Diags.Warnf(p.Span, diag.CodeVocabulary, "the parameter %s has another %s in the tool %s; models do better when one name has one %[2]s",
					report.Quote(p.Name), different, report.Quote(earlier.tool))
				report.Relate(d, earlier.param.Span, "there")
			}
		}
	}
}

// parameterDifference returns in what way two parameters of one name mean something else, "" for
// none. A default of null is as good as none.
func parameterDifference(p, q *types.Param) string {
	none := func(text []byte) bool { return text == nil || string(text) == "null" }
	switch {
	case !sameKind(p.Type, q.Type):
		return "type"
	case !bytes.Equal(p.Default, q.Default) && !none(p.Default) && !none(q.Default):
		return "default"
	}
	return ""
}

// sameKind reports whether values of one type can be values of another, by their kinds.
func sameKind(t, u *types.Type) bool {
	a, b := t.Resolved(), u.Resolved()
	if a == nil || b == nil || a.Kind == b.Kind || a.Kind == types.KindAny || b.Kind == types.KindAny {
		return true
	}
	isNumber := func(k types.Kind) bool { return k == types.KindNumber || k == types.KindInteger }
	return isNumber(a.Kind) && isNumber(b.Kind)
}
