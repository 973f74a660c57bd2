package compile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/report"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/source"
)

// This file compares the signature of an entry with that of a tool, and says
// the differences in words.

// sameSignature reports where the signature of an entry and that of the tool of
// an agent differ.
func (c *compiler) sameSignature(e *library.Entry, t *Tool) {
	whole := signatureSpan(e)
	want, have := t.Signature.Arguments(), e.Signature.Arguments()
	renamed := map[string]bool{} // parameters of the tool that have another name here
	for _, q := range e.Signature.Params {
		if p := want.Field(q.Name); p != nil {
			c.sameParam(p, q, t)
			continue
		}
		d := c.Diags.Errorf(q.Span, diag.CodeContractMismatch, "the tool %s of the agent has no parameter %s", report.Quote(t.Name), report.Quote(q.Name))
		if near := c.Guess(q.Name, library.ParamNames(t.Signature.Params)); near != "" && have.Field(near) == nil {
			renamed[near] = true
			d.Message += fmt.Sprintf("; did you mean %s?", report.Clip(near))
			report.Fix(d, "write "+report.Clip(near), q.Span, near)
			report.Relate(d, want.Field(near).Span, "in the agent")
			continue
		}
		report.Relate(d, t.named, "the tool")
	}
	for _, p := range t.Signature.Params {
		if have.Field(p.Name) == nil && !renamed[p.Name] {
			d := c.Diags.Errorf(whole, diag.CodeContractMismatch, "the signature has no parameter %s, which the tool %s of the agent has", report.Quote(p.Name), report.Quote(t.Name))
			report.Relate(d, p.Span, "the parameter")
		}
	}
	if words := difference(t.Schema(), e.Schema(), "properties", "required", "$defs"); words != "" {
		d := c.Diags.Errorf(whole, diag.CodeContractMismatch, "the arguments of the tool %s differ: %s", report.Quote(t.Name), words)
		report.Relate(d, t.named, "the tool")
	}
	c.sameResult(e, t)
}

// signatureSpan returns where the signature of an entry stands.
func signatureSpan(e *library.Entry) source.Span {
	for _, element := range e.Pattern.Elements {
		if library.RuleLabel(element) == nil {
			return element.Span()
		}
	}
	return report.NameSpan(e.Pattern)
}

func (c *compiler) sameParam(want, have *types.Param, t *Tool) {
	words := difference(want.Type.Schema(""), have.Type.Schema(""))
	switch {
	case words != "":
	case want.Optional && !have.Optional:
		words = "it is optional in the agent and required here"
	case !want.Optional && have.Optional:
		words = "it is required in the agent and optional here"
	case !sameJSONValue(want.Default, have.Default):
		words = fmt.Sprintf("the default is %s in the agent and %s here", orNothing(want.Default), orNothing(have.Default))
	default:
		return
	}
	d := c.Diags.Errorf(have.Span, diag.CodeContractMismatch, "the parameter %s of the tool %s differs: %s", report.Quote(have.Name), report.Quote(t.Name), words)
	report.Relate(d, want.Span, "in the agent")
}

// sameResult warns of results that the agent expects otherwise. Text may hold
// anything, and anything can be reported as text.
func (c *compiler) sameResult(e *library.Entry, t *Tool) {
	want, have := t.Signature.Return, e.Signature.Return
	if want.Type.Resolved().Kind == types.KindString {
		return
	}
	if words := difference(t.OutputSchema(), e.OutputSchema()); words != "" {
		d := c.Diags.Warnf(have.Span, diag.CodeContractMismatch, "the result of the tool %s differs: %s", report.Quote(t.Name), words)
		report.Relate(d, want.Span, "in the agent")
	}
}

func orNothing(value json.RawMessage) string {
	if len(value) == 0 {
		return "nothing"
	}
	return report.Clip(string(value))
}

// difference says in words where two schemas differ, "" when they allow the
// same, but for some members of the schemas themselves. Descriptions and examples
// do not count, nor the order of keys, of required fields and of enum values.
func difference(want, have json.RawMessage, without ...string) string {
	var found []string
	differences := jsonschema.Diff(readSchema(want), readSchema(have))
	for _, d := range differences {
		path := d.At.Tokens()
		last := len(path) - 1
		switch {
		case last >= 0 && slices.Contains(without, path[0]):
		case last >= 0 && types.IsRemark(path[last]) && (last == 0 || path[last-1] != "properties"):
		case slices.ContainsFunc(differences, func(other jsonschema.Difference) bool { return followsFrom(d, other) }):
		default:
			found = append(found, fmt.Sprintf("%s is %s in the agent and %s here", pathWords(path), valueWords(d.Want), valueWords(d.Have)))
		}
	}
	if n := len(found); n > maxDifferences {
		found = append(found[:maxDifferences], fmt.Sprintf("and %d more", n-maxDifferences))
	}
	return strings.Join(found, "; ")
}

// maxDifferences is how many differences of two schemas are reported.
const maxDifferences = 3

// followsFrom reports whether a difference is a consequence of another one, of
// the types there.
func followsFrom(d, other jsonschema.Difference) bool {
	path, types := d.At.Tokens(), other.At.Tokens()
	last := len(types) - 1
	return last >= 0 && types[last] == "type" && (last == 0 || types[last-1] != "properties") &&
		len(path) > last && slices.Equal(path[:last], types[:last]) && !slices.Equal(path, types)
}

// readSchema reads a schema that this package wrote.
func readSchema(text json.RawMessage) *jsonschema.Node {
	n, err := jsonschema.Read(text, nil)
	if err != nil {
		panic("compile: " + err.Error())
	}
	return n
}

func sameJSONValue(a, b json.RawMessage) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return jsonschema.Equal(readSchema(a), readSchema(b))
}

// pathWords says where in a schema something stands: "minimum of the field
// "age"".
func pathWords(path []string) string {
	if len(path) == 0 {
		return "it"
	}
	words := []string{report.Clip(path[len(path)-1])}
	for i := len(path) - 2; i >= 0; i-- {
		switch key := path[i]; {
		case i > 0 && path[i-1] == "properties":
			words = append(words, "the field "+report.Quote(key))
		case key == "items":
			words = append(words, "its elements")
		}
	}
	return strings.Join(words, " of ")
}

func valueWords(n *jsonschema.Node) string {
	if n == nil {
		return "not said"
	}
	return report.Clip(n.Compact())
}
