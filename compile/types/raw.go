package types

import (
	"encoding/json"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/report"
)

// rawKeywords adds to t keywords that are written as RawJSON Schema:
//
//	(port::Int {schema: json`{"not": {"const": 0}}`})
func (c *Checker) rawKeywords(t *Type, p *ast.Property, what string) {
	v := p.Value
	if tagged, ok := v.(*ast.Tagged); ok && tagged.Tag == tagJSON {
		if v = c.literalJSON(tagged, what, "schema"); v == nil {
			return
		}
	}
	text := c.fittingValue(v, &Type{Kind: KindObject, Name: kindNames[KindObject]}, what, "schema", true)
	if text == nil {
		return
	}
	wrong := func(format string, args ...any) {
		c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "the schema of %s "+format, append([]any{what}, args...)...)
	}
	schema, err := jsonschema.Read(text, nil)
	if err != nil {
		wrong("cannot be read: %s", report.Clip(err.Error()))
		return
	}
	if at, wanted := jsonschema.Invalid(schema); wanted != "" {
		wrong("must have %s at %s", wanted, report.Clip(at.Pointer()))
		return
	}
	for _, m := range schema.Members {
		if word := t.rawKeywordWord(m.Key); word != "" {
			wrong("has %s; write %s", report.Quote(m.Key), word)
			continue
		}
		c.addKeyword(t, Keyword{m.Key, json.RawMessage(m.Value.Raw()), p.Key.Span()}, what)
	}
}

// rawKeywordWord returns how gram says for t what a keyword says, where that alone is
// possible; "" for the other keywords.
func (t *Type) rawKeywordWord(keyword string) string {
	whole := t.Resolved()
	taken := false
	switch keyword {
	case "type":
		return "the type before the record"
	case "properties", "required":
		taken = whole.Fields != nil
	case "additionalProperties":
		taken = whole.Rest != nil
	case "items":
		taken = whole.Elem != nil
	case "anyOf", "oneOf":
		taken = whole.Union != nil && whole.Exclusive == (keyword == "oneOf") || t.Nullable && (whole.Union != nil || t.Def != nil)
	}
	if taken {
		return "it as a part of the type"
	}
	return ""
}

// Value returns a value of a type as JSON, nil when it reported that it does not fit.
// What says whose value it is, and word what it is of that.
func (c *Checker) Value(v ast.Value, t *Type, what, word string) json.RawMessage {
	return c.typedValue(v, t, what, word)
}

// RawJSON returns a value of any type as JSON, nil when it reported that it is none.
func (c *Checker) RawJSON(v ast.Value, what, word string) json.RawMessage {
	return c.typedValue(v, nil, what, word)
}
