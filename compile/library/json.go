package library

import (
	"encoding/json"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/source"
)

// MarshalJSON writes the library as data, with its gram text as "definition":
// that is what ReadProgram reads.
func (l *Library) MarshalJSON() ([]byte, error) {
	type plain Library
	out := struct {
		*plain
		Definition string       `json:"definition"`
		Place      source.Place `json:"span,omitzero"` // behind it
	}{plain: (*plain)(l), Place: l.Place}
	if l.Pattern != nil {
		out.Definition = ast.Print(l.Definition())
	}
	return plainjson.Marshal(out)
}

// Definition returns the library as a pattern by itself.
func (l *Library) Definition() *ast.Pattern {
	bare := *l.Pattern
	bare.Annotations = nil
	return &bare
}

// MarshalJSON writes the entry, with the schemas of its signature.
func (e *Entry) MarshalJSON() ([]byte, error) {
	type plain Entry
	return plainjson.Marshal(struct {
		*plain
		Schema       json.RawMessage `json:"schema,omitempty"`
		OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
		Place        source.Place    `json:"span,omitzero"` // behind them
	}{(*plain)(e), e.Schema(), e.OutputSchema(), e.Place})
}

// LibraryJSON is a Library as an IR file has it, and as it is read.
type LibraryJSON struct {
	Definition string `json:"definition"`
	Entries    []struct {
		Span source.Place `json:"span"`
	} `json:"entries"`
	Span source.Place `json:"span"`
}
