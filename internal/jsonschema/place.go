package jsonschema

import (
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// A Place is a location in a document, with the schema there. Each location has
// one place.
type Place struct {
	Parent *Place
	Token  string  // "" at the root
	Schema *Schema // or nil
	depth  int
	below  map[string]*Place
}

func (p *Place) child(token string) *Place {
	c := p.below[token]
	if c == nil {
		c = &Place{Parent: p, Token: token, depth: p.depth + 1}
		if p.below == nil {
			p.below = map[string]*Place{}
		}
		p.below[token] = c
	}
	return c
}

// Pointer returns the JSON pointer of a place, or the start of a very long one.
func (p *Place) Pointer() string {
	const most = 1000 // characters
	if p == nil {
		return ""
	}
	tokens := make([]string, p.depth+1)
	for i := p.depth; i > 0; p, i = p.Parent, i-1 {
		tokens[i] = jsonpointer.Token(excerpt.Short(p.Token, most))
	}
	return excerpt.Short(strings.Join(tokens, "/"), most)
}

// typeName returns the name of the type that is defined at a place, quoted, or "".
func (p *Place) typeName() string {
	if p == nil || p.Parent == nil || p.Parent.Schema != nil || p.Parent.Token != "$defs" && p.Parent.Token != "definitions" {
		return ""
	}
	return string(plainjson.String(excerpt.Short(p.Token, maxShown)))
}
