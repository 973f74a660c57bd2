package compat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonpointer"
)

// Limits of the schemas that are compared. Others are told to be too large.
const (
	maxSchemaBytes = 4 << 20
	maxSchemaDepth = 1000
	maxSchemaParts = 20_000
)

// A document is a JSON Schema, taken apart.
type document struct {
	raw    any
	root   *schema
	at     *place
	draft  string // what $schema says; the drafts differ in rare keywords
	legacy bool   // before 2019-09: nothing counts beside a $ref
	parts  int
	wanted []*schema // those with references that are not followed yet
}

// A place is where something stands in a document.
type place struct {
	doc    *document
	parent *place
	token  string // "" at the root
	depth  int
	below  map[string]*place
	schema *schema // nil where there is none
}

func (p *place) child(token string) *place {
	c := p.below[token]
	if c == nil {
		c = &place{doc: p.doc, parent: p, token: token, depth: p.depth + 1}
		if p.below == nil {
			p.below = map[string]*place{}
		}
		p.below[token] = c
	}
	return c
}

const maxPointer = 1000 // characters

// pointer returns the JSON pointer of a place, or the start of a very long one.
func (p *place) pointer() string {
	if p == nil {
		return ""
	}
	tokens := make([]string, p.depth+1)
	for i := p.depth; i > 0; p, i = p.parent, i-1 {
		tokens[i] = jsonpointer.Token(excerpt.Short(p.token, maxPointer))
	}
	return excerpt.Short(strings.Join(tokens, "/"), maxPointer)
}

// readDocument takes a schema apart; none accepts everything. The error says
// why it cannot be compared.
func readDocument(raw json.RawMessage) (d *document, err error) {
	d = &document{}
	d.at = &place{doc: d}
	switch {
	case len(raw) == 0:
		d.raw = true
	case len(raw) > maxSchemaBytes:
		return nil, fmt.Errorf("is larger than %d MiB", maxSchemaBytes>>20)
	default:
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		if decoder.Decode(&d.raw) != nil || decoder.More() {
			return nil, fmt.Errorf("is not JSON")
		}
	}
	if root, ok := d.raw.(map[string]any); ok {
		d.draft, _ = root["$schema"].(string)
		d.draft = strings.TrimSuffix(d.draft, "#")
		d.legacy = strings.Contains(d.draft, "/draft-0")
	}
	if d.root, err = d.schema(d.raw, d.at); err != nil {
		return nil, err
	}
	for len(d.wanted) > 0 {
		s := d.wanted[len(d.wanted)-1]
		d.wanted = d.wanted[:len(d.wanted)-1]
		if err := d.follow(s); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// follow finds what a schema refers to. A reference that leads nowhere, or out
// of the document, says something that nobody knows.
func (d *document) follow(s *schema) error {
	target := s.refers
	pointer, local := strings.CutPrefix(target, "#")
	pointer, err := url.PathUnescape(pointer)
	if !local || err != nil || pointer != "" && pointer[0] != '/' {
		s.hide("$ref", target, true)
		return nil
	}
	raw, at := d.raw, d.at
	if pointer != "" {
		for token := range strings.SplitSeq(pointer[1:], "/") {
			key := jsonpointer.Key(token)
			found := false
			switch value := raw.(type) {
			case map[string]any:
				raw, found = value[key]
			case []any:
				if i, err := strconv.Atoi(key); err == nil && 0 <= i && i < len(value) {
					raw, found = value[i], true
				}
			}
			if !found {
				s.hide("$ref", target, true)
				return nil
			}
			at = at.child(key)
		}
	}
	s.ref, err = d.schema(raw, at)
	return err
}
