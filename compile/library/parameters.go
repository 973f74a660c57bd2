package library

import (
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/source"
)

// parameters are the names of what a tool takes.
type parameters struct {
	names []string
	has   map[string]*types.Param // nil where nothing more is known
	whose string                  // "the signature", "the tool "x" of the agent"
	place source.Span             // where they are declared; may be zero
}

// declared reports whether there is a parameter of that name.
func (p *parameters) declared(name string) bool {
	_, there := p.has[name]
	return there
}

// ParametersOf returns the parameters of a signature.
func ParametersOf(s *types.Signature, whose string, place source.Span) parameters {
	p := parameters{names: ParamNames(s.Params), has: make(map[string]*types.Param, len(s.Params)), whose: whose, place: place}
	for _, param := range s.Params {
		p.has[param.Name] = param
	}
	return p
}

// ParamNames returns the names of parameters, in their order.
func ParamNames(params []*types.Param) []string {
	names := make([]string, 0, len(params))
	for _, p := range params {
		names = append(names, p.Name)
	}
	return names
}
