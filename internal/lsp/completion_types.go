package lsp

import (
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/compile/vocabulary"
)

// types adds what is possible in a type: names, and between parentheses after a
// name attributes and their values.
func (c *completer) types() {
	quoted := c.token.quote != 0
	start, end := c.token.start, max(c.token.end, c.offset)
	if quoted {
		at := attributesAt(c.d.text[c.token.start:c.offset])
		start = c.offset - len(c.typed())
		for end = c.offset; end < c.token.end && isWordByte(c.d.text[end]); {
			end++
		}
		switch {
		case at.value != "":
			c.attributeValues(at.value, start, end)
			return
		case at.inside:
			c.attributes(at, start, end)
			return
		}
	}
	c.typeNames(start, end)
	if !quoted {
		c.typeShapes()
	}
}

// typeNames adds the types of the language and those with names.
func (c *completer) typeNames(start, end int) {
	for i, t := range vocabulary.TypeNames() {
		item := completionItem{Label: t.Name, Kind: protocol.CompletionItemKindKeyword, Detail: t.Meaning, SortText: group('b', i), Data: &completionData{Word: t.Name}}
		if t.Second {
			item.SortText = group('d', i)
		}
		c.addAt(item, t.Name, start, end)
	}
	c.everyName(func(o sharedName, more []protocol.TextEdit, from string) {
		if !o.isType {
			return
		}
		item := completionItem{Label: o.name, Kind: typeItemKind(o.pattern), Detail: descriptionOf(o.pattern), SortText: group('a', 0), More: more, Data: c.dataOf(o.pattern), Tags: itemTags(o.pattern)}
		if from != "" {
			item.SortText, item.Detail = group('c', 0), "imports "+from
		}
		c.addAt(item, o.name, start, end)
	})
}

func typeItemKind(p *ast.Pattern) protocol.CompletionItemKind {
	if p.HasLabel(ast.LabelEnum) {
		return protocol.CompletionItemKindEnum
	}
	return protocol.CompletionItemKindStruct
}

// descriptionOf returns the description of a pattern, "" when there is none.
func descriptionOf(p *ast.Pattern) string {
	d := p.Property("description")
	if d == nil {
		return ""
	}
	text, _ := ast.TextOf(d.Value)
	return text
}

// typeShapes adds types that are more than a name.
func (c *completer) typeShapes() {
	open := "`"
	if c.top().kind != inNode {
		open = "type`"
	}
	for i, shape := range [][3]string{
		{"[…]", "[${1:Text}]", "a list"},
		{"{…}", "{${1:name}: ${2:Text}}", "an object with fields"},
		{"Map<…>", "Map<${1:Text}>", "values of one type under any names"},
		{"…?", "${1:Text}?", "a type, or null"},
		{`"…" | "…"`, `"${1:a}" | "${2:b}"`, "one of some texts"},
	} {
		c.add(completionItem{
			Label: shape[0], Kind: protocol.CompletionItemKindSnippet, Detail: shape[2], SortText: group('e', i),
			Format: protocol.InsertTextFormatSnippet,
		}, open+shape[1]+"`")
	}
}

// An attributePlace is a place between the parentheses of a type expression.
type attributePlace struct {
	inside bool
	word   string   // of the type
	used   []string // attributes that are there
	value  string   // the attribute whose value is being written
}

// attributesAt returns whether the end of a text is in the attributes of a type.
func attributesAt(text string) attributePlace {
	type open struct {
		at    int
		sign  byte
		place attributePlace
	}
	var stack []open
	item := 0 // where the attribute that is being written starts
	for i := 0; i < len(text); i++ {
		switch b := text[i]; b {
		case '"', '\'':
			closing := strings.IndexByte(text[i+1:], b)
			if closing < 0 {
				i = len(text)
				break
			}
			i += closing + 1
		case '(', '[', '{':
			before := strings.TrimRight(text[:i], " ")
			p := attributePlace{inside: b == '(' && before != "" && (isWordByte(before[len(before)-1]) || strings.IndexByte("])}?>", before[len(before)-1]) >= 0)}
			from := len(before)
			for from > 0 && isWordByte(before[from-1]) {
				from--
			}
			p.word = before[from:]
			stack = append(stack, open{i, b, p})
			item = i + 1
		case ')', ']', '}':
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		case ',':
			item = i + 1
		case '=', ':':
			if n := len(stack); n > 0 && stack[n-1].place.inside && item <= i {
				stack[n-1].place.used = append(stack[n-1].place.used, strings.TrimSpace(text[item:i]))
			}
		}
	}
	if len(stack) == 0 || !stack[len(stack)-1].place.inside {
		return attributePlace{}
	}
	p := stack[len(stack)-1].place
	if i := strings.LastIndexAny(text, "=:,("); i >= 0 && (text[i] == '=' || text[i] == ':') && len(p.used) > 0 {
		p.value = p.used[len(p.used)-1]
	}
	return p
}

// attributes adds the attributes of a type in a type expression.
func (c *completer) attributes(at attributePlace, start, end int) {
	t := compile.NewView(&ast.File{}, nil).TypeOf(at.word)
	for i, d := range vocabulary.Properties(vocabulary.OwnerAlias) {
		if slices.Contains(at.used, d.Key) || t != nil && t.Kind != types.KindAny && !appliesTo(d, t.Kind) {
			continue
		}
		c.addAt(completionItem{
			Label: d.Key, Kind: protocol.CompletionItemKindProperty, Detail: d.Example, SortText: group('a', i),
			Data: &completionData{Owner: vocabulary.OwnerAlias, Key: d.Key},
		}, d.Key+"=", start, end)
	}
}

// attributeValues adds what an attribute in a type expression can be.
func (c *completer) attributeValues(key string, start, end int) {
	d, _ := vocabulary.PropertyOf(vocabulary.OwnerAlias, key)
	if key == "of" || key == "elementType" {
		c.typeNames(start, end)
	}
	for i, value := range d.Values {
		c.addAt(completionItem{Label: value, Kind: protocol.CompletionItemKindEnumMember, SortText: group('a', i)}, value, start, end)
	}
}
