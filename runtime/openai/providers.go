package openai

import (
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/provider"
)

// target returns the target of tools that are not strict.
func (m *Model) target() provider.Target { return provider.TargetOf(m.provider, false) }

// Providers returns the valid names for [Options.Provider].
func Providers() []string { return models.Builtin().Names() }

// BaseURL returns the address of the chat completions of a provider, "" for an
// unknown one and for one where every user has their own.
func BaseURL(name string) string {
	p, ok := models.Builtin().Provider(name)
	if !ok {
		return ""
	}
	return p.ChatBase()
}

// KeyVariables returns the environment variables for the key of a provider, in
// order of preference. It is nil for an unknown provider, and for one that takes no key.
func KeyVariables(name string) []string {
	p, ok := models.Builtin().Provider(name)
	if !ok {
		return nil
	}
	return p.Keys
}

// AddressVariable returns the environment variable that holds an address to use instead
// of [BaseURL], "" for an unknown provider.
func AddressVariable(name string) string {
	p, ok := models.Builtin().Provider(name)
	if !ok {
		return ""
	}
	return p.AddressVariable
}
