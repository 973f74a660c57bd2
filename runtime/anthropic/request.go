package anthropic

import (
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/gram-lang/gramc/internal/lowered"
	"github.com/gram-lang/gramc/runtime"
)

// A plan is a request, and what its response has to be read with.
type plan struct {
	provider string // its name, under which a conversation keeps blocks
	params   anthropic.MessageNewParams
	tools    *tools
	answer   *lowered.Answer // nil for text
}

// plan returns r as the API takes it.
func (m *Model) plan(r *runtime.Request) (*plan, error) {
	id := strings.TrimPrefix(r.Model, m.provider.Name+"/")
	f := m.facts(id)
	box := m.loose
	if f.hasFormats() {
		box = m.strict
	}
	tools, err := box.Lower(r.Tools)
	if err != nil {
		return nil, err
	}
	p := &plan{provider: m.provider.Name, tools: tools}
	p.params = anthropic.MessageNewParams{Model: id, MaxTokens: int64(r.MaxTokens), Tools: tools.Encoded}
	if r.MaxTokens <= 0 {
		p.params.MaxTokens = f.maxTokens()
	}
	if t := r.Temperature; t != nil && f.takesTemperature() {
		if *t < 0 || *t > 1 {
			return nil, runtime.Errorf(runtime.KindConfiguration, "temperature %v cannot be sent: Anthropic takes 0 to 1", *t)
		}
		p.params.Temperature = param.NewOpt(*t)
	}
	if !isBlank(r.Instruction) {
		p.params.System = []anthropic.TextBlockParam{{Text: r.Instruction}}
	}
	if p.params.Messages, err = turns(m.provider.Name, r.Messages); err != nil {
		return nil, err
	}
	if len(r.Tools) == 0 {
		if p.params.Tools = calledTools(r.Messages); len(p.params.Tools) > 0 {
			p.params.ToolChoice.OfNone = &anthropic.ToolChoiceNoneParam{}
		}
	}
	if !r.Output.IsText() {
		if err := p.askAnswer(r.Output, f); err != nil {
			return nil, err
		}
	}
	p.markCache()
	return p, nil
}

// markCache marks what the API keeps in its cache: the tools, the instruction, and
// the conversation up to the newest turn of the user. The mark on the turn before
// finds what the last request has left there, however long the newest turn is: the API
// looks back over 20 blocks alone. It takes 4 marks
// (https://platform.claude.com/docs/en/build-with-claude/prompt-caching).
func (p *plan) markCache() {
	mark := anthropic.NewCacheControlEphemeralParam()
	if n := len(p.params.Tools); n > 0 {
		last := *p.params.Tools[n-1].OfTool // which other requests share
		last.CacheControl = mark
		p.params.Tools = append(p.params.Tools[:n-1:n-1], anthropic.ToolUnionParam{OfTool: &last})
	}
	if n := len(p.params.System); n > 0 {
		p.params.System[n-1].CacheControl = mark
	}
	left := 2
	for i := len(p.params.Messages) - 1; i >= 0 && left > 0; i-- {
		turn := &p.params.Messages[i]
		if turn.Role != anthropic.MessageParamRoleUser {
			continue
		}
		left--
		if c := turn.Content[len(turn.Content)-1].GetCacheControl(); c != nil {
			*c = mark
		}
	}
}
