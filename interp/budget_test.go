package interp

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// A meter answers with a function, and adds up what it reports.
type meter struct {
	mu       sync.Mutex
	requests []runtime.Request
	spent    runtime.Usage
	sent     int
	answer   func(n int, r *runtime.Request) (*runtime.Response, error)
}

func (*meter) Name() string { return "meter" }

func (m *meter) Generate(_ context.Context, r *runtime.Request) (*runtime.Response, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, *r)
	m.sent++
	response, err := m.answer(len(m.requests)-1, r)
	if err == nil && response != nil {
		m.spent = m.spent.Add(response.Usage)
	}
	return response, err
}

// priced returns an agent of a model that costs $1 for a million tokens of input and $2
// for one of output, with that table.
func priced(tools ...string) (*Agent, *models.Table) {
	a := agent(tools...)
	a.Model = compile.Model{Provider: "Acme", ID: "m"}
	return a, models.Builtin().With(models.Provider{Name: "Acme", Dialect: models.Chat, Keys: []string{"ACME_KEY"}, Models: []models.Model{
		{ID: "m", Output: 1000, Prices: &models.Prices{Input: models.PerMillion, Output: 2 * models.PerMillion, CacheRead: models.PerMillion / 10}},
		{ID: "free text"},
	}})
}

func usage(input, output int64) runtime.Usage {
	return runtime.Usage{Input: input, Output: output, Total: input + output}
}

// endless calls a tool again and again, and reports that usage.
func endless(u runtime.Usage) *meter {
	return &meter{answer: func(n int, _ *runtime.Request) (*runtime.Response, error) {
		response := calls("look", `{"n":`+strings.Repeat("1", n%7+1)+`}`)
		response.Usage = u
		return &response, nil
	}}
}

func wantsBudget(t *testing.T, err error, part string) *BudgetError {
	t.Helper()
	var budget *BudgetError
	if !errors.Is(err, &runtime.Error{Kind: runtime.KindBudget}) || !errors.As(err, &budget) || budget.Part != part {
		t.Fatalf("%v is not about the budget of %s", err, part)
	}
	return budget
}

func TestABudgetEndsARun(t *testing.T) {
	for _, tt := range []struct {
		part    string
		budget  Budget
		sent    int
		message string
	}{
		{BudgetOfRequests, Budget{Requests: 3}, 3, `the budget of 3 requests of agent "a" is used up; a higher maxRequests allows more`},
		{BudgetOfTokens, Budget{Tokens: 5000}, 5, `the next request could exceed the budget of 5000 tokens of agent "a": 3250 are spent, and it could take `},
		{BudgetOfCost, Budget{Cost: Dollar / 200}, 5, `the next request could exceed the budget of $0.005 of agent "a": $0.003`},
	} {
		t.Run(tt.part, func(t *testing.T) {
			a, table := priced("look")
			a.Budget = tt.budget
			m := endless(usage(600, 50))
			lib := addTool(t, runtime.Library{}, "look", gives(`"`+strings.Repeat("seen ", 200)+`"`))
			answer, err := runAgent(t.Context(), a, "hi", nil, lib, m, &Options{MaxTurns: 100, Models: table})
			b := wantsBudget(t, err, tt.part)
			if b.Agent != "a" || !strings.HasPrefix(err.Error(), tt.message) || m.sent != tt.sent {
				t.Errorf("%q after %d requests", err, m.sent)
			}
			if len(answer.ToolsUsed) != tt.sent {
				t.Errorf("%d calls are reported", len(answer.ToolsUsed))
			}
			checkHistory(t, answer.Conversation)
		})
	}
}

