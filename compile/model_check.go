package compile

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/report"
)

// checkModel reports what is known of a model of an agent and speaks against it. A model
// that is not known is not reported, unless it looks like one that is.
func (c *compiler) checkModel(a ast.Agent, lowered *Agent, at ast.Value, text string, m Model) {
	p, ok := c.opts.Models.Provider(m.Provider)
	if !ok {
		return
	}
	place := report.NewQuotation(at, text).At(len(text)-len(m.ID), len(text))
	known, ok := p.Model(m.ID)
	if !ok || known.Temperature != models.No { // which is reported as such
		c.checkModelTemperature(a, lowered, p)
	}
	c.checkModelByItself(p, known, at, text, m)
	if !ok {
		return
	}
	c.checkModelTakes(a, lowered, known, m)
	if known.MaxTools > 0 && len(lowered.Tools) > known.MaxTools {
		d := c.Diags.Errorf(place, diag.CodeModelLimit, "%s takes at most %d tools, and the agent %s has %d; divide them among agents, or use another model",
			m, known.MaxTools, report.Quote(lowered.Name), len(lowered.Tools))
		report.Relate(d, c.providerElement(a, lowered.Tools[known.MaxTools].Name).Span(), "the first tool beyond them")
	}
	c.checkModelContext(a, lowered, known, m)
}

// CheckModel returns what is known of a model that a text outside of files names, and speaks
// against it, whatever agent has it. The diagnostics have no places.
func CheckModel(text string, m Model, t *models.Table) diag.List {
	p, ok := t.Provider(m.Provider)
	if !ok {
		return nil
	}
	c := prepare(&ast.File{}, &Options{Models: t})
	known, _ := p.Model(m.ID)
	at := &ast.String{Text: text}
	c.checkAgentNamesProvider(at, text, m)
	c.checkModelByItself(p, known, at, text, m)
	return c.Diags
}

// checkModelByItself reports a model that is misspelt, of another provider or deprecated. Known is
// nil where the table does not have it.
func (c *compiler) checkModelByItself(p *models.Provider, known *models.Model, at ast.Value, text string, m Model) {
	switch {
	case known == nil:
		c.checkUnknownModel(p, at, text, m)
	case known.Deprecated:
		c.checkDeprecatedModel(known, at, text, m)
	}
}

// checkUnknownModel reports a model that its provider cannot have, unless the user has another
// address for it, or one that looks like a misspelt one.
func (c *compiler) checkUnknownModel(p *models.Provider, at ast.Value, text string, m Model) {
	quotation := report.NewQuotation(at, text)
	if maker, ok := c.opts.Models.MakerOf(m.ID); ok && p.Makes != nil && maker != p && !p.Has(m.ID) && !p.OwnAddress {
		d := c.Diags.Errorf(at.Span(), diag.CodeForeignModel, "%s has no model %s, which is one of %s; write %s/%s",
			p.Name, report.Quote(m.ID), maker.Name, maker.Name, report.Clip(m.ID))
		report.Fix(d, "write "+maker.Name, quotation.At(0, len(text)-len(m.ID)-1), maker.Name)
		return
	}
	near := p.Meant(m.ID)
	if near == "" {
		return
	}
	place := quotation.At(len(text)-len(m.ID), len(text))
	d := c.Diags.Warnf(place, diag.CodeUnknownModel, "gramc does not know the model %s of %s; did you mean %s?", report.Quote(m.ID), p.Name, near)
	report.Fix(d, "write "+near, place, near) // not safe: it may be a new model
}

func (c *compiler) checkDeprecatedModel(known *models.Model, at ast.Value, text string, m Model) {
	place := report.NewQuotation(at, text).At(len(text)-len(m.ID), len(text))
	d := c.Diags.Warnf(place, diag.CodeDeprecatedModel, "the model %s is deprecated", m)
	if known.Retired != "" {
		d.Message += " and ends on " + known.Retired
	}
	if known.Successor == "" {
		return
	}
	d.Message += fmt.Sprintf("; %s names %s as its successor", m.Provider, known.Successor)
	report.Fix(d, "write "+known.Successor, place, known.Successor) // not safe: it answers otherwise, and has another price
}

