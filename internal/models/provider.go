package models

import (
	"slices"
	"strings"
	"unicode"
)

// A Dialect is the protocol of a provider.
type Dialect string

// The dialects.
const (
	Chat     Dialect = "chat"     // OpenAI's chat completions
	Messages Dialect = "messages" // Anthropic's Messages API
	Gemini   Dialect = "gemini"   // Google's generateContent
)

// Dialects returns every dialect.
func Dialects() []Dialect { return []Dialect{Chat, Messages, Gemini} }

// A Provider is somebody who serves models, or a program that does on this machine.
type Provider struct {
	Name    string   // as gram files write it
	Aliases []string // other names of it, in small letters without spaces, "_" and "-"
	Dialect Dialect

	// Address is the base URL of the API; "" where every user has their own.
	Address string
	// OwnAddress says that the user has another address for it, where models of every maker
	// can be.
	OwnAddress bool `json:"-"`
	// ChatAddress is the base URL of its chat completions, where the dialect is another.
	ChatAddress string
	// AddressExample is what such an address looks like.
	AddressExample string
	// AddressVariable is the environment variable that can hold another address.
	AddressVariable string
	// Keys are the environment variables for the key, in order of preference. Nil means
	// that no key is sent.
	Keys []string
	// Makes are the beginnings of the ids of the models that it makes. A provider that
	// has some serves no models of other makers.
	Makes []string
	// Serves are the beginnings of ids that people write for it without its name. They
	// are only used for suggestions.
	Serves []string

	// MaxTemperature is the highest temperature that it takes; 0 means unknown.
	MaxTemperature int

	Strict bool // it holds the model to the schema of a strict tool, by its own dialect

	// What it does with chat completions.
	Schema           bool // response_format takes a JSON Schema
	SchemaAlone      bool // … in requests without tools alone
	SchemaWhole      bool // … in requests that do not stream alone
	CompletionTokens bool // the limit of an answer is max_completion_tokens for every model
	NoStreamUsage    bool // it refuses stream_options
	ReasoningBack    bool // it refuses calls that it made, without the reasoning_content before them

	Models []Model // that are known; there may be others

	Source string // the document of the row
	Date   string // when it was read, as 2006-01-02
}

// ChatBase returns the base URL of the chat completions.
func (p *Provider) ChatBase() string {
	if p.ChatAddress != "" {
		return p.ChatAddress
	}
	return p.Address
}

// IsLocal reports whether the provider is a program on this machine, which takes no key.
func (p *Provider) IsLocal() bool { return len(p.Keys) == 0 }

// Has reports whether an id begins like those of the models that the provider makes.
func (p *Provider) Has(id string) bool { return beginsWith(id, p.Makes) }

func beginsWith(id string, beginnings []string) bool {
	for _, b := range beginnings {
		if len(id) >= len(b) && strings.EqualFold(id[:len(b)], b) {
			return true
		}
	}
	return false
}

// is reports whether name is a name of the provider: the case of letters does not count,
// nor do spaces, "_" and "-".
func (p *Provider) is(name string) bool {
	if strings.EqualFold(p.Name, name) {
		return true
	}
	name = folded(name)
	if name == folded(p.Name) {
		return true
	}
	for _, alias := range p.Aliases {
		if alias == name {
			return true
		}
	}
	return false
}

func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// Model returns the model that has the id, or has it as an alias.
func (p *Provider) Model(id string) (*Model, bool) {
	for i := range p.Models {
		if p.Models[i].ID == id {
			return &p.Models[i], true
		}
	}
	for i := range p.Models {
		if slices.Contains(p.Models[i].Aliases, id) {
			return &p.Models[i], true
		}
	}
	return nil, false
}
