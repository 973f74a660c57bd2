package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/interp"
)

// budgetFlags say what everything that a command does may spend.
type budgetFlags struct {
	requests int
	tokens   int64
	cost     string
}

func (b *budgetFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&b.requests, "max-requests", 0, "a budget: the most requests to models, with those that are repeated (default no limit)")
	f.Int64Var(&b.tokens, "max-total-tokens", 0, "a budget: the most tokens of input and output (default no limit)")
	f.StringVar(&b.cost, "max-cost", "", "a budget: the most US `DOLLARS`, such as 0.50 (default no limit)")
}

// budgetFlagNames are the flags for the parts of a budget.
var budgetFlagNames = map[string]string{
	interp.BudgetOfRequests: "--max-requests", interp.BudgetOfTokens: "--max-total-tokens", interp.BudgetOfCost: "--max-cost",
}

// account returns the account of the command. Nothing limits it without flags.
func (b *budgetFlags) account(cmd *cobra.Command) (*interp.Account, error) {
	budget := interp.Budget{Requests: b.requests, Tokens: b.tokens}
	if cmd.Flag("max-requests").Changed && b.requests < 1 {
		return nil, fmt.Errorf("--max-requests must be 1 or more; it is %d", b.requests)
	}
	if cmd.Flag("max-total-tokens").Changed && b.tokens < 1 {
		return nil, fmt.Errorf("--max-total-tokens must be 1 or more; it is %d", b.tokens)
	}
	if cmd.Flag("max-cost").Changed {
		cost, err := models.ParseMoney(b.cost)
		if err != nil {
			return nil, fmt.Errorf("--max-cost: %w", err)
		}
		if cost == 0 {
			return nil, errors.New("--max-cost must be more than 0; use --offline to run without a model")
		}
		budget.Cost = cost
	}
	return interp.NewAccount(budget), nil
}

// overBudget returns an error that names the flag of the budget, and any other as it is.
func overBudget(err error) error {
	var over *interp.BudgetError
	if errors.As(err, &over) && over.Agent == "" {
		return fmt.Errorf("%w (%s)", err, budgetFlagNames[over.Part])
	}
	return err
}

// limited reports whether there is a flag.
func (b *budgetFlags) limited() bool { return *b != budgetFlags{} }

// A spentLine is what requests took, in JSON.
type spentLine struct {
	Requests  int      `json:"requests"`
	Tokens    int64    `json:"tokens"`
	Cost      *float64 `json:"cost_usd,omitempty"`  // only if all prices are known
	Uncounted int      `json:"uncounted,omitempty"` // requests that may have been charged, whose tokens are unknown
}

func spentLineOf(s interp.Spent) *spentLine {
	line := &spentLine{Requests: s.Requests, Tokens: s.Tokens, Uncounted: s.Uncounted}
	if s.Unpriced == 0 {
		cost := float64(s.Cost) / float64(interp.Dollar)
		line.Cost = &cost
	}
	return line
}

// spentText returns what requests took, for people.
func spentText(s interp.Spent) string {
	parts := []string{counted(s.Requests, "request"), counted(int(s.Tokens), "token")}
	switch {
	case s.Cost == 0: // of a program on this machine, or unknown
	case s.Unpriced == 0:
		parts = append(parts, s.Cost.String())
	default:
		parts = append(parts, fmt.Sprintf("%s and %s of unknown price", s.Cost, counted(s.Unpriced, "request")))
	}
	text := strings.Join(parts, ", ")
	if s.Uncounted > 0 {
		text += fmt.Sprintf(", and what %s took that may have been charged", counted(s.Uncounted, "request"))
	}
	return text
}
