package lsp

import (
	"path"
	"slices"
	"strconv"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/compile/vocabulary"
	"github.com/gram-lang/gramc/internal/workspace"
)

// value adds the values of a property. It is declared if two colons precede it.
func (c *completer) value(owner vocabulary.Owner, record *frame, declared bool) {
	key := record.key
	switch {
	case c.token.tag != "" && c.token.tag != "type":
	case owner == vocabulary.OwnerAgent && key == "instruction":
		c.mentions()
	case owner == vocabulary.OwnerAgent && key == "model":
		c.models()
	case owner == vocabulary.OwnerHeader && key == "import":
		c.importPaths()
	case owner == vocabulary.OwnerUnion && key == "discriminator":
		c.discriminators()
	case c.token.tag == "type", takesType(owner, key), declared && isTyped(owner):
		c.types()
	case key == "run" || key == "url":
		c.templates()
	case key == "allow" && owner == vocabulary.Owner(library.EntryMCP):
		c.served()
	default:
		c.words(owner, key)
	}
}

// takesType reports whether the value of a property is a type.
func takesType(owner vocabulary.Owner, key string) bool {
	switch key {
	case "returns":
		return owner == vocabulary.OwnerAgent
	case "of", "elementType", "types":
		return isTyped(owner)
	case "type":
		return owner == vocabulary.OwnerField
	}
	return false
}

// isTyped reports whether properties with two colons declare fields.
func isTyped(o vocabulary.Owner) bool {
	switch o {
	case vocabulary.OwnerParameter, vocabulary.OwnerResult, vocabulary.OwnerField, vocabulary.OwnerType, vocabulary.OwnerAlias, vocabulary.OwnerArguments:
		return true
	}
	return false
}

// words adds the words that a property can be. A parameter of type Bool has
// true and false for a default, and one of an enum its values.
func (c *completer) words(owner vocabulary.Owner, key string) {
	values := []string{}
	if d, known := vocabulary.PropertyOf(owner, key); known {
		values = slices.Clone(d.Values)
	}
	if key == "default" || key == "const" {
		values = append(values, c.valuesOfType()...)
	}
	for i, value := range values {
		if c.up(0).kind == inArray && value == "none" {
			continue
		}
		if c.token.quote != 0 {
			value = strings.Trim(value, `"`)
		}
		item := completionItem{Label: value, Kind: protocol.CompletionItemKindEnumMember, SortText: group('a', i)}
		if key == "builtin" {
			item.Data = &completionData{Builtin: value}
			item.Kind = protocol.CompletionItemKindFunction
		}
		c.add(item, "")
	}
}

// valuesOfType returns the values of the type of the node around, where these
// are few; texts with their quotes.
func (c *completer) valuesOfType() []string {
	node := c.up(1)
	if node == nil || node.kind != inNode || len(node.labels) == 0 {
		return nil
	}
	t := compile.NewView(c.d.ast(), c.optionsOf(c.d)).TypeOf(node.labels[0])
	if t == nil {
		return nil
	}
	whole := t.Resolved()
	if whole == nil {
		return nil
	}
	values := jsonTexts(t.Keyword("enum"))
	if whole.Kind == types.KindBoolean {
		values = append(values, "true", "false")
	}
	if t.Nullable || whole.Nullable {
		values = append(values, "null")
	}
	return values
}

// models adds known models.
func (c *completer) models() {
	for i, m := range compile.KnownModels() {
		text := m.String()
		if c.token.quote == 0 {
			text = strconv.Quote(text)
		}
		c.add(completionItem{
			Label: m.String(), Kind: protocol.CompletionItemKindConstant, Detail: "a model of " + m.Provider, SortText: group('a', i),
		}, text)
	}
}

// inArray adds what an element of a list can be.
func (c *completer) inArray() {
	if f := c.up(1); f != nil && (f.kind == inRecord || f.kind == inMap) && f.key != "" {
		c.value(c.owner(1), f, f.colons == 2)
	}
}

// importPaths adds the files of the project that the file does not import.
func (c *completer) importPaths() {
	imported := map[string]bool{}
	for _, i := range compile.Imports(c.d.ast()) {
		imported[path.Clean(i.Path)] = true
	}
	for other := range c.others {
		name, ok := workspace.ImportPath(c.d.path, other.path)
		if !ok || imported[path.Clean(name)] && !strings.Contains(name, c.written()) {
			continue
		}
		text := name
		if c.token.quote == 0 {
			text = strconv.Quote(name)
			if c.top().kind != inArray {
				text = "[" + text + "]"
			}
		}
		sorted := group('a', strings.Count(name, "/")+strings.Count(name, "../"))
		c.add(completionItem{Label: name, Kind: protocol.CompletionItemKindFile, SortText: sorted}, text)
	}
}

