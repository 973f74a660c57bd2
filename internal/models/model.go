package models

import "slices"

// A Support is whether a model takes something.
type Support uint8

// The values of a Support.
const (
	Unknown Support = iota
	Yes
	No
)

// String returns "unknown", "yes" or "no".
func (s Support) String() string { return [...]string{"unknown", "yes", "no"}[s] }

// A Model is what is known of a model. Zero means unknown.
type Model struct {
	ID      string   // what the provider calls it
	Aliases []string // other ids of it, such as dated ones

	Context int // tokens of a conversation, with the answer unless the provider counts that apart
	Input   int // tokens of a conversation without the answer, where that is limited by itself
	Output  int // most tokens of an answer

	Tools       Support
	Images      Support // as input
	Files       Support // PDF documents, as input
	Schema      Support // the answer can be held to a JSON Schema
	Temperature Support // No: any value but 1 is refused
	Reasoning   Support

	ImageTokens int // most of one image
	MaxTools    int // in one request
	MaxToolName int // bytes of the name of a tool

	// OnlyResponses says that OpenAI serves the model by the Responses API alone, and
	// ResponsesTools that chat completions refuse its tools unless it does not reason.
	OnlyResponses, ResponsesTools bool

	Prices *Prices // nil means unknown

	Deprecated bool   // the provider advises against it, or has announced its end
	Retired    string // the day on which the provider stops serving it, as 2006-01-02; "" means unknown
	Successor  string // the id that the provider names in its place; "" means unknown

	// Source is the document of the row, and Date the day on which it was read, as
	// 2006-01-02. Where Source names a commit, the facts are as old as that commit.
	Source, Date string
}

// Is reports whether id is one of the model's.
func (m *Model) Is(id string) bool { return m.ID == id || slices.Contains(m.Aliases, id) }
