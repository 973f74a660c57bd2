package compile

import (
	"encoding/json"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// MarshalJSON writes the library as data, with its gram text as "definition":
// that is what ReadProgram reads.
func (l *Library) MarshalJSON() ([]byte, error) {
	type plain Library
	out := struct {
		*plain
		Definition string `json:"definition"`
		Place      Place  `json:"span,omitzero"` // behind it
	}{plain: (*plain)(l), Place: l.Place}
	if l.pattern != nil {
		out.Definition = ast.Print(l.definition())
	}
	return plainjson.Marshal(out)
}

// definition returns the library as a pattern by itself.
func (l *Library) definition() *ast.Pattern {
	bare := *l.pattern
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
		Place        Place           `json:"span,omitzero"` // behind them
	}{(*plain)(e), e.Schema(), e.OutputSchema(), e.Place})
}

// libraryJSON is a Library as an IR file has it, and as it is read.
type libraryJSON struct {
	Definition string `json:"definition"`
	Entries    []struct {
		Span Place `json:"span"`
	} `json:"entries"`
	Span Place `json:"span"`
}