// mentions adds the tools of the agent behind a backtick in its instruction.
func (c *completer) mentions() {
	if c.token.quote == 0 {
		return
	}
	text := c.d.text[c.token.start:c.offset]
	open := strings.LastIndexByte(text, '`')
	escaped := c.token.quote == '`' && !c.token.fence // where a backtick is written \`
	if open < 0 || strings.Count(text, "`")%2 == 0 || strings.ContainsAny(text[open:], " \n") || escaped {
		return
	}
	start, end := c.token.start+open+1, c.offset
	for end < c.token.end && (isWordByte(c.d.text[end]) || c.d.text[end] == '-') {
		end++
	}
	agent := c.up(1)
	for i, t := range c.toolsOfAgent(agent) {
		name := t.Name()
		closing := "`"
		if end < len(c.d.text) && c.d.text[end] == '`' {
			closing = ""
		}
		c.addAt(completionItem{
			Label: name, Kind: protocol.CompletionItemKindFunction, Detail: t.Description(), SortText: group('a', i),
			Data: c.dataOf(t.Pattern),
		}, name+closing, start, end)
	}
}

// toolsOfAgent returns the tools of the agent that a bracket is.
func (c *completer) toolsOfAgent(agent *frame) []ast.Tool {
	var tools []ast.Tool
	if agent == nil {
		return nil
	}
	names := c.names(c.d)
	if p := c.pattern(agent); p != nil {
		for _, e := range p.Elements {
			if t, ok := names.Tool(e); ok && t.Name() != "" {
				tools = append(tools, t)
			}
		}
	}
	return tools
}

// templates adds the parameters behind a brace in a template.
func (c *completer) templates() {
	if c.token.quote == 0 {
		return
	}
	text := c.d.text[c.token.start:c.offset]
	open := strings.LastIndexByte(text, '{')
	if open < 0 || strings.ContainsAny(text[open:], "} ") || open > 0 && (text[open-1] == '$' || text[open-1] == '{') {
		return
	}
	entry := c.up(1)
	if c.top().kind == inArray {
		entry = c.up(2)
	}
	if !isEntry(entry) {
		return
	}
	start, end := c.token.start+open+1, c.offset
	for end < c.token.end && isWordByte(c.d.text[end]) {
		end++
	}
	closing := "}"
	if end < len(c.d.text) && c.d.text[end] == '}' {
		closing = ""
	}
	for i, name := range c.arguments(entry) {
		c.addAt(completionItem{
			Label: name, Kind: protocol.CompletionItemKindVariable, Detail: "an argument of the call", SortText: group('a', i),
		}, name+closing, start, end)
	}
}

// served adds the tools that a server could give: those of the project that the
// library has no entry for, by the names that the server has for them.
func (c *completer) served() {
	record, isList := 0, c.top().kind == inArray
	if isList {
		record = 1
	}
	entry, library, prefix := c.up(record+1), c.up(record+2), ""
	if library == nil {
		return
	}
	if p := c.pattern(entry); p != nil {
		if before := p.Property("prefix"); before != nil {
			prefix, _ = ast.TextOf(before.Value)
		}
	}
	for p := range c.tools() {
		name, ok := strings.CutPrefix(p.Identity(), prefix)
		if !ok || slices.Contains(library.refs, p.Identity()) {
			continue
		}
		text := name
		if c.token.quote == 0 {
			text = valued("", name)
			if !isList {
				text = "[" + text + "]"
			}
		}
		c.add(completionItem{
			Label: name, Kind: protocol.CompletionItemKindFunction, Detail: ast.Tool{Pattern: p}.Description(), SortText: group('a', 0),
			Data: c.dataOf(p), Tags: itemTags(p),
		}, text)
	}
}

// discriminators adds the fields that all alternatives of a union have.
func (c *completer) discriminators() {
	p := c.pattern(c.up(1))
	if p == nil {
		return
	}
	view := compile.NewView(c.d.ast(), c.optionsOf(c.d))
	count := map[string]int{}
	var names []string
	for _, e := range p.Elements {
		if len(e.Subject.Labels) == 0 {
			continue
		}
		t := view.TypeOf(e.Subject.Labels[0].Name.Text)
		if t == nil || t.Resolved() == nil {
			continue
		}
		for _, f := range t.Resolved().Fields {
			if count[f.Name]++; count[f.Name] == 1 {
				names = append(names, f.Name)
			}
		}
	}
	for i, name := range names {
		if count[name] == len(p.Elements) {
			c.add(completionItem{Label: name, Kind: protocol.CompletionItemKindField, SortText: group('a', i)}, "")
		}
	}
}
