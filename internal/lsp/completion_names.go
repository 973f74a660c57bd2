package lsp

import (
	"iter"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/vocabulary"
	"github.com/gram-lang/gramc/internal/workspace"
)

// inPattern adds what is possible in a bracket outside of its record.
func (c *completer) inPattern(p *frame) {
	switch {
	case p.last == ':' && !p.bar:
		c.labels(p)
	case p.bar && (p.last == '|' || p.last == ',' || p.last == 'w') && (c.token.quote == 0 || c.token.quote == '`' && !c.token.fence):
		c.elements(p)
	case !p.bar && p.last == '[' && c.up(1).has(ast.LabelLibrary):
		c.entryNames(c.up(1))
	}
}

// labels adds the labels of a bracket, by what is around it.
func (c *completer) labels(p *frame) {
	around := c.up(1)
	words := vocabulary.Labels()
	switch {
	case around.has(ast.LabelLibrary):
		words = vocabulary.EntryLabels()
	case around != nil:
		words = words[1:2]
	}
	for i, w := range words {
		item := completionItem{Label: w.Name, Kind: protocol.CompletionItemKindClass, Detail: w.Meaning, SortText: group('a', i), Data: &completionData{Word: w.Name}}
		if library.IsBuiltin(p.name) && w.Name == string(library.EntryBuiltin) {
			item.SortText = group('0', i)
		}
		c.add(item, "")
	}
}

// inNode adds types, and the labels of rules.
func (c *completer) inNode(node *frame) {
	if node.last != ':' {
		return
	}
	if c.atRuleLabel(node, c.up(1)) {
		for i, w := range vocabulary.RuleLabels() {
			c.add(completionItem{Label: w.Name, Kind: protocol.CompletionItemKindKeyword, Detail: w.Meaning, SortText: group('0', i), Data: &completionData{Word: w.Name}}, "")
		}
	}
	c.types()
}

// elements adds what an element of a pattern can be.
func (c *completer) elements(p *frame) {
	switch owner := ownerLabelled(p); {
	case owner == vocabulary.OwnerAgent:
		c.toolReferences(p)
		c.snippet("tool", toolSnippet, "a new tool")
	case owner == vocabulary.OwnerLibrary:
		c.entrySnippets()
	case owner == vocabulary.OwnerTool:
		c.snippet("signature", signatureSnippet, "parameters and a result")
	case owner == vocabulary.OwnerType:
		c.snippet("field", "(${1:name}::${2:Text})", "a field")
	case owner == vocabulary.OwnerUnion:
		c.snippet("alternative", "(::${1:Name})", "an alternative")
	case isEntry(p):
		for _, w := range vocabulary.RuleLabels() {
			c.snippet(strings.ToLower(w.Name), "(:"+w.Name+` {${1:path}: "$2"})`, w.Meaning)
		}
	}
}

// toolReferences adds the tools that an agent can have and does not have yet.
func (c *completer) toolReferences(agent *frame) {
	had := agent.refs
	if c.token.end > c.token.start {
		had = without(had, c.d.text[c.token.start:c.token.end])
	}
	c.everyName(func(o sharedName, more []protocol.TextEdit, from string) {
		if o.isType || slices.Contains(had, o.name) {
			return
		}
		item := completionItem{
			Label: o.name, Kind: protocol.CompletionItemKindFunction, Detail: ast.Tool{Pattern: o.pattern}.Description(),
			SortText: group('a', 0), More: more, Data: c.dataOf(o.pattern), Tags: itemTags(o.pattern),
		}
		if from != "" {
			item.SortText, item.Detail = group('b', 0), "imports "+from
		}
		if c.token.quote != 0 {
			c.add(item, strings.ReplaceAll(o.name, "`", "\\`"))
			return
		}
		c.add(item, ast.Print(ast.NewName(o.name)))
	})
}

// without returns a list without the first occurrence of a word.
func without(list []string, word string) []string {
	if i := slices.Index(list, word); i >= 0 {
		return slices.Delete(slices.Clone(list), i, i+1)
	}
	return list
}

