package lsp

import (
	"iter"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/vocabulary"
	"github.com/gram-lang/gramc/internal/workspace"
)

// patternPartNames adds what is possible in a bracket outside of its record.
func (c *completer) patternPartNames(p *frame) {
	switch {
	case p.last == ':' && !p.bar:
		c.patternLabelNames(p)
	case p.bar && (p.last == '|' || p.last == ',' || p.last == 'w') && (c.token.quote == 0 || c.token.quote == '`' && !c.token.fence):
		c.elementNames(p)
	case p.bar && p.last == '>' && c.token.quote == 0 && (ownerIsEntry(p) || ownerLabelled(p) == vocabulary.OwnerTool):
		c.signaturePartNames()
	case !p.bar && p.last == '[' && c.token.quote == 0 && c.up(1) == nil:
		c.openedSnippets(patternSnippets...)
	case !p.bar && p.last == '[' && c.up(1).has(ast.LabelLibrary):
		c.entryNames(c.up(1))
	case !p.bar && p.last == '[' && c.token.quote == 0:
		c.openedSnippets(elementSnippets(ownerLabelled(c.up(1)))...)
	}
}

// signaturePartNames adds what can follow an arrow of a signature: another parameter,
// or a result of any type.
func (c *completer) signaturePartNames() {
	c.snippets(snippet{"parameter", "(${1:name}::${2:Text})", "one more parameter"}, snippet{"result", "(::${1:Text})", "the result, at the end"})
	c.typeNames("(::", ")")
}

// patternLabelNames adds the labels of a bracket, by what is around it.
func (c *completer) patternLabelNames(p *frame) {
	around := c.up(1)
	words := vocabulary.Labels()
	switch {
	case around.has(ast.LabelLibrary):
		words = vocabulary.EntryLabels()
		if last := len(words) - 1; library.IsBuiltin(p.name) {
			c.addWords(words[last:], protocol.CompletionItemKindClass, '0')
		}
	case around.has(ast.LabelTest):
		words = vocabulary.StepLabels()
	case around != nil:
		words = words[1:2]
	}
	c.addWords(words, protocol.CompletionItemKindClass, 'a')
}

// nodeLabelNames adds types, and the labels of rules.
func (c *completer) nodeLabelNames(node *frame) {
	if node.last != ':' {
		return
	}
	if c.ownerAtRuleLabel(node, c.up(1)) {
		c.addWords(vocabulary.RuleLabels(), protocol.CompletionItemKindKeyword, '0')
	}
	c.typeExpression()
}

// elementNames adds what an element of a pattern can be.
func (c *completer) elementNames(p *frame) {
	owner := ownerLabelled(p)
	if owner == vocabulary.OwnerAgent {
		c.toolReferenceNames(p)
	}
	if ownerIsEntry(p) {
		for _, w := range vocabulary.RuleLabels() {
			c.snippets(snippet{strings.ToLower(w.Name), "(:" + w.Name + ` {${1:path}: "$2"})`, w.Meaning})
		}
	}
	c.snippets(elementSnippets(owner)...)
}

// toolReferenceNames adds the tools that an agent can have and does not have yet.
func (c *completer) toolReferenceNames(agent *frame) {
	had := c.namesWithoutToken(agent.refs)
	c.everyName(false, func(item completionItem) {
		switch {
		case slices.Contains(had, item.Label):
		case c.token.quote != 0:
			c.add(item, strings.ReplaceAll(item.Label, "`", "\\`"))
		default:
			c.add(item, ast.Print(ast.NewName(item.Label)))
		}
	})
}

// namesWithoutToken returns names without the first that is the token at the cursor.
func (c *completer) namesWithoutToken(names []string) []string {
	if i := slices.Index(names, c.d.text[c.token.start:c.token.end]); i >= 0 && c.token.end > c.token.start {
		return slices.Delete(slices.Clone(names), i, i+1)
	}
	return names
}

