package jsonschema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonpointer"
)

// Limits of the schemas that are compared.
const (
	MaxSchemaBytes = 4 << 20
	maxSchemaDepth = 1000
	maxSchemaParts = 20_000
)

// A Document is a JSON Schema that was read to be compared.
type Document struct {
	Root *Schema
	Node *Node // the text; true for an empty one

	top        *Place
	dialect    string // the value of $schema; dialects differ in rare keywords
	legacy     bool   // before 2019-09: keywords beside a $ref are ignored
	parts      int
	unresolved []*Schema // their references are not followed yet
}

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

// ReadDocument reads a schema to be compared; an empty text accepts everything.
// The error says why it cannot be compared, as in "is not JSON".
func ReadDocument[T ~string | ~[]byte](text T) (*Document, error) {
	d := &Document{top: &Place{}, Node: Bool(true)}
	if len(text) > MaxSchemaBytes {
		return nil, fmt.Errorf("is larger than %d MiB", MaxSchemaBytes>>20)
	}
	if len(text) > 0 {
		var err error
		if d.Node, err = Read(text, &ReadOptions{Accept: AcceptAll}); err != nil {
			return nil, errors.New("is not JSON")
		}
	}
	d.dialect = strings.TrimSuffix(d.Node.Get("$schema").Text(), "#")
	d.legacy = strings.Contains(d.dialect, "/draft-0")
	var err error
	if d.Root, err = d.schema(d.Node, d.top); err != nil {
		return nil, err
	}
	for len(d.unresolved) > 0 {
		s := d.unresolved[len(d.unresolved)-1]
		d.unresolved = d.unresolved[:len(d.unresolved)-1]
		if err := d.resolve(s); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// resolve finds what a schema refers to. A reference that leads nowhere, or out
// of the document, is opaque.
func (d *Document) resolve(s *Schema) error {
	ref := s.node.Get("$ref")
	location, local := ParseRef(ref.Text())
	target := d.Node.Lookup(location)
	if !local || target == nil {
		s.setOpaque("$ref", ref, true)
		return nil
	}
	at := d.top
	for _, token := range location.Tokens() {
		at = at.child(token)
	}
	var err error
	s.ref, err = d.schema(target, at)
	return err
}
