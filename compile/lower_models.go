package compile

import (
	"errors"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// lowerModels returns the model of an agent, and those that follow when it cannot be
// reached. They stand in the property model, or in models.
func (c *compiler) lowerModels(a ast.Agent, what string, misspelt *ast.Property) (Model, []Model) {
	p := a.Property("models")
	if p == nil {
		return c.lowerAgentModel(a, what, misspelt), nil
	}
	if a.Property("model") != nil {
		c.Diags.Errorf(p.Key.Span(), diag.CodeInvalidModel, "%s has model and models; write one of them", what)
	}
	if p.Value == nil {
		return Model{}, nil
	}
	list, ok := p.Value.(*ast.Array)
	if !ok || len(list.Elements) == 0 {
		is := report.KindOf(p.Value)
		if ok {
			is = "empty"
		}
		d := c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidModel,
			`models of %s is %s; write a list: models: ["OpenAI/gpt-5.4-mini", "Anthropic/claude-haiku-4-5"]`, what, is)
		if _, isText := ast.TextOf(p.Value); isText {
			report.SafeFix(d, "write model", p.Key.Span(), "model")
		}
		return Model{}, nil
	}
	var all []Model
	for i, v := range list.Elements {
		text, ok := ast.TextOf(v)
		if !ok {
			c.Diags.Errorf(v.Span(), diag.CodeInvalidModel, "a model of %s is %s; it must be text", what, report.KindOf(v))
			return Model{}, nil
		}
		m := c.lowerModelNamed(v, text)
		if m != (Model{}) && slices.Contains(all, m) {
			d := c.Diags.Errorf(v.Span(), diag.CodeInvalidModel, "%s has the model %s twice", what, m)
			report.RemoveRepeated(d, list.Elements, i)
			continue
		}
		all = append(all, m)
	}
	return all[0], slices.Clip(all[1:])
}

// lowerModelNamed returns the model that a text names.
func (c *compiler) lowerModelNamed(v ast.Value, text string) Model {
	m, err := ParseModel(text, c.opts.Models)
	if err == nil {
		c.checkAgentNamesProvider(v, text, m)
		return m
	}
	var unknown *modelError
	if !errors.As(err, &unknown) {
		c.Diags.Errorf(v.Span(), diag.CodeInvalidModel, "%s", err)
		return m
	}
	place := report.NewQuotation(v, text).At(0, len(unknown.provider))
	d := c.Diags.Errorf(place, diag.CodeInvalidModel, "%s", err)
	if near := unknown.nearest(); near != "" {
		report.Respell(d, place, unknown.provider, near)
	}
	return m
}
