// Package dialect makes the model of a provider: the one that speaks the protocol
// of the address, for the command gramc and for Go programs.
package dialect

import (
	"strings"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/gemini"
	"github.com/gram-lang/gramc/runtime/openai"
)

// New returns the model of a provider. Google speaks the Gemini API, unless the
// address is that of chat completions, which ends in "/openai", or the request has
// the old wire format of these.
func New(o openai.Options) (runtime.Model, error) {
	switch {
	case o.Provider == "Google" && !o.Functions && !isGoogleChat(o.BaseURL):
		return built(gemini.New(gemini.Options{
			BaseURL: o.BaseURL, APIKey: o.APIKey, HTTPClient: o.HTTPClient,
			StartTimeout: o.StartTimeout, Timeout: o.Timeout, MaxRetries: o.MaxRetries,
		}))
	}
	return built(openai.New(o))
}

// isGoogleChat reports whether an address of Google, or of a proxy for it, is that
// of chat completions.
func isGoogleChat(base string) bool {
	return strings.HasSuffix(strings.TrimRight(base, "/"), "/openai")
}

// built returns no model with an error.
func built[M runtime.Model](m M, err error) (runtime.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
