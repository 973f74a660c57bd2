package openai

import "slices"

// A provider is a service that can be named in a gram file.
type provider struct {
	name string
	keys []string // environment variables that may hold the key, best first
	base string   // where its chat completions live
}

func providers() []provider {
	return []provider{
		{"OpenAI", []string{"OPENAI_API_KEY"}, "https://api.openai.com/v1"},
		{"Anthropic", []string{"ANTHROPIC_API_KEY"}, "https://api.anthropic.com/v1"},
		{"Google", []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}, "https://generativelanguage.googleapis.com/v1beta/openai"},
	}
}

func findProvider(name string) (provider, bool) {
	all := providers()
	i := slices.IndexFunc(all, func(p provider) bool { return p.name == name })
	if i < 0 {
		return provider{}, false
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
func KeyVariables(provider string) []string {
	p, _ := findProvider(provider)
	return p.keys
}
