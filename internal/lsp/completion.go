package lsp

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// A completionItem is a proposal, with data for resolving it.
type completionItem struct {
	Label      string                       `json:"label"`
	Kind       protocol.CompletionItemKind  `json:"kind"`
	Tags       []protocol.CompletionItemTag `json:"tags,omitempty"`
	Detail     string                       `json:"detail,omitempty"`
	Docs       *protocol.MarkupContent      `json:"documentation,omitempty"`
	Preselect  bool                         `json:"preselect,omitempty"`
	SortText   string                       `json:"sortText,omitempty"`
	FilterText string                       `json:"filterText,omitempty"`
	Format     protocol.InsertTextFormat    `json:"insertTextFormat,omitempty"`
	Mode       protocol.InsertTextMode      `json:"insertTextMode,omitempty"`
	Edit       *protocol.TextEdit           `json:"textEdit,omitempty"`
	More       []protocol.TextEdit          `json:"additionalTextEdits,omitempty"`
	Command    *protocol.Command            `json:"command,omitempty"`
	Data       *completionData              `json:"data,omitempty"`
}

// completionData identify the subject of an item. One of the fields is set,
// besides URI.
type completionData struct {
	Owner   vocabulary.Owner `json:"owner,omitempty"` // and Key
	Key     string           `json:"key,omitempty"`
	URI     string           `json:"uri,omitempty"`  // of the document that defines a tool or a type
	Name    string           `json:"name,omitempty"` // which one
	Builtin string           `json:"builtin,omitempty"`
	Word    string           `json:"word,omitempty"`
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

// maxItems is how many items a response holds; the client asks again when more
// is typed.
const maxItems = 100

// completion handles textDocument/completion.
func completion(ctx context.Context, s *snapshot, d *document, p *protocol.TextDocumentPositionParams) (*completionList, error) {
	c := &completer{snapshot: s, cursorContext: d.contextAt(d.offset(p.Position)), given: map[string]bool{}, items: []completionItem{}}
	c.replace(c.token.start, max(c.token.end, c.offset))
	if !c.comment {
		c.others = s.otherExports(ctx, d)
		c.complete()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.items, func(a, b completionItem) int {
		return cmp.Or(cmp.Compare(a.SortText, b.SortText), cmp.Compare(a.Label, b.Label))
	})
	return &completionList{Items: c.items[:min(len(c.items), maxItems)], IsIncomplete: len(c.items) > maxItems}, nil
}

// A completer collects what can be written at a cursor.
type completer struct {
	*snapshot
	*cursorContext
	others     iter.Seq[*document] // of the project
	items      []completionItem
	given      map[string]bool // labels of the items
	start, end int             // the bytes that the items replace
	replaced   protocol.Range  // their range
}

// replace makes the items that follow replace some bytes of the document.
func (c *completer) replace(start, end int) {
	c.start, c.end, c.replaced = start, end, c.d.span(start, end)
}

// view returns the view of the document.
func (c *completer) view() *compile.View { return compile.NewView(c.d.ast(), c.examineOptionsOf(c.d)) }

// complete collects what can be written at the cursor.
func (c *completer) complete() {
	top := c.top()
	switch {
	case c.token.quote != 0 && c.variableValues():
	case top == nil:
		if before := strings.TrimRight(c.d.text[:c.token.start], whitespace); c.token.quote == 0 && !strings.HasSuffix(before, ">") { // not in a path
			c.topSnippets()
		}
	case top.kind == inPattern:
		c.patternPartNames(top)
	case top.kind == inNode:
		c.nodeLabelNames(top)
	case top.kind == inArray:
		if f := c.up(1); f != nil && (f.kind == inRecord || f.kind == inMap) && f.key != "" {
			c.propertyValue(c.owner(1), f)
		}
	case top.key == "" && c.token.quote == 0 && c.token.tag == "":
		c.propertyKeys(top)
	case top.key != "":
		c.propertyValue(c.owner(0), top)
	}
}

// add adds an item, if it fits what is written before the cursor. Text is what it
// writes, "" for the label.
func (c *completer) add(item completionItem, text string) {
	text = cmp.Or(text, item.Label)
	if c.given[item.Label] || !completionFits(cmp.Or(item.FilterText, item.Label), c.d.text[min(c.start, c.offset):c.offset]) {
		return
	}
	c.given[item.Label] = true
	if item.FilterText == "" && text != item.Label {
		item.FilterText = item.Label
	}
	if len(item.Tags) > 0 {
		item.SortText += "~" // behind others of its group
	}
	if item.Format == protocol.InsertTextFormatSnippet && !c.capabilities.TextDocument.Completion.Item.Snippets {
		item.Format, text = 0, snippetWithoutPlaceholders(text)
	}
	item.Edit = &protocol.TextEdit{Range: c.replaced, NewText: text}
	c.items = append(c.items, item)
}

// addWords adds words of the language.
func (c *completer) addWords(words []vocabulary.Word, kind protocol.CompletionItemKind, first byte) {
	for i, w := range words {
		c.add(completionItem{Label: w.Name, Kind: kind, Detail: w.Meaning, SortText: completionGroup(first, i), Data: &completionData{Word: w.Name}}, "")
	}
}

// addArguments adds the arguments of the calls of an entry, each with the text
// that it writes.
func (c *completer) addArguments(entry *frame, had []string, format protocol.InsertTextFormat, text func(name string) string) {
	for i, name := range c.arguments(entry) {
		if !slices.Contains(had, name) {
			c.add(completionItem{
				Label: name, Kind: protocol.CompletionItemKindVariable, Detail: "an argument of the call", SortText: completionGroup('a', i), Format: format,
			}, text(name))
		}
	}
}

// completionFits reports whether a text has the letters that are written, in their order
// and in any case; the first characters must be the same.
func completionFits(text, written string) bool {
	text, written = strings.ToLower(text), strings.ToLower(written)
	if written == "" || strings.Contains(text, written) {
		return true
	}
	if text == "" || text[0] != written[0] {
		return false
	}
	for _, r := range written {
		var found bool
		if _, text, found = strings.Cut(text, string(r)); !found {
			return false
		}
	}
	return true
}

// completionGroup returns the text by which an item is sorted: first by a group, then by
// its number in it.
func completionGroup(g byte, n int) string { return fmt.Sprintf("%c%04d", g, n) }

// propertyKeys adds the properties that a record does not have yet.
func (c *completer) propertyKeys(record *frame) {
	owner := c.owner(0)
	if owner == ownerRule {
		c.addArguments(c.up(2), record.keys, protocol.InsertTextFormatSnippet, func(name string) string {
			return escapeSnippet(ast.Print(ast.NewName(name))) + `: "$1"`
		})
		return
	}
	if params := c.testedArguments(0); params != nil {
		c.testArgumentKeys(params, record.keys)
		return
	}
	all := c.ownerProperties(0)
	for i, p := range all {
		if slices.ContainsFunc(all, func(q vocabulary.Property) bool {
			return slices.Contains(record.keys, q.Key) && (q.Key == p.Key || q.Key == p.Instead || q.Instead == p.Key)
		}) {
			continue
		}
		item := propertyCompletion(owner, p, i)
		if p.Required {
			item.SortText, item.Preselect = completionGroup('0', i), i == 0
		}
		if c.behindToken(':') {
			c.add(item, "")
			continue
		}
		value, isChoice := snippetOf(p)
		item.Format = protocol.InsertTextFormatSnippet
		if !isChoice {
			item.Command = completeAgain()
		}
		c.add(item, p.Key+value)
	}
}

// propertyCompletion returns the item of a property, the nth.
func propertyCompletion(owner vocabulary.Owner, p vocabulary.Property, n int) completionItem {
	return completionItem{
		Label: p.Key, Kind: protocol.CompletionItemKindProperty, Detail: p.Example, SortText: completionGroup('a', n),
		Data: &completionData{Owner: owner, Key: p.Key},
	}
}

// completeAgain is the command by which an editor shows what can follow, by the
// name that VS Code has for it.
func completeAgain() *protocol.Command {
	return &protocol.Command{Title: "complete the value", Command: "editor.action.triggerSuggest"}
}

// behindToken reports whether a sign follows what is written.
func (c *completer) behindToken(sign byte) bool {
	rest := strings.TrimLeft(c.d.text[max(c.token.end, c.offset):], " \t")
	return rest != "" && rest[0] == sign
}

// arguments returns the names of the arguments of the calls of an entry: by its
// signature, as the tool of the project that it implements, or as the built-in
// that it is.
func (c *completer) arguments(entry *frame) []string {
	if entry == nil {
		return nil
	}
	if p := c.ownerPattern(entry); p != nil {
		if signature := signatureElement(p); signature != nil {
			return signatureParameterNames(signature)
		}
	}
	for p := range c.toolNames() {
		if signature := (ast.Tool{Pattern: p}).Signature(); p.Identity() == entry.name && signature != nil {
			return signatureParameterNames(signature)
		}
	}
	if b, known := c.ownerBuiltin(entry); known && entry.has(string(library.EntryBuiltin)) && b.Signature != nil {
		return library.ParamNames(b.Signature.Params)
	}
	return nil
}
