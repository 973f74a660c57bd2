package interp

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// Money is an amount of money: a part or a multiple of a [Dollar].
type Money = models.Money

// Dollar is one US dollar.
const Dollar = models.Dollar

// A Budget is the most that runs may spend. Zero is no limit. No request is sent that
// could exceed it, if the provider keeps to the limit of the answer, refuses a request beyond
// the context of its model, and counts no image higher than estimated: no provider
// documents a limit of that for all of its models.
type Budget struct {
	Requests int   // to models, with those that are repeated after a failure
	Tokens   int64 // of input and output
	Cost     Money
}

// Spent is what requests have taken, as the providers report it.
type Spent struct {
	Requests int
	Tokens   int64
	Cost     Money // of the requests whose price is known
	Unpriced int   // requests whose price is unknown

	// Uncounted are the requests that the provider may have charged without saying what
	// they took. To a budget they count as much as they could have taken.
	Uncounted int
}

// An Account is a budget that several runs share, at the same time or one after another,
// such as the messages of a conversation. It also counts where nothing is limited. The
// budget of the agent itself holds for each run besides.
type Account struct {
	budget Budget
	agent  string // whose own budget it is; "" for a shared one

	mu    sync.Mutex
	spent Spent
	used  amount // with what the uncounted requests could have taken
	held  amount // for the requests that are on their way
}

// NewAccount returns an account with nothing spent.
func NewAccount(b Budget) *Account { return &Account{budget: b} }

// Spent returns what the requests that have ended have taken. That of a nil account is zero.
func (a *Account) Spent() Spent {
	if a == nil {
		return Spent{}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.spent
}

// Since returns what was spent after an earlier time.
func (s Spent) Since(earlier Spent) Spent {
	return Spent{s.Requests - earlier.Requests, s.Tokens - earlier.Tokens, s.Cost - earlier.Cost, s.Unpriced - earlier.Unpriced, s.Uncounted - earlier.Uncounted}
}

func (s Spent) plus(t Spent) Spent {
	return Spent{
		s.Requests + t.Requests, saturatedBudget(s.Tokens, t.Tokens), Money(saturatedBudget(int64(s.Cost), int64(t.Cost))),
		s.Unpriced + t.Unpriced, s.Uncounted + t.Uncounted,
	}
}

// The names of the parts of a budget.
const (
	BudgetOfRequests = "requests"
	BudgetOfTokens   = "tokens"
	BudgetOfCost     = "cost"
)

// A BudgetError is why a request is not sent. It is the cause of a [*runtime.Error] of
// kind [runtime.KindBudget].
type BudgetError struct {
	Agent string // whose own budget it is; "" for that of an [Account]
	Part  string // BudgetOfRequests, BudgetOfTokens or BudgetOfCost

	// What is allowed, what is spent or reserved for requests on their way, and what the
	// next request could take at most. Costs are parts of a [Dollar].
	Limit, Spent, Next int64
}

// Error says which budget it is, what is spent, and what the request could take.
func (e *BudgetError) Error() string {
	of, raise := "", "a higher budget"
	if e.Agent != "" {
		property := map[string]string{BudgetOfRequests: "maxRequests", BudgetOfTokens: "maxTotalTokens", BudgetOfCost: "maxCost"}[e.Part]
		of, raise = fmt.Sprintf(" of agent %q", e.Agent), "a higher "+property
	}
	switch e.Part {
	case BudgetOfRequests:
		plural := "s"
		if e.Limit == 1 {
			plural = ""
		}
		return fmt.Sprintf("the budget of %d request%s%s is used up; %s allows more", e.Limit, plural, of, raise)
	case BudgetOfTokens:
		return fmt.Sprintf("the next request could exceed the budget of %d tokens%s: %d are spent, and it could take %d; %s, a shorter conversation or a lower maxTokens allows it",
			e.Limit, of, e.Spent, e.Next, raise)
	}
	return fmt.Sprintf("the next request could exceed the budget of %s%s: %s is spent, and it could cost %s; %s, a shorter conversation or a lower maxTokens allows it",
		Money(e.Limit), of, Money(e.Spent), Money(e.Next), raise)
}

// An amount is what requests take.
type amount struct {
	requests int
	tokens   int64
	cost     Money
}

func (a amount) plus(b amount) amount {
	return amount{a.requests + b.requests, saturatedBudget(a.tokens, b.tokens), Money(saturatedBudget(int64(a.cost), int64(b.cost)))}
}

func (a amount) minus(b amount) amount {
	return amount{a.requests - b.requests, a.tokens - b.tokens, a.cost - b.cost}
}

// times returns n times the tokens and the cost.
func (a amount) times(n int) (sum amount) {
	for range n {
		sum = sum.plus(amount{tokens: a.tokens, cost: a.cost})
	}
	return sum
}

func saturatedBudget(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// check returns why an amount would exceed the budget; nil if it does not. The
// lock is held.
func (a *Account) check(next amount) error {
	used := a.used.plus(a.held)
	for _, part := range []struct {
		name              string
		limit, used, next int64
	}{
		{BudgetOfRequests, int64(a.budget.Requests), int64(used.requests), int64(next.requests)},
		{BudgetOfTokens, a.budget.Tokens, used.tokens, next.tokens},
		{BudgetOfCost, int64(a.budget.Cost), int64(used.cost), int64(next.cost)},
	} {
		if part.limit > 0 && saturatedBudget(part.used, part.next) > part.limit {
			return &BudgetError{a.agent, part.name, part.limit, part.used, part.next}
		}
	}
	return nil
}

// left returns the tokens and the money that are neither spent nor reserved.
func (a *Account) left() (tokens int64, cost Money) {
	a.mu.Lock()
	defer a.mu.Unlock()
	tokens, cost = math.MaxInt64, math.MaxInt64
	if a.budget.Tokens > 0 {
		tokens = a.budget.Tokens - a.used.tokens - a.held.tokens
	}
	if a.budget.Cost > 0 {
		cost = a.budget.Cost - a.used.cost - a.held.cost
	}
	return tokens, cost
}

// reserve puts an amount aside.
func (a *Account) reserve(next amount) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.check(next); err != nil {
		return runtime.Errorf(runtime.KindBudget, "%w", err)
	}
	a.held = a.held.plus(next)
	return nil
}

// release takes back what was reserved.
func (a *Account) release(held amount) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held = a.held.minus(held)
}

