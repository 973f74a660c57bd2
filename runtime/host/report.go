package host

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/runtime"
)

// A Report describes the implementation of a tool of an agent, and whether it fits.
type Report struct {
	Tool     string            // its name
	Origin   Origin            // where what does the work comes from; zero when nothing does
	From     string            // the same in words, "Command find"; "" when nothing does
	Offered  *runtime.Contract // the contract of the implementation; nil when it is unknown
	Problems []Misfit          // none means that the tool is bound

	// Fit and Differences are those of the [runtime.Binding] of a bound tool.
	Fit         runtime.Fit
	Differences []string
}

// A Misfit is a reason why a tool is not bound.
type Misfit struct {
	Reason     runtime.Reason
	Message    string
	Want, Have json.RawMessage // two input schemas that differ; nil where they are not the reason
}

// Report binds the contracts of an agent one by one and reports the outcome, in
// their order. It calls no tool.
func (s *Set) Report(contracts []runtime.Contract, o *runtime.BindOptions) []Report {
	reports := make([]Report, len(contracts))
	for i := range contracts {
		reports[i] = s.report(&contracts[i], o)
	}
	return reports
}

func (s *Set) report(c *runtime.Contract, o *runtime.BindOptions) Report {
	f := Report{Tool: c.Name}
	if origin, ok := s.origins[c.Name]; ok {
		f.Origin, f.From = origin, origin.String()
	}
	tool, found := s.library.Lookup(c.Name)
	bound, err := s.library.Bind([]runtime.Contract{*c}, o)
	var failed runtime.BindErrors
	switch {
	case !found:
		f.Problems = []Misfit{{Reason: runtime.ReasonNotFound, Message: s.NotFound(c.Name)}}
		return f
	case !errors.As(err, &failed):
		f.Offered = reportOffered(bound[0].Tool)
		f.Fit, f.Differences = bound[0].Fit, bound[0].Differences
	case len(tool.Input()) > 0:
		f.Offered = reportOffered(tool)
		f.Offered.Description = cmp.Or(f.Offered.Description, c.Description)
	}
	for _, e := range failed {
		p := Misfit{Reason: e.Reason, Message: s.Redact(e.Detail)}
		if e.Reason == runtime.ReasonSchemaMismatch && len(jsonschema.Diff(c.Input, tool.Input())) > 0 {
			p.Want, p.Have = c.Input, tool.Input()
		}
		f.Problems = append(f.Problems, p)
	}
	return f
}

func reportOffered(t runtime.Tool) *runtime.Contract {
	return &runtime.Contract{Name: t.Name(), Description: t.Description(), Input: t.Input(), Output: t.Output(), Repeat: t.Repeat()}
}
