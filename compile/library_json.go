package compile

import (
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
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

// libraries reads the libraries of a program.
func (r *reader) libraries(list []libraryJSON) []*Library {
	var libraries []*Library
	seen := map[string]bool{}
	for i, in := range list {
		path := fmt.Sprintf("libraries[%d].definition: ", i)
		f, problems := grammar.Parse("library", in.Definition)
		switch {
		case problems.HasErrors():
			r.errorf(path, "%s: %s", problems[0].Span.Pos(), problems[0].Message)
			continue
		case len(f.Patterns) != 1 || f.Header != nil || !isLibrary(f.Patterns[0]):
			r.errorf(path, "it is not one library")
			continue
		}
		l := r.library(path, f.Patterns[0])
		if l == nil {
			continue
		}
		if seen[l.Name] && l.Name != "" {
			r.errorf(path, "there are two libraries %s", quote(l.Name))
		}
		seen[l.Name] = true
		l.Place = in.Span
		for i, e := range l.Entries {
			if i < len(in.Entries) {
				e.Place = in.Entries[i].Span
			}
		}
		libraries = append(libraries, l)
	}
	return libraries
}

// library lowers the definition of a library; nil when something is wrong with
// it.
func (r *reader) library(path string, p *ast.Pattern) *Library {
	c := r.types.fork()
	c.gram(p)
	l := c.library(p)
	if c.broken || c.diags.HasErrors() {
		for _, d := range c.diags {
			if d.Severity == diag.Error {
				r.errorf(path, "%s: %s", d.Span.Pos(), d.Message)
			}
		}
		return nil
	}
	return l
}
