package jsonschema

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// schema reads the schema at a place, once.
func (d *Document) schema(n *Node, at *Place) (*Schema, error) {
	if at.Schema != nil {
		return at.Schema, nil
	}
	if d.parts++; d.parts > maxSchemaParts {
		return nil, fmt.Errorf("has more than %d parts", maxSchemaParts)
	}
	if at.depth > maxSchemaDepth {
		return nil, fmt.Errorf("is nested deeper than %d levels", maxSchemaDepth)
	}
	s := &Schema{At: at, node: n, types: AnyType}
	at.Schema = s
	switch {
	case n.IsBool():
		s.never = n.Kind == KindFalse
	case n.Kind == KindObject:
		return s, d.object(s)
	default:
		s.setOpaque("", n, false)
	}
	return s, nil
}

func (d *Document) object(s *Schema) error {
	if s.node.Get("$id").Is(KindString) && s.At.Parent != nil {
		return errors.New("has a part with an $id of its own")
	}
	if s.node.Get("$ref").Is(KindString) {
		d.unresolved = append(d.unresolved, s)
		if d.legacy {
			return nil
		}
	}
	groups := map[string][]Member{}
	for _, m := range s.node.Members {
		if group := documentGroup(m.Key, s.node); group != "" {
			groups[group] = append(groups[group], m)
			continue
		}
		understood, err := d.keyword(s, m.Key, m.Value)
		if err != nil {
			return err
		}
		if !understood {
			s.setOpaque(m.Key, m.Value, strings.HasPrefix(m.Key, "unevaluated") || strings.HasPrefix(m.Key, "$"))
		}
	}
	for group, members := range groups {
		s.setOpaque(group, Object(members...), false)
	}
	return nil
}

// documentGroup returns the group of a keyword, "" for most. "items" with a list counts
// as prefixItems.
func documentGroup(keyword string, schema *Node) string {
	if keyword == "items" || keyword == "prefixItems" {
		if schema.Get("prefixItems") != nil || schema.Get("items").Is(KindArray) {
			return "prefixItems"
		}
	}
	k, _ := KeywordNamed(keyword)
	return k.Group
}

// keyword reads one keyword and reports whether it was understood.
func (d *Document) keyword(s *Schema, keyword string, value *Node) (understood bool, err error) {
	at := s.At.child(keyword)
	k, known := KeywordNamed(keyword)
	switch keyword {
	case "$ref":
		return value.Kind == KindString, nil
	case "type":
		s.types, understood = readDocumentTypes(s.node)
	case "enum":
		if value.Kind != KindArray {
			return false, nil
		}
		s.list(value.Items)
		return true, nil
	case "const":
		s.list([]*Node{value})
		return true, nil
	case "uniqueItems":
		s.unique = value.Kind == KindTrue
		return value.IsBool(), nil
	case "pattern":
		s.regexp = value.Text()
		return value.Kind == KindString, nil
	case "format":
		s.format = value.Text()
		return value.Kind == KindString, nil
	case "required":
		s.required, understood = value.Texts()
		slices.Sort(s.required)
	case "properties":
		if s.properties, understood, err = d.named(value, at); understood {
			s.names = sortedKeys(s.properties)
		}
	case "patternProperties":
		s.patterns, understood, err = d.named(value, at)
	case "additionalProperties":
		s.others, err = d.schema(value, at)
		return true, err
	case "items":
		s.items, err = d.schema(value, at)
		return true, err
	case "allOf":
		s.all, understood, err = d.list(value, at)
	case "anyOf", "oneOf":
		c := &choice{exclusive: keyword == "oneOf"}
		if c.alternatives, understood, err = d.list(value, at); understood {
			s.choices = append(s.choices, c)
		}
	default:
		switch {
		case documentIsLimit(k):
			return s.limit(k, value), nil
		case k.Role == Annotation || !known:
			if s.annotations == nil {
				s.annotations = map[string]*Node{}
			}
			s.annotations[keyword] = value
		}
		return k.Role != Assertion, nil
	}
	return understood, err
}

// documentIsLimit reports whether a keyword limits a number, a length or a count.
func documentIsLimit(k Keyword) bool {
	return k.Role == Assertion && k.Group == "" && (k.Form == FormNumber || k.Form == FormStep || k.Form == FormCount)
}

// readDocumentTypes reads the keyword type.
func readDocumentTypes(schema *Node) (types Types, understood bool) {
	value := schema.Get("type")
	if value.Kind != KindString && value.Kind != KindArray {
		return AnyType, false
	}
	for _, name := range schema.TypeList() {
		t := TypeNamed(name)
		if t == 0 {
			return AnyType, false
		}
		types |= t
	}
	return types, true
}

func (d *Document) named(n *Node, at *Place) (map[string]*Schema, bool, error) {
	if n.Kind != KindObject {
		return nil, false, nil
	}
	named := make(map[string]*Schema, len(n.Members))
	for _, m := range n.Members {
		s, err := d.schema(m.Value, at.child(m.Key))
		if err != nil {
			return nil, false, err
		}
		named[m.Key] = s
	}
	return named, true, nil
}

func (d *Document) list(n *Node, at *Place) ([]*Schema, bool, error) {
	if len(n.Items) == 0 {
		return nil, false, nil
	}
	list := make([]*Schema, len(n.Items))
	for i, item := range n.Items {
		var err error
		if list[i], err = d.schema(item, at.child(strconv.Itoa(i))); err != nil {
			return nil, false, err
		}
	}
	return list, true, nil
}
