package interp

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/pdf"
	"github.com/gram-lang/gramc/runtime"
)

// What a request takes beside its texts, at most.
const (
	tokensOfRequest = 1000 // what providers add, such as an instruction for tools
	tokensOfMessage = 16
	tokensOfTool    = 64

	// An image with the Messages API or with Gemini: more than the 4,784 and 2,240 that
	// descriptions of both name as the most. Older Gemini models count 258 for each tile,
	// and no document that was found limits the tiles.
	tokensOfImage = 5_000

	// An image with chat completions or responses, of a model of which the table does not
	// say it: more than 30,000 patches, beyond which OpenAI refuses an image, at the highest
	// factor that it documents, 2.46, and more than the 48,169 of gpt-4o-mini
	// (https://developers.openai.com/api/docs/guides/images-vision).
	tokensOfImageInput = 75_000

	// The image of a page of a PDF with Gemini: 258, or with Gemini 3 at most 1,120
	// (https://ai.google.dev/gemini-api/docs/document-processing and
	// https://ai.google.dev/gemini-api/docs/media-resolution). Elsewhere it is one as any
	// other (https://platform.claude.com/docs/en/build-with-claude/pdf-support and
	// https://developers.openai.com/api/docs/guides/pdf-files), and the text of a page comes
	// beside it at each of them.
	tokensOfGeminiPage = 1_200

	// A byte of a string that a PDF shows: in 8 bits it can be a character of two bytes,
	// in 16 bits one of three.
	tokensOfShownByte = 2

	// Sound, video, and a PDF that cannot be measured have as many tokens as their length or
	// their pages make, which the size of a compressed file does not bound. All of a request
	// fit the context of the model, or the provider refuses them. This is the context of a
	// model that the table does not know: more than that of any other.
	tokensOfUnknownContext = 2_000_000

	usualAnswer = 8_192 // tokens, where neither the agent nor the table has a limit
	leastAnswer = 256   // tokens that must be left for an answer
)

// facts are what is known of a model of an agent.
type facts struct {
	model  compile.Model
	images int64          // most tokens of one
	pages  int64          // most tokens of the image of a page of a PDF
	known  *models.Model  // nil if nothing is
	prices *models.Prices // nil if they are unknown
}

func factsOf(m compile.Model, t *models.Table) facts {
	f := facts{model: m, images: tokensOfImageInput, prices: t.Prices(m.Provider, m.ID)}
	f.known, _ = t.Model(m.Provider, m.ID)
	p, ok := t.Provider(m.Provider)
	switch {
	case f.known != nil && f.known.ImageTokens > 0:
		f.images = int64(f.known.ImageTokens)
	case ok && p.Dialect != models.Chat:
		f.images = tokensOfImage
	}
	if f.pages = f.images; ok && p.Dialect == models.Gemini {
		f.pages = tokensOfGeminiPage
	}
	return f
}

// cost returns the most that a request with so many tokens costs.
func (f *facts) cost(input, output int64) Money {
	if f.prices == nil {
		return 0
	}
	in, out := int(input), int(output)
	return max(f.prices.Cost(models.Tokens{Input: in, Output: out}), f.prices.Cost(models.Tokens{Input: in, CacheWrite: in, Output: out}))
}

// answerFor returns how many tokens an answer may have that costs that much at most.
func (f *facts) answerFor(input int64, left Money) int64 {
	if f.prices == nil {
		return 1<<63 - 1
	}
	one := f.cost(input, 1) - f.cost(input, 0)
	if one <= 0 {
		return 1<<63 - 1
	}
	return int64((left - f.cost(input, 0)) / one)
}

// A hold is what is reserved for a request until it has ended. That of a run without
// accounts is nil.
type hold struct {
	loop    *loop
	request *runtime.Request
	facts   *facts
	wanted  int    // the limit of the answer without a budget; 0 is none
	most    amount // that the request can take, sent once
	held    amount
	cut     bool // the answer may be shorter than it would be without a budget
}

// holdFor puts aside what the request can take, and limits its answer where more would
// exceed a budget.
func (r *loop) holdFor(request *runtime.Request) (*hold, error) {
	if len(r.accounts) == 0 {
		return nil, nil
	}
	f := &r.facts[r.fallen]
	h := &hold{loop: r, request: request, facts: f, wanted: request.MaxTokens}
	input := r.holdTokensAtMost(request, f)
	wanted := int64(cmp.Or(request.MaxTokens, f.answerLimit()))
	room := wanted
	for _, a := range r.accounts {
		tokens, cost := a.left()
		room = min(room, tokens-input, f.answerFor(input, cost))
	}
	h.cut = room < wanted
	room = max(room, min(wanted, leastAnswer)) // if even that is too much, reserve refuses the request
	if h.cut || request.MaxTokens == 0 && f.answerLimit() == usualAnswer && r.holdIsLimited() {
		request.MaxTokens = int(room)
	}
	h.most = amount{1, input + room, f.cost(input, room)}
	if err := h.reserve(h.most); err != nil {
		return nil, err
	}
	request.Again = h.again
	return h, nil
}

