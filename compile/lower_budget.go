package compile

import (
	"encoding/json"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// lowerBudget reads what an agent may spend for one message, and what it does when the
// conversation is too long.
func (c *compiler) lowerBudget(a ast.Agent, what string, s *Settings) {
	s.MaxRequests = c.lowerAgentLimit(a.Property("maxRequests"), what, maxLimit)
	s.MaxTotalTokens = c.lowerAgentLimit(a.Property("maxTotalTokens"), what, maxTotalTokens)
	s.TimeoutMS = c.Timeout(a.Property("timeout"), what)
	if p := a.Property("maxCost"); p != nil && p.Value != nil {
		digits, ok := types.PlainNumber(p.Value)
		if cost, err := models.ParseMoney(digits); !ok || err != nil || cost <= 0 {
			c.InvalidAttribute(p, what, "a number of US dollars above 0")
		} else {
			s.MaxCost = json.Number(digits)
		}
	}
	if word := c.Word(a.Property("onOverflow"), what, vocabulary.Values(vocabulary.OwnerAgent, "onOverflow"), ""); word != "fail" {
		s.OnOverflow = word
	}
}

// checkBudget reports budgets that cannot be kept, or that another limit makes useless.
func (c *compiler) checkBudget(a ast.Agent, lowered *Agent) {
	if p := a.Property("maxTotalTokens"); p != nil && lowered.MaxTotalTokens > 0 && lowered.MaxTokens >= lowered.MaxTotalTokens {
		d := c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidBudget,
			"one answer can have %d tokens (maxTokens), and all requests together %d; the budget must be larger", lowered.MaxTokens, lowered.MaxTotalTokens)
		report.Relate(d, a.Property("maxTokens").Span(), "the limit of one answer")
	}
	if p := a.Property("maxRequests"); p != nil && lowered.MaxRequests > 0 && lowered.MaxIterations > lowered.MaxRequests {
		d := c.Diags.Warnf(p.Value.Span(), diag.CodeInvalidBudget,
			"maxRequests is %d, so maxIterations of %d is never reached", lowered.MaxRequests, lowered.MaxIterations)
		report.Relate(d, a.Property("maxIterations").Span(), "never reached")
	}
	p := a.Property("maxCost")
	if p == nil || lowered.MaxCost == "" {
		return
	}
	for _, m := range lowered.Models() {
		if m.Provider != "" && c.opts.Models.Prices(m.Provider, m.ID) == nil {
			c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidBudget,
				"maxCost cannot be kept, since the price of %s is unknown; use maxTotalTokens, or a model with a known price", m)
			return
		}
	}
}
