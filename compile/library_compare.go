package compile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/report"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// This file compares the signature of an entry with that of a tool, and says
// the differences in words.

// sameSignature tells where the signature of an entry and that of the tool of
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
	if words := difference(rest(t.Schema()), rest(e.Schema())); words != "" {
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
// anything, and anything can be told as text.
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

// rest returns what the schema of arguments says of all of them together.
func rest(schema json.RawMessage) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(schema, &object) != nil {
		return schema
	}
	delete(object, "properties")
	delete(object, "required")
	delete(object, "$defs") // which the parameters refer to
	text, err := json.Marshal(object)
	if err != nil {
		panic("compile: " + err.Error())
	}
	return text
}

// difference says in words where two schemas differ, "" when they allow the
// same: notes do not count, nor the order of keys, of required fields and
// of enum values.
func difference(want, have json.RawMessage) string {
	var w, h any
	if decodeNumbers(want, &w) != nil || decodeNumbers(have, &h) != nil {
		return ""
	}
	var found []string
	differs(nil, w, h, &found)
	if n := len(found); n > maxDifferences {
		found = append(found[:maxDifferences], fmt.Sprintf("and %d more", n-maxDifferences))
	}
	return strings.Join(found, "; ")
}

// maxDifferences is how many differences of two schemas are told.
const maxDifferences = 3

func decodeNumbers(text json.RawMessage, v any) error {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	return d.Decode(v)
}

// differs finds where two values of schemas at a path differ. Where the types
// do, the rest is a consequence.
func differs(path []string, want, have any, found *[]string) {
	w, wantObject := want.(map[string]any)
	h, haveObject := have.(map[string]any)
	if wantObject && haveObject {
		keys := slices.AppendSeq(slices.Collect(maps.Keys(w)), maps.Keys(h))
		slices.Sort(keys)
		if !sameValue(nil, w["type"], h["type"]) && !namesFields(path) {
			keys = []string{"type"}
		}
		for _, key := range slices.Compact(keys) {
			if namesFields(path) || !types.IsRemark(key) {
				differs(append(path, key), w[key], h[key], found)
			}
		}
		return
	}
	if !sameValue(path, want, have) {
		*found = append(*found, fmt.Sprintf("%s is %s in the agent and %s here", pathWords(path), valueWords(want), valueWords(have)))
	}
}

// namesFields reports whether the keys at a path are names of fields or types.
func namesFields(path []string) bool {
	return len(path) > 0 && slices.Contains([]string{"properties", "$defs", "patternProperties"}, path[len(path)-1])
}

func sameValue(path []string, want, have any) bool {
	if len(path) > 0 && (path[len(path)-1] == "required" || path[len(path)-1] == "enum") {
		return sorted(want) == sorted(have)
	}
	return plainText(want) == plainText(have)
}

// sorted returns the text of a list in which the order does not count.
func sorted(v any) string {
	list, ok := v.([]any)
	if !ok {
		return plainText(v)
	}
	texts := make([]string, len(list))
	for i, each := range list {
		texts[i] = plainText(each)
	}
	slices.Sort(texts)
	return strings.Join(texts, ",")
}

// plainText returns a text that is the same for equal values.
func plainText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("compile: " + err.Error())
	}
	if n, ok := v.(json.Number); ok {
		if value := types.Rational(json.RawMessage(n)); value != nil {
			return value.RatString()
		}
	}
	return string(text)
}

func sameJSONValue(a, b json.RawMessage) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return difference(a, b) == ""
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

func valueWords(v any) string {
	if v == nil {
		return "not said"
	}
	return report.Clip(plainText(v))
}