// everyName calls add for each tool and type of the project: those that the file
// knows, and others with the edit that imports their file and its path.
func (c *completer) everyName(add func(o sharedName, more []protocol.TextEdit, from string)) {
	tree := c.d.ast()
	options := c.optionsOf(c.d)
	known := map[string]bool{}
	for _, p := range compile.Resolve(tree, options.Imported...).Definitions() {
		known[p.Identity()] = true
		if !fits(p.Identity(), c.typed()) {
			continue
		}
		add(sharedName{p.Identity(), ast.IsNamedType(p), p}, nil, "")
	}
	for other := range c.others {
		c.offersOf(other, known, add)
	}
}

// offersOf calls add for what a file that is not imported defines.
func (c *completer) offersOf(other *document, known map[string]bool, add func(o sharedName, more []protocol.TextEdit, from string)) {
	var more []protocol.TextEdit
	from := ""
	for _, o := range other.offers() {
		if known[o.name] || !fits(o.name, c.typed()) {
			continue
		}
		if from == "" {
			var ok bool
			if from, ok = workspace.ImportPath(c.d.path, other.path); !ok {
				return
			}
			fix, ok := compile.ImportFix(c.d.ast(), from)
			if !ok {
				return
			}
			if more, ok = c.d.edits(fix.Edits); !ok {
				return
			}
		}
		add(o, more, from)
	}
}

// typed returns the word before the cursor, of which a type expression may have
// several.
func (c *completer) typed() string {
	text := c.written()
	start := len(text)
	for start > 0 && isWordByte(text[start-1]) {
		start--
	}
	return text[start:]
}

// dataOf returns where a tool or a type is defined.
func (c *completer) dataOf(p *ast.Pattern) *completionData {
	d, _ := c.file(p.Span().File.Name()) // the key of its document
	if d == nil {
		return nil
	}
	return &completionData{URI: d.uri, Name: p.Identity()}
}

// toolOfEntry returns the tool of that name that an agent of the project has.
func (c *completer) toolOfEntry(name string) (ast.Tool, bool) {
	for p := range c.tools() {
		if p.Identity() == name {
			return ast.Tool{Pattern: p}, true
		}
	}
	return ast.Tool{}, false
}

// tools returns the tools of the project.
func (c *completer) tools() iter.Seq[*ast.Pattern] {
	return func(yield func(*ast.Pattern) bool) {
		of := func(d *document) bool {
			for _, o := range d.offers() {
				if !o.isType && !yield(o.pattern) {
					return false
				}
			}
			return true
		}
		if !of(c.d) {
			return
		}
		for other := range c.others {
			if !of(other) {
				return
			}
		}
	}
}

// entryNames adds the tools that a library could bind, and the built-ins.
func (c *completer) entryNames(parent *frame) {
	had := slices.Concat(parent.refs, c.top().refs) // a bracket that is not closed takes what follows
	if c.token.end > c.token.start {
		had = without(had, c.d.text[c.token.start:c.token.end])
	}
	follow := ":$1"
	if c.behindToken(':') {
		follow = ""
	}
	for p := range c.tools() {
		if name := p.Identity(); !slices.Contains(had, name) {
			c.add(completionItem{
				Label: name, Kind: protocol.CompletionItemKindFunction, Detail: ast.Tool{Pattern: p}.Description(), SortText: group('a', 0), Tags: itemTags(p),
				Format: protocol.InsertTextFormatSnippet, Data: c.dataOf(p), Command: suggestAgain(),
			}, escapeSnippet(ast.Print(ast.NewName(name)))+follow)
		}
	}
	for i, b := range library.Builtins() {
		if follow != "" {
			follow = ":" + string(library.EntryBuiltin)
		}
		if !slices.Contains(had, b.Name) {
			c.add(completionItem{
				Label: b.Name, Kind: protocol.CompletionItemKindFunction, Detail: "a built-in: " + b.Meaning, SortText: group('b', i),
				Data: &completionData{Builtin: b.Name},
			}, b.Name+follow)
		}
	}
}