// Whatever a provider reports within the bounds of a request, and whatever fails on the
// way, no budget is exceeded.
func TestNoBudgetIsExceeded(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		a, table := priced("look")
		a.Budget = Budget{Tokens: 2000 + random.Int64N(20_000)}
		if random.IntN(2) == 0 {
			a.MaxTokens = 1 + random.IntN(2000)
		}
		account := NewAccount(Budget{Cost: Money(1+random.Int64N(40)) * Dollar / 2000, Requests: 1 + random.IntN(12)})
		m := &meter{}
		base, share, answers := 1+random.Int64N(tokensOfRequest), random.Int64N(101), []int64(nil)
		m.answer = func(n int, r *runtime.Request) (*runtime.Response, error) {
			f := factsOf(a.Model, table)
			input, output := base, int64(f.answerLimit())
			for i := range r.Messages { // each has the tokens that it had before
				if tokens := f.tokensOf(&r.Messages[i]); r.Messages[i].Role == runtime.RoleAssistant {
					input += min(tokens, answers[i/2])
				} else {
					input += tokens * share / 100
				}
			}
			if r.MaxTokens > 0 {
				output = int64(r.MaxTokens)
			}
			output = random.Int64N(output + 1)
			answers = append(answers, output)
			attempts := runtime.Attempts{Sent: 1}
			for random.IntN(3) == 0 { // an attempt that was charged and lost
				attempts.Lost++
				m.spent = m.spent.Add(usage(input, output))
				if err := r.SendAgain(attempts); err != nil {
					err.(*runtime.Error).Attempts = attempts
					return nil, err
				}
				m.sent++
				attempts.Sent++
			}
			response := calls("look", `{}`)
			response.Usage, response.Attempts = usage(input, output), attempts
			return &response, nil
		}
		lib := addTool(t, runtime.Library{}, "look", gives(`"`+strings.Repeat("seen ", random.IntN(300))+`"`))
		_, err := runAgent(t.Context(), a, "hi", nil, lib, m, &Options{MaxTurns: 1000, Models: table, Account: account})
		if !errors.Is(err, &runtime.Error{Kind: runtime.KindBudget}) && !strings.Contains(err.Error(), "did not stop") && !strings.Contains(err.Error(), "Maximum") {
			t.Fatalf("seed %d: %v", seed, err)
		}
		f := factsOf(a.Model, table)
		if m.spent.Total > a.Budget.Tokens || f.costOf(m.spent) > account.budget.Cost || m.sent > account.budget.Requests {
			t.Fatalf("seed %d: %d of %d tokens, %s of %s, %d of %d requests", seed, m.spent.Total, a.Budget.Tokens, f.costOf(m.spent), account.budget.Cost, m.sent, account.budget.Requests)
		}
		if got := account.used; got.requests != m.sent || got.tokens < m.spent.Total || account.held != (amount{}) {
			t.Fatalf("seed %d: counted %+v of %+v in %d requests, still held %+v", seed, got, m.spent, m.sent, account.held)
		}
	}
}

// A request that would be too large as it is may get a shorter answer.
func TestABudgetLimitsTheAnswer(t *testing.T) {
	a, table := priced()
	a.Budget = Budget{Tokens: 1700} // about 1000 are for the input, and 1000 would be for the answer
	m := &meter{answer: func(_ int, r *runtime.Request) (*runtime.Response, error) {
		return &runtime.Response{Content: "part", Finish: "length", Usage: usage(100, int64(r.MaxTokens))}, nil
	}}
	answer, err := runAgent(t.Context(), a, "hi", nil, runtime.Library{}, m, &Options{Models: table})
	if got := m.requests[0].MaxTokens; err != nil || got < leastAnswer || got > 700 || !answer.OutOfBudget {
		t.Errorf("%+v, %v with a limit of %d", answer, err, got)
	}
	a.Budget = Budget{Tokens: 1_000_000}
	answer, err = runAgent(t.Context(), a, "hi", nil, runtime.Library{}, m, &Options{Models: table})
	if got := m.requests[1].MaxTokens; err != nil || got != 0 || answer.OutOfBudget {
		t.Errorf("%+v, %v with a limit of %d", answer, err, got)
	}
	a.Model.ID = "unknown" // without a limit, nothing would hold its answer
	_, err = runAgent(t.Context(), a, "hi", nil, runtime.Library{}, m, &Options{Models: table})
	if got := m.requests[2].MaxTokens; err != nil || got != usualAnswer {
		t.Errorf("%v with a limit of %d", err, got)
	}
}

func TestACostWithoutAPriceIsRefused(t *testing.T) {
	a, table := priced()
	m := endless(usage(1, 1))
	for _, o := range []*Options{{Models: table}, {Models: table, Account: NewAccount(Budget{Cost: Dollar})}} {
		a := *a
		if o.Account == nil {
			a.Budget.Cost = Dollar
		}
		if _, err := Bind(&a, runtime.Library{}, m, o); err != nil {
			t.Errorf("a price is known: %v", err)
		}
		a.Fallbacks = []compile.Model{{Provider: "Acme", ID: "free text"}}
		if _, err := Bind(&a, runtime.Library{}, m, o); !errors.Is(err, &runtime.Error{Kind: runtime.KindBudget}) || !strings.Contains(err.Error(), "the price of Acme/free text is unknown") {
			t.Errorf("no price is known: %v", err)
		}
		a.Fallbacks = []compile.Model{{Provider: "Ollama", ID: "llama3.2"}} // a program of this machine
		if _, err := Bind(&a, runtime.Library{}, m, o); err != nil {
			t.Errorf("it costs nothing: %v", err)
		}
	}
}

