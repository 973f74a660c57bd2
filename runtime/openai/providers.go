package openai

import (
	"slices"

	"github.com/gram-lang/gramc/internal/provider"
)

// A service is a provider that can be named in a gram file.
type service struct {
	name string
	keys []string // environment variables that may hold the key, best first
	base string   // where its chat completions live

	strict  bool // it holds a model to the schema of a strict tool
	answers bool // it takes a schema for the answer
}

// target returns what the provider takes of tools that are not strict.
func (p *service) target() provider.Target { return provider.Of(p.name, false) }

// providers says of each what its chat completions are documented to do with
// "strict" and "response_format": Anthropic ignores both
// (https://platform.claude.com/docs/en/api/openai-sdk), Google takes the second
// (https://ai.google.dev/gemini-api/docs/openai).
func providers() []service {
	return []service{
		{"OpenAI", []string{"OPENAI_API_KEY"}, "https://api.openai.com/v1", true, true},
		{"Anthropic", []string{"ANTHROPIC_API_KEY"}, "https://api.anthropic.com/v1", false, false},
		{"Google", []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}, "https://generativelanguage.googleapis.com/v1beta/openai", false, true},
	}
}

func findProvider(name string) (service, bool) {
	all := providers()
	i := slices.IndexFunc(all, func(p service) bool { return p.name == name })
	if i < 0 {
		return service{}, false
	}
	return all[i], true
}

// Providers returns the names that [Options.Provider] may have.
func Providers() []string {
	var names []string
	for _, p := range providers() {
		names = append(names, p.name)
	}
	return names
}

// KeyVariables returns the environment variables that may hold the key of a
// provider, the one to look at first first. It is nil for an unknown provider.
func KeyVariables(name string) []string {
	p, _ := findProvider(name)
	return p.keys
}
