package lsp

import (
	"cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
)

// signatureElement returns the element of an entry that is its signature.
func signatureElement(entry *ast.Pattern) *ast.Pattern {
	for _, e := range entry.Elements {
		if (e.Form == ast.FormPath || e.Form == ast.FormNode) && library.RuleLabel(e) == nil {
			return e
		}
	}
	return nil
}

// signatureParameterNames returns the names of the parameters of a signature, in their
// order.
func signatureParameterNames(signature *ast.Pattern) []string {
	if signature.Form != ast.FormPath {
		return nil
	}
	var names []string
	for _, n := range signature.Elements {
		if name := cmp.Or(patternPropertyText(n, "paramName"), n.Identity()); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// signatureParts returns the parameters and the result of a tool or an entry, or the
// fields of a named type. What is wrong has none.
func signatureParts(view *compile.View, def *definition) (params []*types.Param, result *types.Return) {
	var s *types.Signature
	switch def.kind {
	case toolKind:
		s = view.Tool(ast.Tool{Pattern: def.pattern}).Signature
	case entryKind:
		if e := signatureElement(def.pattern); e != nil {
			s = view.Signature(e)
		}
	case typeKind:
		if d := view.Type(def.name); d != nil && d.Pattern == def.pattern && d.Type != nil && d.Type.Resolved() != nil {
			return d.Type.Resolved().Fields, nil
		}
	}
	if s == nil {
		return nil, nil
	}
	return s.Params, s.Return
}

// signatureParam returns the parameter or field of a list that a definition defines, nil
// when it is none of them.
func signatureParam(list []*types.Param, def *definition) *types.Param {
	for _, p := range list {
		if p.Span.Start == int(def.start) && def.name != "" {
			return p
		}
	}
	return nil
}