// What was counted already is not estimated again, also for the next message.
func TestTheLastUsageBoundsTheNextRequest(t *testing.T) {
	a, table := priced()
	a.Budget.Tokens = 20_000
	long := strings.Repeat("a long text ", 1000) // 12,000 bytes, 3,000 tokens
	m := &meter{answer: func(int, *runtime.Request) (*runtime.Response, error) {
		return &runtime.Response{Content: "well", Finish: "stop", Usage: usage(3000, 5)}, nil
	}}
	bound, err := Bind(a, runtime.Library{}, m, &Options{Models: table, Account: NewAccount(Budget{Tokens: 18_000})})
	if err != nil {
		t.Fatal(err)
	}
	var conv runtime.Conversation
	for i, input := range []string{long, "and", "so", "on"} {
		answer, err := bound.Run(t.Context(), input, conv)
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		conv = answer.Conversation
	}
	if _, err := bound.Run(t.Context(), "no", nil); err != nil { // another conversation
		t.Error(err)
	}
	_, err = bound.Run(t.Context(), "more", conv)
	wantsBudget(t, err, BudgetOfTokens)
}

func TestFailuresThatMayBeChargedCount(t *testing.T) {
	for _, tt := range []struct {
		name            string
		err             error
		sent, uncounted int
	}{
		{"unknown", errors.New("odd"), 1, 1},
		{"broke off, twice", &runtime.Error{Kind: runtime.KindLLMAPI, Attempts: runtime.Attempts{Sent: 2, Lost: 2}}, 2, 2},
		{"busy", &runtime.Error{Kind: runtime.KindOverloaded, Attempts: runtime.Attempts{Sent: 4}}, 4, 0},
		{"busy, as another model says it", runtime.Errorf(runtime.KindRateLimit, "busy"), 1, 0},
		{"not sent", runtime.Errorf(runtime.KindValidation, "no"), 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, table := priced()
			account := NewAccount(Budget{})
			m := &meter{answer: func(int, *runtime.Request) (*runtime.Response, error) { return nil, tt.err }}
			if _, err := runAgent(t.Context(), a, "hi", nil, runtime.Library{}, m, &Options{Models: table, Account: account}); err == nil {
				t.Fatal("no error")
			}
			got := account.Spent()
			if got.Requests != tt.sent || got.Uncounted != tt.uncounted || got.Tokens > 0 || (account.used.tokens > 0) != (tt.uncounted > 0) || (account.used.cost > 0) != (tt.uncounted > 0) {
				t.Errorf("%+v, %+v", got, account.used)
			}
		})
	}
}

// Runs that share an account do not exceed it together.
func TestRunsShareAnAccount(t *testing.T) {
	a, table := priced("look")
	account := NewAccount(Budget{Tokens: 30_000, Requests: 20})
	m := endless(usage(900, 40))
	bound, err := Bind(a, addTool(t, runtime.Library{}, "look", gives(`"x"`)), m, &Options{MaxTurns: 100, Models: table, Account: account})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := bound.Run(t.Context(), "hi", nil); err == nil {
				t.Error("a run ended by itself")
			}
		})
	}
	all.Wait()
	if got := account.Spent(); got.Requests != m.sent || got.Requests > 20 || got.Tokens > 30_000 || account.held != (amount{}) {
		t.Errorf("%+v of %d requests, still held %+v", got, m.sent, account.held)
	}
}

func TestAnAttachedImageCountsAsAnImage(t *testing.T) {
	a, table := priced()
	image := runtime.UserMessage("what is it?")
	image.Attachments = []runtime.Attachment{{Name: "cat.png", MediaType: "image/png", Data: make([]byte, 1<<20)}}
	file := image
	file.Attachments = []runtime.Attachment{{Name: "cat.txt", MediaType: "text/plain", Data: make([]byte, 3<<10)}}
	mini := factsOf(compile.Model{Provider: "OpenAI", ID: "gpt-4o-mini"}, table)
	chat, messages := factsOf(a.Model, table), factsOf(compile.Model{Provider: "Anthropic", ID: "claude-haiku-4-5"}, table)
	for _, tt := range []struct {
		facts       *facts
		message     *runtime.Message
		least, most int64
	}{{&chat, &image, 75_000, 76_000}, {&mini, &image, 48_169, 49_000}, {&messages, &image, 5_000, 5_100}, {&chat, &file, 4 << 10, 4<<10 + 100}} {
		if got := tt.facts.tokensOf(tt.message); got < tt.least || got > tt.most {
			t.Errorf("%s with %s counts as %d", tt.message.Attachments[0].Name, tt.facts.model, got)
		}
	}
}

