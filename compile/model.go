package compile

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/spell"
)

// A Model names a language model and who serves it.
type Model struct {
	Provider string `json:"provider"` // OpenAI, Anthropic or Google
	ID       string `json:"id"`       // what the provider calls it
}

// String returns the model as gram files write it: OpenAI/gpt-4o-mini.
func (m Model) String() string { return m.Provider + "/" + m.ID }

// modelProviders returns the providers that are known, the default first.
func modelProviders() []string { return []string{"OpenAI", "Anthropic", "Google"} }

// ParseModel reads Provider/id. The case of the provider does not matter, the
// id may hold slashes, and an id by itself is one of OpenAI.
func ParseModel(text string) (Model, error) {
	m := Model{Provider: modelProviders()[0], ID: text}
	if provider, id, ok := strings.Cut(text, "/"); ok {
		m = Model{Provider: canonicalProvider(provider), ID: id}
		if m.Provider == "" {
			return Model{}, &providerError{provider}
		}
	}
	switch {
	case text == "":
		return Model{}, fmt.Errorf("the model is empty; write %s", modelExample)
	case m.ID == "":
		return Model{}, fmt.Errorf("the model %s has no id after the slash; write %s", report.Quote(text), modelExample)
	case strings.ContainsFunc(m.ID, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return Model{}, fmt.Errorf("the id of the model %s contains whitespace", report.Quote(text))
	}
	return m, nil
}

const modelExample = `"Provider/id", such as "OpenAI/gpt-4o-mini"`

// familyProvider returns the provider, other than the default one, whose models
// have names like id; "" when there is none.
func familyProvider(id string) string {
	switch {
	case strings.HasPrefix(id, "claude"):
		return "Anthropic"
	case strings.HasPrefix(id, "gemini"), strings.HasPrefix(id, "gemma"):
		return "Google"
	}
	return ""
}

// canonicalProvider returns the known spelling of a provider, "" for others.
func canonicalProvider(name string) string {
	for _, known := range modelProviders() {
		if strings.EqualFold(known, name) {
			return known
		}
	}
	return ""
}

// A providerError says that nobody knows the provider of a model.
type providerError struct{ provider string }

// nearest returns the provider that was probably meant, "" when none is near.
func (e *providerError) nearest() string { return spell.Nearest(e.provider, modelProviders()) }

func (e *providerError) Error() string {
	message := fmt.Sprintf("unknown model provider %s; known are %s", report.Quote(e.provider), strings.Join(modelProviders(), ", "))
	if near := e.nearest(); near != "" {
		message += "; did you mean " + near + "?"
	}
	return message
}

// KnownModels returns models that many people use, as agents name them. There
// are others.
func KnownModels() []Model {
	var models []Model
	for i, ids := range [][]string{
		{"gpt-4o-mini", "gpt-4o", "gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano", "gpt-5", "gpt-5-mini", "gpt-5-nano", "o3", "o4-mini"},
		{"claude-sonnet-4-5", "claude-haiku-4-5", "claude-opus-4-1", "claude-sonnet-4-0", "claude-3-5-haiku-latest"},
		{"gemini-2.5-flash", "gemini-2.5-pro", "gemini-2.5-flash-lite", "gemini-2.0-flash"},
	} {
		for _, id := range ids {
			models = append(models, Model{Provider: modelProviders()[i], ID: id})
		}
	}
	return models
}
