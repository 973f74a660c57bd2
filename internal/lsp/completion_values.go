package lsp

import (
	"path"
	"slices"
	"strconv"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/vocabulary"
	"github.com/gram-lang/gramc/internal/workspace"
)

// propertyValue adds the values of the property of a record that is being written.
func (c *completer) propertyValue(owner vocabulary.Owner, record *frame) {
	key := record.key
	switch {
	case c.token.tag != "" && c.token.tag != "type":
	case c.testValues(owner, key):
	case owner == vocabulary.OwnerAgent && key == "instruction":
		c.mentionedToolValues()
	case owner == vocabulary.OwnerAgent && (key == "model" || key == "models"):
		c.modelValues(key == "models")
	case owner == vocabulary.OwnerHeader && key == "import":
		c.importPathValues()
	case owner == vocabulary.OwnerUnion && key == "discriminator":
		c.discriminatorValues()
	case c.token.tag == "type", ownerTakesType(owner, key), record.colons == 2 && ownerIsTyped(owner):
		c.typeExpression()
	case key == "run" || key == "url":
		c.templateArgumentValues()
	case key == "allow" && owner == vocabulary.Owner(library.EntryMCP):
		c.servedToolValues()
	default:
		c.propertyValueWords(owner, key)
	}
}

// propertyValueWords adds the words that a property can be. A parameter of type Bool has
// true and false for a default, and one of an enum its values.
func (c *completer) propertyValueWords(owner vocabulary.Owner, key string) {
	values := slices.Clone(vocabulary.Values(owner, key))
	for _, p := range c.testedArguments(0) {
		if p.Name == key {
			values = append(values, valuesOf(p.Type)...)
		}
	}
	if key == "default" || key == "const" {
		values = append(values, c.valuesOfType()...)
	}
	if c.top().kind == inArray {
		values = slices.DeleteFunc(values, func(value string) bool { return value == "none" })
	}
	if c.token.quote != 0 {
		for i, value := range values {
			values[i] = strings.Trim(value, `"`)
		}
	}
	if key != "builtin" {
		c.addValues(values)
		return
	}
	for i, value := range values {
		c.add(completionItem{
			Label: value, Kind: protocol.CompletionItemKindFunction, SortText: completionGroup('a', i), Data: &completionData{Builtin: value},
		}, "")
	}
}

// addValues adds values as they are.
func (c *completer) addValues(values []string) {
	for i, value := range values {
		c.add(completionItem{Label: value, Kind: protocol.CompletionItemKindEnumMember, SortText: completionGroup('a', i)}, "")
	}
}

// valuesOfType returns the values of the type of the node around, where these
// are few; texts with their quotes.
func (c *completer) valuesOfType() []string {
	node := c.up(1)
	if node == nil || node.kind != inNode || len(node.labels) == 0 {
		return nil
	}
	return valuesOf(c.view().TypeOf(node.labels[0]))
}

// valuesOf returns the values of a type, where these are few; texts with their quotes.
func valuesOf(t *types.Type) []string {
	if t == nil || t.Resolved() == nil {
		return nil
	}
	values := markdownJSONTexts(t.Keyword("enum"))
	if t.Resolved().Kind == types.KindBoolean {
		values = append(values, "true", "false")
	}
	if t.Nullable || t.Resolved().Nullable {
		values = append(values, "null")
	}
	return values
}

// addTextValue adds a text, in the quotes and the brackets that it needs where it is
// written.
func (c *completer) addTextValue(item completionItem, quoted string, isList bool) {
	switch {
	case c.token.quote != 0:
		quoted = ""
	case isList && c.top().kind != inArray:
		quoted = "[" + quoted + "]"
	}
	c.add(item, quoted)
}

// modelValues adds known models, or lists of one.
func (c *completer) modelValues(isList bool) {
	i := 0
	for p, m := range c.models.All() {
		name := compile.Model{Provider: p.Name, ID: m.ID}.String()
		var tags []protocol.CompletionItemTag
		if m.Deprecated {
			tags = append(tags, protocol.CompletionItemTagDeprecated)
		}
		c.addTextValue(completionItem{
			Label: name, Kind: protocol.CompletionItemKindConstant, Detail: modelValueDetail(m), SortText: completionGroup('a', i),
			Tags: tags,
		}, strconv.Quote(name), isList)
		i++
	}
}

// modelValueDetail says in a few words what a model is.
func modelValueDetail(m *models.Model) string {
	switch {
	case m.Deprecated && m.Successor != "":
		return "deprecated; its successor is " + m.Successor
	case m.Deprecated:
		return "deprecated"
	case m.Prices != nil:
		return m.Prices.Input.OfMillion() + " in, " + m.Prices.Output.OfMillion() + " out for a million tokens"
	}
	return ""
}