// answerLimit returns the most tokens of an answer where the request does not limit it.
func (f *facts) answerLimit() int {
	if f.known != nil && f.known.Output > 0 {
		return f.known.Output
	}
	return usualAnswer
}

// holdIsLimited reports whether a budget needs a limit of the answer.
func (r *loop) holdIsLimited() bool {
	for _, a := range r.accounts {
		if a.budget.Tokens > 0 || a.budget.Cost > 0 {
			return true
		}
	}
	return false
}

// reserve puts more aside, in all accounts or in none.
func (h *hold) reserve(more amount) error {
	for i, a := range h.loop.accounts {
		if err := a.reserve(more); err != nil {
			for _, before := range h.loop.accounts[:i] {
				before.release(more)
			}
			return err
		}
	}
	h.held = h.held.plus(more)
	return nil
}

// again allows the request to be sent once more, if what it takes then stays within the
// budgets.
func (h *hold) again(made runtime.Attempts) error {
	wanted := h.most.times(made.Lost + 1)
	wanted.requests = made.Sent + 1
	return h.reserve(wanted.minus(h.held))
}

// count counts what the last request took, and takes back what was reserved for it.
func (r *loop) count(held *hold, response *runtime.Response, err error) {
	if held == nil && r.outcome == nil {
		return
	}
	f, most := &r.facts[r.fallen], amount{}
	if held != nil {
		most = held.most
	}
	spent, used := f.spent(most, response, err)
	if r.outcome != nil {
		r.outcome.spend(spent, used)
	}
	if held == nil {
		return
	}
	if err == nil && response != nil {
		r.measureHold(f.model, held.request, response)
	}
	for _, a := range r.accounts {
		a.release(held.held)
		a.add(spent, used)
	}
	held.held = amount{}
}

// spent returns what a request has spent that could take that at most, and what it counts as.
func (f *facts) spent(most amount, response *runtime.Response, err error) (Spent, amount) {
	made := runtime.Attempts{Sent: 1}
	if err != nil || response == nil {
		made = budgetAttempts(err)
	} else {
		made.Sent, made.Lost = max(response.Attempts.Sent, 1), response.Attempts.Lost
	}
	spent := Spent{Requests: made.Sent, Uncounted: made.Lost}
	if f.prices == nil {
		spent.Unpriced = made.Sent
	}
	used := most.times(made.Lost)
	used.requests = made.Sent
	if err != nil || response == nil {
		return spent, used
	}
	if u := response.Usage; u.Input > 0 || u.Output > 0 {
		spent.Tokens, spent.Cost = max(u.Total, u.Input+u.Output), f.costOf(u)
		return spent, used.plus(amount{tokens: spent.Tokens, cost: spent.Cost})
	}
	spent.Uncounted++
	return spent, used.plus(amount{tokens: most.tokens, cost: most.cost})
}

// drop takes back what is reserved for a request that is not sent.
func (h *hold) drop() {
	if h == nil {
		return
	}
	for _, a := range h.loop.accounts {
		a.release(h.held)
	}
}

// costOf returns the cost of what a provider has reported.
func (f *facts) costOf(u runtime.Usage) Money {
	if f.prices == nil {
		return 0
	}
	return f.prices.Cost(models.Tokens{Input: int(u.Input), CacheRead: int(u.CacheRead), CacheWrite: int(u.CacheWrite), Output: int(u.Output)})
}

// A measured request is one whose tokens a provider has counted.
type measured struct {
	model         compile.Model
	request       *runtime.Request
	answer        string // the message that followed
	input, output int64
}

