// Package dialect makes the model of a provider: the one that speaks the protocol
// of the address, for the command gramc and for Go programs.
package dialect

import (
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/anthropic"
	"github.com/gram-lang/gramc/runtime/gemini"
	"github.com/gram-lang/gramc/runtime/openai"
)

// ShortWait is the openai.Options.MaxWait of a model that another one can replace.
const ShortWait = 3 * time.Second

// New returns the model of a provider. One that has an API of its own is asked by chat
// completions if the address is that of these, which ends in "/openai", or if the
// requests have their old wire format.
func New(o openai.Options) (runtime.Model, error) {
	p, ok := o.Models.Provider(o.Provider)
	switch {
	case !ok || o.Functions || isChat(o.BaseURL):
	case p.Dialect == models.Messages:
		return built(anthropic.New(anthropic.Options{
			Provider: o.Provider, Models: o.Models, BaseURL: o.BaseURL, APIKey: o.APIKey, HTTPClient: o.HTTPClient,
			StartTimeout: o.StartTimeout, Timeout: o.Timeout, MaxRetries: o.MaxRetries, MaxWait: o.MaxWait,
		}))
	case p.Dialect == models.Gemini:
		return built(gemini.New(gemini.Options{
			Provider: o.Provider, Models: o.Models, BaseURL: o.BaseURL, APIKey: o.APIKey, HTTPClient: o.HTTPClient,
			StartTimeout: o.StartTimeout, Timeout: o.Timeout, MaxRetries: o.MaxRetries, MaxWait: o.MaxWait,
		}))
	}
	return built(openai.New(o))
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