// What the provider counted bounds no other file, and no other tools.
func TestAnotherRequestIsNotTheCountedOne(t *testing.T) {
	attached := func(data string) runtime.Conversation {
		m := runtime.UserMessage("what is it?")
		m.Attachments = []runtime.Attachment{{Name: "a.txt", MediaType: "text/plain", Data: []byte(data)}}
		return runtime.Conversation{m}
	}
	called := func(args string) runtime.Conversation {
		return runtime.Conversation{runtime.UserMessage("hi"), runtime.AssistantMessage("", []runtime.Call{{ID: "1", Name: "look", Args: []byte(args)}})}
	}
	extra := func(text string) runtime.Conversation {
		return runtime.Conversation{runtime.UserMessage("hi"), {Role: runtime.RoleAssistant, Extra: []byte(text)}, runtime.UserMessage("so?")}
	}
	tool := runtime.Contract{Name: "look", Description: strings.Repeat("a long description ", 100)}
	long := strings.Repeat("1", 1000)
	for name, c := range map[string]struct{ counted, next runtime.Request }{
		"file":        {runtime.Request{Messages: attached("1")}, runtime.Request{Messages: attached(long)}},
		"same length": {runtime.Request{Messages: attached(strings.Repeat("a", 1000))}, runtime.Request{Messages: attached(long)}},
		"arguments":   {runtime.Request{Messages: called("{}")}, runtime.Request{Messages: called(long)}},
		"extra":       {runtime.Request{Messages: extra(strings.Repeat("a", 1000))}, runtime.Request{Messages: extra(long)}},
		"tools":       {runtime.Request{Messages: called(long)}, runtime.Request{Messages: called(long), Tools: []runtime.Contract{tool}}},
		"instruction": {runtime.Request{Messages: called(long)}, runtime.Request{Messages: called(long), Instruction: long}},
	} {
		t.Run(name, func(t *testing.T) {
			a, table := priced()
			f := factsOf(a.Model, table)
			r := &loop{Bound: &Bound{}}
			r.measureHold(a.Model, &c.counted, &runtime.Response{Usage: usage(10, 1)})
			if got := r.holdTokensAtMost(&c.counted, &f); got != 10 {
				t.Fatalf("the counted request has %d tokens", got)
			}
			if got := r.holdTokensAtMost(&c.next, &f); got < 1000 {
				t.Errorf("the next request is said to have at most %d tokens", got)
			}
		})
	}
}

