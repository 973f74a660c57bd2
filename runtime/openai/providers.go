package openai

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/provider"
)

// A knownProvider is one that a gram file can name.
type knownProvider struct {
	name string
	keys []string // environment variables for the key, in order of preference
	base string   // URL of its chat completions

	strict  bool // it enforces the schema of a strict tool
	answers bool // it accepts a schema for the response
}

// target returns the target of tools that are not strict.
func (p *knownProvider) target() provider.Target { return provider.Of(p.name, false) }

// variables names the environment variables for the key.
func (p *knownProvider) variables() string { return strings.Join(p.keys, " or ") }

// providers returns the table of providers. According to the documentation of
// their chat completions, Anthropic ignores "strict" and "response_format"
// (https://platform.claude.com/docs/en/api/openai-sdk), Google accepts the second
// (https://ai.google.dev/gemini-api/docs/openai).
func providers() []knownProvider {
	return []knownProvider{
		{"OpenAI", []string{"OPENAI_API_KEY"}, "https://api.openai.com/v1", true, true},
		{"Anthropic", []string{"ANTHROPIC_API_KEY"}, "https://api.anthropic.com/v1", false, false},
		{"Google", []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}, "https://generativelanguage.googleapis.com/v1beta/openai", false, true},
	}
}

func findProvider(name string) (knownProvider, bool) {
	all := providers()
	i := slices.IndexFunc(all, func(p knownProvider) bool { return p.name == name })
	if i < 0 {
		return knownProvider{}, false
	}
	return all[i], true
}

// Providers returns the valid names for [Options.Provider].
func Providers() []string {
	var names []string
	for _, p := range providers() {
		names = append(names, p.name)
	}
	return names
}

// BaseURL returns the address of the chat completions of a provider, "" for an
// unknown one.
func BaseURL(name string) string {
	p, _ := findProvider(name)
	return p.base
}

// KeyVariables returns the environment variables for the key of a provider, in
// order of preference. It is nil for an unknown provider.
func KeyVariables(name string) []string {
	p, _ := findProvider(name)
	return p.keys
}