// checkModelTemperature reports a temperature that a provider refuses for all its models.
func (c *compiler) checkModelTemperature(a ast.Agent, lowered *Agent, p *models.Provider) {
	given, limit := a.Property("temperature"), strconv.Itoa(p.MaxTemperature)
	if p.MaxTemperature == 0 || lowered.Temperature == "" || given == nil || given.Value == nil ||
		jsonschema.DecimalOf(string(lowered.Temperature)).Compare(jsonschema.DecimalOf(limit)) <= 0 {
		return
	}
	d := c.Diags.Errorf(given.Value.Span(), diag.CodeModelRefuses, "%s takes a temperature of 0 to %s", p.Name, limit)
	report.Fix(d, "write "+limit, given.Value.Span(), limit)
}

// checkModelTakes reports what the agent wants and the model refuses.
func (c *compiler) checkModelTakes(a ast.Agent, lowered *Agent, known *models.Model, m Model) {
	if p := a.Property("temperature"); p != nil && p.Value != nil && known.Temperature == models.No && !checkIsOne(lowered.Temperature) {
		c.Diags.Errorf(p.Span(), diag.CodeModelRefuses, "%s refuses every temperature but 1; leave it out, or use another model", m)
	}
	if len(lowered.Tools) > 0 && known.Tools == models.No {
		c.Diags.Errorf(c.providerElement(a, lowered.Tools[0].Name).Span(), diag.CodeModelRefuses, "%s takes no tools; use another model", m)
	}
	if p := a.Property("maxTokens"); p != nil && p.Value != nil && known.Output > 0 && lowered.MaxTokens > int64(known.Output) {
		d := c.Diags.Errorf(p.Value.Span(), diag.CodeModelLimit, "%s answers with at most %d tokens; maxTokens is %d", m, known.Output, lowered.MaxTokens)
		limit := strconv.Itoa(known.Output)
		report.Fix(d, "write "+limit, p.Value.Span(), limit)
	}
}

// checkIsOne reports whether a number is 1, or nothing at all.
func checkIsOne(n json.Number) bool {
	r := types.Rational(json.RawMessage(n))
	return r == nil || r.IsInt() && r.Num().IsInt64() && r.Num().Int64() == 1
}

// checkModelContext reports an instruction and tools that certainly do not fit into the context
// of a model.
func (c *compiler) checkModelContext(a ast.Agent, lowered *Agent, known *models.Model, m Model) {
	limit, size := known.InputLimit(), len(lowered.Instruction)
	for _, t := range lowered.Tools {
		size += len(t.Name) + len(t.Description)
	}
	// What the schemas add has to be written somewhere.
	for _, f := range append(c.opts.Imported[:len(c.opts.Imported):len(c.opts.Imported)], c.main) {
		if f.Source != nil {
			size += len(f.Source.Text())
		}
	}
	p := a.Property("instruction")
	if limit == 0 || p == nil || p.Value == nil || !models.CanExceed(size, limit) {
		return
	}
	texts := []string{lowered.Instruction}
	for _, t := range lowered.Tools {
		texts = append(texts, t.Name, t.Description)
		if t.Signature != nil {
			texts = append(texts, string(t.Schema()))
		}
	}
	if n := models.TokensAtLeast(texts...); n > limit {
		c.Diags.Errorf(p.Value.Span(), diag.CodeModelLimit, "the instruction and the tools of the agent %s have at least %d tokens, and %s takes %d",
			report.Quote(lowered.Name), n, m, limit)
	}
}

// checkModels reports what is known to be wrong with the models of an agent.
func (c *compiler) checkModels(a ast.Agent, lowered *Agent) {
	p := a.Property("models")
	if p == nil {
		p = a.Property("model")
	}
	if p == nil || p.Value == nil {
		return
	}
	values := []ast.Value{p.Value}
	if list, ok := p.Value.(*ast.Array); ok {
		values = list.Elements
	}
	known := lowered.Models()
	if len(values) != len(known) {
		return // of a list with errors
	}
	for i, v := range values {
		if known[i].Provider != "" {
			text, _ := ast.TextOf(v)
			c.checkModel(a, lowered, v, text, known[i])
		}
	}
}