// importPathValues adds the files of the project that the file does not import.
func (c *completer) importPathValues() {
	imported := map[string]bool{}
	for _, i := range compile.Imports(c.d.ast()) {
		imported[path.Clean(i.Path)] = true
	}
	for other := range c.others {
		name, ok := workspace.ImportPath(c.d.path, other.path)
		if !ok || imported[path.Clean(name)] && !strings.Contains(name, c.written()) {
			continue
		}
		sorted := completionGroup('a', strings.Count(name, "/")+strings.Count(name, "../"))
		c.addTextValue(completionItem{Label: name, Kind: protocol.CompletionItemKindFile, SortText: sorted}, strconv.Quote(name), true)
	}
}

// replaceValueBehind reports whether the cursor is on a name behind an opening sign
// of a text, without an end of such names between them. It makes the items replace
// the name, and returns the closing sign where it is missing.
func (c *completer) replaceValueBehind(opening, closing, ends string) (missing string, ok bool) {
	text := c.d.text[c.token.start:c.offset]
	open := strings.LastIndex(text, opening)
	if c.token.quote == 0 || open < 0 || strings.ContainsAny(text[open:], ends) {
		return "", false
	}
	end := c.offset
	for end < c.token.end && (isWordByte(c.d.text[end]) || c.d.text[end] == '-') {
		end++
	}
	c.replace(c.token.start+open+len(opening), end)
	if strings.HasPrefix(c.d.text[end:], closing) {
		closing = ""
	}
	return closing, true
}

// mentionedToolValues adds the tools of the agent behind a backtick in its instruction.
func (c *completer) mentionedToolValues() {
	isEscaped := c.token.quote == '`' && !c.token.fence // where a backtick is written \`
	agent := c.up(1)
	if isEscaped || agent == nil || strings.Count(c.written(), "`")%2 == 0 {
		return
	}
	missing, ok := c.replaceValueBehind("`", "`", " \n")
	p := c.ownerPattern(agent)
	if !ok || p == nil {
		return
	}
	names := c.examinedNames(c.d)
	for i, e := range p.Elements {
		if t, ok := names.Tool(e); ok && t.Name() != "" {
			item := c.itemOfName(t.Pattern)
			item.SortText = completionGroup('a', i)
			c.add(item, t.Name()+missing)
		}
	}
}

// templateArgumentValues adds the parameters behind a brace in a template.
func (c *completer) templateArgumentValues() {
	entry := c.up(1)
	if c.top().kind == inArray {
		entry = c.up(2)
	}
	missing, ok := c.replaceValueBehind("{", "}", "} ")
	if !ok || !ownerIsEntry(entry) || c.start-2 >= c.token.start && strings.IndexByte("${", c.d.text[c.start-2]) >= 0 {
		return
	}
	c.addArguments(entry, nil, 0, func(name string) string { return name + missing })
}

// variableValues adds the environment variables that the libraries of the project name,
// behind ${ in a text of an entry. It reports whether the cursor is there.
func (c *completer) variableValues() bool {
	if !slices.ContainsFunc(c.frames, ownerIsEntry) {
		return false
	}
	missing, ok := c.replaceValueBehind("${", "}", "} ")
	if !ok {
		return false
	}
	of := func(d *document) bool {
		for _, at := range d.variables() {
			if c.d != d || at.End < c.start || c.offset < at.Start { // not the one that is being typed
				c.add(completionItem{
					Label: at.Text(), Kind: protocol.CompletionItemKindVariable, Detail: "an environment variable of " + c.shownPath(d), SortText: completionGroup('a', 0),
				}, at.Text()+missing)
			}
		}
		return true
	}
	if of(c.d) {
		c.others(of)
	}
	return true
}

// servedToolValues adds the tools that a server could give: those of the project that the
// library has no entry for, by the names that the server has for them.
func (c *completer) servedToolValues() {
	record := 0
	if c.top().kind == inArray {
		record = 1
	}
	entry, library, prefix := c.up(record+1), c.up(record+2), ""
	if library == nil {
		return
	}
	if p := c.ownerPattern(entry); p != nil {
		prefix = patternPropertyText(p, "prefix")
	}
	for p := range c.toolNames() {
		name, ok := strings.CutPrefix(p.Identity(), prefix)
		if ok && !slices.Contains(library.refs, p.Identity()) {
			item := c.itemOfName(p)
			item.Label = name
			c.addTextValue(item, renamedValue("", name), true)
		}
	}
}

// discriminatorValues adds the fields that all alternatives of a union have.
func (c *completer) discriminatorValues() {
	p := c.ownerPattern(c.up(1))
	if p == nil {
		return
	}
	var names []string
	for i, e := range p.Elements {
		var own []string
		if labels := e.Subject.Labels; len(labels) > 0 {
			if t := c.view().TypeOf(labels[0].Name.Text); t != nil && t.Resolved() != nil {
				own = library.ParamNames(t.Resolved().Fields)
			}
		}
		if i == 0 {
			names = own
		}
		names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(own, name) })
	}
	for i, name := range names {
		c.add(completionItem{Label: name, Kind: protocol.CompletionItemKindField, SortText: completionGroup('a', i)}, "")
	}
}
