package gemini

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// A plan is how one request is sent, and what is needed to read its response.
type plan struct {
	request  *runtime.Request
	provider string // its name
	model    string // the id without a prefix
	family   provider.GeminiFamily
	tools    *tools
	answer   answerForm
	body     []byte
}

// plan returns how r is sent.
func (m *Model) plan(r *runtime.Request) (*plan, error) {
	p := &plan{request: r, provider: m.name, model: m.id(r.Model)}
	p.family = provider.GeminiFamilyOf(p.model)
	tools, err := m.toolbox.Lower(r.Tools)
	if err != nil {
		return nil, err
	}
	p.tools = tools
	p.answer = p.answerForm()
	body := &generateRequest{Tools: tools.Encoded, Config: p.config()}
	if p.answer.Tool != nil {
		if body.Tools, err = encodedTools(append(slices.Clip(tools.List), *p.answer.Tool)); err != nil {
			return nil, runtime.Errorf(runtime.KindConfiguration, "the tools cannot be sent: %w", err)
		}
	}
	if slices.ContainsFunc(r.Tools, func(c runtime.Contract) bool { return c.Strict }) {
		// Constrained decoding; the default mode may break a schema.
		body.ToolConfig = &toolConfig{}
		body.ToolConfig.Calling.Mode = "VALIDATED"
	}
	h := history{plan: p}
	instruction := strings.TrimSpace(r.Instruction + "\n\n" + p.answer.asked)
	switch {
	case instruction == "":
	case p.family.Instruction:
		body.System = &content{Parts: []json.RawMessage{textPart(instruction)}}
	default:
		h.instruction = instruction
	}
	if body.Contents, err = h.contents(r.Messages); err != nil {
		return nil, err
	}
	p.body, err = plainjson.Marshal(body)
	if err != nil {
		return nil, runtime.Errorf(runtime.KindConfiguration, "the request cannot be written: %w", err)
	}
	return p, nil
}

// config returns the settings of a request, nil for none.
func (p *plan) config() *generationConfig {
	c := generationConfig{MaxTokens: p.request.MaxTokens}
	if t := p.request.Temperature; t != nil {
		c.Temperature = json.Number(strconv.FormatFloat(*t, 'f', -1, 64))
	}
	if p.answer.json {
		c.MIMEType, c.Schema = "application/json", p.answer.schema
	}
	if p.family.Thinks {
		c.Thinking = &thinkingConfig{Include: true}
	}
	if c.Temperature == "" && c.MaxTokens == 0 && c.MIMEType == "" && c.Thinking == nil {
		return nil
	}
	return &c
}

// id returns the id of a model as the documentation writes it.
func (m *Model) id(model string) string {
	return strings.TrimPrefix(strings.TrimPrefix(model, m.name+"/"), "models/")
}

// address returns the URL of a method of a model. Models that a user tuned have an
// id with a slash, "tunedModels/…".
func (m *Model) address(model, method string) string {
	resource := "models/" + url.PathEscape(model)
	if id, tuned := strings.CutPrefix(model, "tunedModels/"); tuned {
		resource = "tunedModels/" + url.PathEscape(id)
	}
	return m.base + "/" + resource + ":" + method
}
