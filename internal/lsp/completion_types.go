package lsp

import (
	"regexp"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// typeExpression adds what is possible in a type: names, and between parentheses after a
// name attributes and their values.
func (c *completer) typeExpression() {
	if c.token.quote == 0 {
		c.typeNames("", "")
		c.typeShapes()
		return
	}
	c.replace(c.offset-len(c.typedName()), min(c.offset+wordLength(c.d.text[c.offset:]), max(c.token.end, c.offset)))
	at := typeAttributesAt(c.d.text[c.token.start:c.offset])
	switch {
	case at.value != "":
		c.typeAttributeValues(at.value)
	case at.inside:
		c.typeAttributes(at)
	default:
		c.typeNames("", "")
	}
}

// typeNames adds the types of the language and those with names, between two texts.
func (c *completer) typeNames(before, after string) {
	for i, t := range vocabulary.TypeNames() {
		item := completionItem{Kind: protocol.CompletionItemKindKeyword, Detail: t.Meaning, SortText: completionGroup('b', i), Data: &completionData{Word: t.Name}}
		if item.Label = before + t.Name + after; t.Second {
			item.SortText = completionGroup('d', i)
		}
		c.add(item, "")
	}
	c.everyName(true, func(item completionItem) {
		item.Label = before + item.Label + after
		c.add(item, "")
	})
}

// typeShapes adds types that are more than a name.
func (c *completer) typeShapes() {
	open := "`"
	if c.top().kind != inNode {
		open = "type`"
	}
	for i, shape := range []snippet{
		{"[…]", "[${1:Text}]", "a list"},
		{"{…}", "{${1:name}: ${2:Text}}", "an object with fields"},
		{"Map<…>", "Map<${1:Text}>", "values of one type under any names"},
		{"…?", "${1:Text}?", "a type, or null"},
		{`"…" | "…"`, `"${1:a}" | "${2:b}"`, "one of some texts"},
	} {
		c.add(completionItem{
			Label: shape.label, Kind: protocol.CompletionItemKindSnippet, Detail: shape.detail, SortText: completionGroup('e', i),
			Format: protocol.InsertTextFormatSnippet,
		}, open+shape.text+"`")
	}
}

// An attributePlace is a place between the parentheses behind a type in a type
// expression.
type attributePlace struct {
	inside  bool
	word    string   // of the type
	closing string   // the bracket behind it
	used    []string // attributes that are there
	value   string   // the attribute whose value is being written
}

// openAttributes matches a type at the end of a text, and its attributes as far as
// they are written.
var openAttributes = regexp.MustCompile(`(?:(\w+)|([\])}>]))\?? *\(((?:"[^"]*"|'[^']*'|\[[^\[\]]*\]|[^"'()\[\]{}])*)["']?$`)

// typeAttributesAt returns whether the end of a text is in the attributes of a type.
func typeAttributesAt(text string) attributePlace {
	m := openAttributes.FindStringSubmatch(text)
	if m == nil {
		return attributePlace{}
	}
	at := attributePlace{inside: true, word: m[1], closing: m[2]}
	for item := range strings.SplitSeq(m[3], ",") {
		at.value = ""
		if i := strings.IndexAny(item, "=:"); i >= 0 {
			at.value = strings.TrimSpace(item[:i])
			at.used = append(at.used, at.value)
		}
	}
	return at
}

// typeAttributes adds the attributes of a type in a type expression.
func (c *completer) typeAttributes(at attributePlace) {
	kind, limited := types.KindArray, true
	switch at.closing {
	case "}", ">":
		kind = types.KindObject
	case "]":
	default:
		kind, limited = ownerKind(c.view(), at.word)
	}
	for i, p := range vocabulary.Properties(vocabulary.OwnerAlias) {
		if !slices.Contains(at.used, p.Key) && (!limited || ownerTakesAttribute(p, kind)) {
			c.add(propertyCompletion(vocabulary.OwnerAlias, p, i), p.Key+"=")
		}
	}
}

// typeAttributeValues adds what an attribute in a type expression can be.
func (c *completer) typeAttributeValues(key string) {
	if key == "of" || key == "elementType" {
		c.typeNames("", "")
	}
	c.addValues(vocabulary.Values(vocabulary.OwnerAlias, key))
}