// everyName calls add for each tool or each type of the project: those that the
// file knows, and others with the edit that imports their file.
func (c *completer) everyName(isType bool, add func(item completionItem)) {
	known := map[string]bool{}
	for _, p := range compile.ResolveNames(c.d.ast(), c.examineOptionsOf(c.d).Imported...).Definitions() {
		known[p.Identity()] = true
		if ast.IsNamedType(p) == isType && completionFits(p.Identity(), c.typedName()) {
			add(c.itemOfName(p))
		}
	}
	var foreign []*ast.Pattern
	for other := range c.others {
		for _, o := range other.exports() {
			if o.isType == isType && !known[o.name] && completionFits(o.name, c.typedName()) {
				foreign = append(foreign, o.pattern)
			}
		}
	}
	slices.SortStableFunc(foreign, func(a, b *ast.Pattern) int { return strings.Compare(a.Identity(), b.Identity()) })
	for _, p := range foreign {
		if len(c.items) > maxItems { // an item costs more than a name
			return
		}
		if from, edits := c.importOfName(p.Span().File.Name()); from != "" {
			item := c.itemOfName(p)
			item.SortText, item.Detail, item.More = completionGroup('c', 0), "imports "+from, edits
			add(item)
		}
	}
}

// importOfName returns the path by which a file can be imported and the edits that
// do so; the path is "" when it cannot.
func (c *completer) importOfName(path string) (from string, edits []protocol.TextEdit) {
	from, ok := workspace.ImportPath(c.d.path, path)
	if !ok {
		return "", nil
	}
	fix, ok := compile.ImportFix(c.d.ast(), from)
	if !ok {
		return "", nil
	}
	if edits, ok = c.d.diagnosticEdits(fix.Edits); !ok {
		return "", nil
	}
	return from, edits
}

// itemOfName returns the item of a tool or a type.
func (c *completer) itemOfName(p *ast.Pattern) completionItem {
	item := completionItem{
		Label: p.Identity(), Kind: protocol.CompletionItemKindFunction, Detail: patternPropertyText(p, "description"), SortText: completionGroup('a', 0), Tags: deprecatedItemTags(p),
	}
	switch {
	case !ast.IsNamedType(p):
	case p.HasLabel(ast.LabelEnum):
		item.Kind = protocol.CompletionItemKindEnum
	default:
		item.Kind = protocol.CompletionItemKindStruct
	}
	if d, _ := c.file(p.Span().File.Name()); d != nil {
		item.Data = &completionData{URI: d.uri, Name: p.Identity()}
	}
	return item
}

// typedName returns the word before the cursor, of which a type expression may have
// several.
func (c *completer) typedName() string {
	text := c.written()
	return text[wordStart(text):]
}

// toolNames yields the tools of the project, those of the file first.
func (c *completer) toolNames() iter.Seq[*ast.Pattern] {
	return func(yield func(*ast.Pattern) bool) {
		of := func(d *document) bool {
			for _, o := range d.exports() {
				if !o.isType && !yield(o.pattern) {
					return false
				}
			}
			return true
		}
		if of(c.d) {
			c.others(of)
		}
	}
}

// entryNames adds the tools that a library could bind, and the built-ins.
func (c *completer) entryNames(parent *frame) {
	had := c.namesWithoutToken(slices.Concat(parent.refs, c.top().refs)) // a bracket that is not closed takes what follows
	labels := []string{":$1", ":" + string(library.EntryBuiltin)}
	if c.behindToken(':') {
		labels = []string{"", ""}
	}
	for p := range c.toolNames() {
		if item := c.itemOfName(p); !slices.Contains(had, item.Label) {
			item.Format, item.Command = protocol.InsertTextFormatSnippet, completeAgain()
			c.add(item, escapeSnippet(ast.Print(ast.NewName(item.Label)))+labels[0])
		}
	}
	for i, b := range library.Builtins() {
		if !slices.Contains(had, b.Name) {
			c.add(completionItem{
				Label: b.Name, Kind: protocol.CompletionItemKindFunction, Detail: "a built-in: " + b.Meaning, SortText: completionGroup('b', i),
				Data: &completionData{Builtin: b.Name},
			}, b.Name+labels[1])
		}
	}
}