// The answer to a final request without tools says nothing of what the tools take in the
// next one.
func TestTheFinalAnswerBoundsNoRequestWithTools(t *testing.T) {
	a, table := priced("look")
	a.Tools[0].Description = strings.Repeat("a long description ", 1000)
	size := int64(len(a.Tools[0].Description))
	m := &meter{answer: func(n int, r *runtime.Request) (*runtime.Response, error) {
		response := runtime.Response{Content: "seen", Finish: "stop", Usage: usage(50, 5)}
		if len(r.Tools) > 0 {
			response = calls("look", `{}`)
			response.Usage = usage(size, 5)
		}
		return &response, nil
	}}
	lib := addTool(t, runtime.Library{}, "look", gives(`"seen"`))
	account := NewAccount(Budget{Tokens: 2*size + 900})
	bound, err := Bind(a, lib, m, &Options{MaxTurns: 1, OnLimit: FinalAnswer, Models: table, Account: account})
	if err != nil {
		t.Fatal(err)
	}
	first, err := bound.Run(t.Context(), "hi", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = bound.Run(t.Context(), "more", first.Conversation)
	wantsBudget(t, err, BudgetOfTokens)
	if m.sent != 2 {
		t.Errorf("%d requests are sent", m.sent)
	}
}

// A PDF counts by its pages and its text, and so a normal one stays within a normal budget.
func TestAPDFCountsByItsPages(t *testing.T) {
	var objects strings.Builder
	kids := ""
	for i := range 10 {
		kids += fmt.Sprintf("%d 0 R ", 2*i+2)
		text := "BT (" + strings.Repeat("word ", 600) + ") Tj ET"
		fmt.Fprintf(&objects, "%d 0 obj << /Type /Page /Contents %d 0 R >> endobj %d 0 obj << /Length %d >> stream\n%s\nendstream endobj\n", 2*i+2, 2*i+3, 2*i+3, len(text), text)
	}
	data := []byte("%PDF-1.7\n1 0 obj << /Type /Pages /Kids [" + kids + "] /Count 10 >> endobj\n" + objects.String())
	message := runtime.UserMessage("what is it?")
	message.Attachments = []runtime.Attachment{{Name: "a.pdf", MediaType: "application/pdf", Data: data}}
	request := &runtime.Request{Messages: runtime.Conversation{message}}
	for model, want := range map[compile.Model]int64{
		{Provider: "Anthropic", ID: "claude-opus-4-6"}:        10 * (5_000 + 2*3_001),
		{Provider: "Google", ID: "gemini-3-flash-preview"}:    10 * (1_200 + 2*3_001),
		{Provider: "OpenAI", ID: "gpt-4.1"}:                   10 * (1_445 + 2*3_001),
		{Provider: "OpenAI", ID: "gpt-4o-mini"}:               128_000, // its context is less
		{Provider: "OpenAI", ID: "a model that is not known"}: 10 * (75_000 + 2*3_001),
	} {
		f := factsOf(model, models.Builtin())
		r := &loop{Bound: &Bound{}}
		if got := r.holdTokensAtMost(request, &f); got < want || got > want+2000 {
			t.Errorf("%s: the PDF counts as %d, not as %d", model, got, want)
		}
	}
}

// A PDF that cannot be measured, sound and video count as the context of the model.
func TestFilesWithoutABoundCountAsTheContext(t *testing.T) {
	pdf := runtime.Attachment{Name: "a.pdf", MediaType: "application/pdf", Data: []byte("%PDF-1.7 of many pages")}
	message := runtime.UserMessage("what is it?")
	message.Attachments = []runtime.Attachment{pdf, {Name: "a.mp3", MediaType: "audio/mpeg", Data: []byte("ID3")}, {Name: "a.mp4", MediaType: "video/mp4", Data: []byte("x")}}
	request := &runtime.Request{Messages: runtime.Conversation{message}}
	known := &models.Model{Context: 200_000}
	for _, tt := range []struct {
		known *models.Model
		least int64
	}{{known, 200_000}, {&models.Model{Context: 400_000, Input: 272_000}, 272_000}, {&models.Model{}, 2_000_000}, {nil, 2_000_000}} {
		r := &loop{Bound: &Bound{}}
		if got := r.holdTokensAtMost(request, &facts{known: tt.known}); got < tt.least || got > tt.least+2000 {
			t.Errorf("the files count as %d, not as %d", got, tt.least)
		}
		r.measureHold(compile.Model{}, request, &runtime.Response{Content: "a", Usage: usage(5000, 1)})
		next := &runtime.Request{Messages: runtime.Conversation{message, runtime.AssistantMessage("a", nil), runtime.UserMessage("b")}}
		if got := r.holdTokensAtMost(next, &facts{known: tt.known}); got > 6000 {
			t.Errorf("when they are counted they still count as %d", got)
		}
	}
	for _, p := range models.Builtin().Providers() {
		for i := range p.Models {
			if m := &p.Models[i]; max(m.Context, m.Input) > tokensOfUnknownContext {
				t.Errorf("%s reads more than a model of unknown context", m.ID)
			}
		}
	}
}

func TestTheTimeoutOfAnAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := agent()
		a.Timeout = time.Minute
		m := waiter{}
		start := time.Now()
		_, err := runAgent(t.Context(), a, "hi", nil, runtime.Library{}, m, nil)
		if !errors.Is(err, &runtime.Error{Kind: runtime.KindTimeout}) || err.Error() != `agent "a" has no answer after 1m0s, its timeout` || time.Since(start) != time.Minute {
			t.Errorf("%v after %s", err, time.Since(start))
		}
		start = time.Now()
		_, err = runAgent(t.Context(), a, "hi", nil, runtime.Library{}, m, &Options{Elapsed: func() time.Duration { return 40 * time.Second }})
		if !errors.Is(err, &runtime.Error{Kind: runtime.KindTimeout}) || time.Since(start) != 20*time.Second {
			t.Errorf("with 40 s before: %v after %s", err, time.Since(start))
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if _, err := runAgent(ctx, a, "hi", nil, runtime.Library{}, m, nil); errors.Is(err, &runtime.Error{Kind: runtime.KindTimeout}) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the deadline of the caller: %v", err)
		}
	})
}

// A waiter is a model that never answers.
type waiter struct{}

func (waiter) Name() string { return "waiter" }

func (waiter) Generate(ctx context.Context, _ *runtime.Request) (*runtime.Response, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}
