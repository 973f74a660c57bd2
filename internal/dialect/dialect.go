// Package dialect makes the model of a provider: the one that speaks the protocol
// of the address, for the command gramc and for Go programs.
package dialect

import (
	"cmp"
	"os"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/anthropic"
	"github.com/gram-lang/gramc/runtime/gemini"
	"github.com/gram-lang/gramc/runtime/openai"
)

// shortWait is the MaxWait of a model before another one.
const shortWait = 3 * time.Second

// New returns the model of a provider. One that has an API of its own is asked by chat
// completions if the address is that of these, which ends in "/openai", or if the
// requests have their old wire format.
func New(o modelhttp.Options) (runtime.Model, error) {
	p, ok := o.Models.Provider(o.Provider)
	switch {
	case !ok || o.Functions || isChat(o.BaseURL):
	case p.Dialect == models.Messages:
		return built(anthropic.New(o))
	case p.Dialect == models.Gemini:
		return built(gemini.New(o))
	}
	return built(openai.New(o))
}

// Each returns a model for each provider. Each is asked when those before it are busy:
// all but the last wait only a moment then. options returns those of a provider.
func Each(providers []string, options func(provider string) (modelhttp.Options, error)) ([]runtime.Model, error) {
	list := make([]runtime.Model, 0, len(providers))
	for i, provider := range providers {
		o, err := options(provider)
		if err != nil {
			return nil, err
		}
		if i < len(providers)-1 {
			o.MaxWait = shortWait
		}
		model, err := New(o)
		if err != nil {
			return nil, err
		}
		list = append(list, model)
	}
	return list, nil
}

// FromEnvironment is [Each] with the keys and the addresses in the environment. A base URL that is
// not empty is the address of all of them.
func FromEnvironment(providers []string, baseURL string) ([]runtime.Model, error) {
	return Each(providers, func(provider string) (modelhttp.Options, error) {
		options := modelhttp.Options{Provider: provider, BaseURL: baseURL}
		for _, variable := range openai.KeyVariables(provider) {
			options.APIKey = cmp.Or(options.APIKey, os.Getenv(variable))
		}
		if baseURL == "" && openai.BaseURL(provider) == "" { // every user has their own
			options.BaseURL = os.Getenv(openai.AddressVariable(provider))
		}
		return options, nil
	})
}

// isChat reports whether an address of a provider, or of a proxy for it, is that of chat
// completions beside the API of its own.
func isChat(base string) bool { return strings.HasSuffix(strings.TrimRight(base, "/"), "/openai") }

// built returns no model with an error.
func built[M runtime.Model](m M, err error) (runtime.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
