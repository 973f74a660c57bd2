package types

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// keywordOrder is the order in which keywords stand in a schema.
var keywordOrder = strings.Fields(`title description type enum const minimum maximum exclusiveMinimum exclusiveMaximum
	multipleOf minLength maxLength pattern format contentEncoding contentMediaType minItems maxItems uniqueItems
	minProperties maxProperties additionalProperties default examples deprecated readOnly writeOnly`)

// addKeyword adds a keyword that t and the named type behind it do not have.
func (c *Checker) addKeyword(t *Type, k Keyword, what string) {
	if !isNoteKeyword(k.Name) && t.expanded().keyword(k.Name) != nil {
		c.Diags.Errorf(k.Span, diag.CodeInvalidConstraint, "%s has its %s already", what, attributeOf(k.Name))
		return
	}
	t.setKeyword(k)
	sortKeywords(t.Keywords)
}

// sortKeywords puts keywords into the order in which they stand in a schema.
func sortKeywords(list []Keyword) {
	slices.SortStableFunc(list, func(a, b Keyword) int { return keywordRank(a.Name) - keywordRank(b.Name) })
}

// keywordRank returns the position of a keyword in a schema: those that gram has no
// word for stand behind the others.
func keywordRank(keyword string) int {
	if i := slices.Index(keywordOrder, keyword); i >= 0 {
		return i
	}
	return len(keywordOrder)
}

// isNoteKeyword reports whether a keyword does not restrict what is valid.
func isNoteKeyword(keyword string) bool {
	switch keyword {
	case "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly":
		return true
	}
	return false
}

// A Keyword is a member of a RawJSON Schema, such as "minimum".
type Keyword struct {
	Name  string
	Value json.RawMessage
	Span  source.Span // where it is written
}

// keyword returns the value of a keyword of t itself, nil when it has none.
func (t *Type) keyword(name string) json.RawMessage {
	for i := range t.Keywords {
		if t.Keywords[i].Name == name {
			return t.Keywords[i].Value
		}
	}
	return nil
}

// setKeyword adds a keyword, or changes it.
func (t *Type) setKeyword(k Keyword) {
	for i := range t.Keywords {
		if t.Keywords[i].Name == k.Name {
			t.Keywords[i] = k
			return
		}
	}
	t.Keywords = append(t.Keywords, k)
}

// Keyword returns what a type, with the named types behind it, says of a keyword
// of RawJSON Schema; nil when it says nothing.
func (t *Type) Keyword(name string) []byte {
	for ; t != nil; t = t.Def.Type {
		if value := t.keyword(name); value != nil || t.Def == nil {
			return value
		}
	}
	return nil
}