// add counts what was spent, and what it counts as.
func (a *Account) add(s Spent, used amount) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spent = a.spent.plus(s)
	a.used = a.used.plus(used)
}

// accounts returns the accounts that a run is charged to.
func (b *Bound) accounts() (list []*Account) {
	if b.options.Account != nil {
		list = append(list, b.options.Account)
	}
	if b.agent.Budget != (Budget{}) {
		list = append(list, &Account{budget: b.agent.Budget, agent: b.agent.Name})
	}
	return list
}

// checkPrices returns why a budget of money cannot be kept: the price of a model is unknown.
func (b *Bound) checkPrices() error {
	of := ""
	switch {
	case b.agent.Budget.Cost > 0:
		of = "maxCost of agent " + fmt.Sprintf("%q", b.agent.Name)
	case b.options.Account != nil && b.options.Account.budget.Cost > 0:
		of = "the budget of " + b.options.Account.budget.Cost.String()
	default:
		return nil
	}
	for i := range b.facts {
		if f := &b.facts[i]; f.prices == nil {
			return runtime.Errorf(runtime.KindBudget,
				"%s cannot be kept, since the price of %s is unknown; use a model with a known price, or a budget of tokens (%s)", of, f.model, "`gramc models` lists the known ones")
		}
	}
	return nil
}

// budgetAttempts returns how often a request that failed was sent. Where the model does not
// say it, that is once, and it may have been charged unless the kind of the error
// speaks against it.
func budgetAttempts(err error) runtime.Attempts {
	var known *runtime.Error
	switch {
	case !errors.As(err, &known):
		return runtime.Attempts{Sent: 1, Lost: 1}
	case known.Attempts.Sent > 0:
		return known.Attempts
	}
	switch known.Kind {
	case runtime.KindLLMAPI:
		return runtime.Attempts{Sent: 1, Lost: 1}
	case runtime.KindValidation, runtime.KindConfiguration, runtime.KindBudget:
		return runtime.Attempts{}
	}
	return runtime.Attempts{Sent: 1}
}