// measureHold notes the count of the last request.
func (r *loop) measureHold(model compile.Model, request *runtime.Request, response *runtime.Response) {
	if response.Usage.Input <= 0 || response.Attempts.Sent > 1 {
		return // a response to several requests says nothing of one
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.measured = measured{model, request, response.Content, response.Usage.Input, response.Usage.Output}
}

// measuredHold returns the tokens of the part of a request that was counted already, and how
// many messages that has. What stands before the messages counts once more if it was not counted.
func (r *loop) measuredHold(model compile.Model, request *runtime.Request) (tokens int64, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m, messages := &r.measured, request.Messages
	if m.request == nil || m.model != model || len(messages) < len(m.request.Messages) {
		return 0, 0
	}
	for i := range m.request.Messages {
		if !sameHeldMessage(&messages[i], &m.request.Messages[i]) {
			return 0, 0
		}
	}
	tokens, n = m.input, len(m.request.Messages)
	if !isHeldStartCounted(request, m.request) {
		tokens += holdTokensOfStart(request)
	}
	if n < len(messages) && messages[n].Role == runtime.RoleAssistant && messages[n].Content == m.answer {
		return tokens + m.output, n + 1
	}
	return tokens, n
}

// isHeldStartCounted reports whether a counted request has all that another one of the agent has
// before the messages. The tools are those of the agent or, for the final answer and a
// summary, none.
func isHeldStartCounted(next, counted *runtime.Request) bool {
	return next.Instruction == counted.Instruction && bytes.Equal(next.Output.Schema, counted.Output.Schema) &&
		len(next.Tools) <= len(counted.Tools)
}

// sameHeldMessage reports whether two messages have the same tokens.
func sameHeldMessage(a, b *runtime.Message) bool {
	return a.Role == b.Role && a.Content == b.Content && a.CallID == b.CallID && a.ToolName == b.ToolName &&
		bytes.Equal(a.Extra, b.Extra) &&
		slices.EqualFunc(a.Calls, b.Calls, func(a, b runtime.Call) bool {
			return a.ID == b.ID && a.Name == b.Name && bytes.Equal(a.Args, b.Args) && bytes.Equal(a.Extra, b.Extra)
		}) &&
		slices.EqualFunc(a.Attachments, b.Attachments, func(a, b runtime.Attachment) bool {
			return a.Name == b.Name && a.MediaType == b.MediaType && bytes.Equal(a.Data, b.Data)
		})
}

// holdTokensAtMost returns more tokens than the input of a request has: what the provider
// counted for its beginning, and one for each byte beyond that. Files that are neither
// texts nor images count together as the context of the model at most.
func (r *loop) holdTokensAtMost(request *runtime.Request, f *facts) int64 {
	sum, n := r.measuredHold(f.model, request)
	if n == 0 {
		sum = holdTokensOfStart(request)
	}
	files := int64(0)
	for i := range request.Messages[n:] {
		m := &request.Messages[n+i]
		sum += f.tokensOf(m)
		for j := range m.Attachments {
			files += f.tokensOfFile(&m.Attachments[j])
		}
	}
	return sum + min(files, f.inputLimit())
}

// tokensOfFile returns more tokens than a file has that is neither a text nor an image, or
// the most that the model reads.
func (f *facts) tokensOfFile(a *runtime.Attachment) int64 {
	switch {
	case holdCountsBytes(a):
		return 0
	case a.MediaType == "application/pdf":
		if size, ok := pdf.Measure(a.Data); ok {
			return int64(size.Pages)*f.pages + int64(size.Text)*tokensOfShownByte
		}
	}
	return f.inputLimit()
}

// holdTokensOfStart returns more tokens than a request has before its messages.
func holdTokensOfStart(request *runtime.Request) int64 {
	sum := tokensOfRequest + int64(len(request.Instruction)+len(request.Output.Schema))
	for i := range request.Tools {
		t := &request.Tools[i]
		sum += tokensOfTool + int64(len(t.Name)+len(t.Description)+len(t.Input))
	}
	return sum
}

// inputLimit returns the most tokens that the model reads.
func (f *facts) inputLimit() int64 {
	if f.known == nil {
		return tokensOfUnknownContext
	}
	return int64(cmp.Or(f.known.Input, f.known.Context, tokensOfUnknownContext))
}

// holdCountsBytes reports whether a file is a text or an image.
func holdCountsBytes(a *runtime.Attachment) bool {
	return strings.HasPrefix(a.MediaType, "image/") || strings.HasPrefix(a.MediaType, "text/")
}

// tokensOf returns more tokens than a message has, with its texts and images but without
// other files.
func (f *facts) tokensOf(m *runtime.Message) int64 {
	sum := tokensOfMessage + int64(len(m.Content)+len(m.CallID)+len(m.ToolName)+len(m.Extra))
	for i := range m.Calls {
		c := &m.Calls[i]
		sum += tokensOfMessage + int64(len(c.ID)+len(c.Name)+len(c.Args)+len(c.Extra))
	}
	for i := range m.Attachments {
		a := &m.Attachments[i]
		sum += tokensOfMessage + int64(len(a.Name))
		switch {
		case strings.HasPrefix(a.MediaType, "image/"):
			sum += f.images
		case holdCountsBytes(a):
			sum += int64(len(a.Data)+2) / 3 * 4 // as base64
		}
	}
	return sum
}
