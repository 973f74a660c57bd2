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
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/vocabulary"
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
const maxItems = 300

// completion handles textDocument/completion.
func completion(ctx context.Context, s *snapshot, d *document, p *protocol.TextDocumentPositionParams) (*completionList, error) {
	c := &completer{snapshot: s, cursorContext: d.contextAt(d.offset(p.Position)), others: s.others(ctx, d), given: map[string]bool{}}
	if !c.comment {
		c.complete()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.items, func(a, b completionItem) int {
		return cmp.Or(cmp.Compare(a.SortText, b.SortText), cmp.Compare(a.Label, b.Label))
	})
	list := &completionList{Items: c.items, IsIncomplete: len(c.items) > maxItems}
	list.Items = list.Items[:min(len(list.Items), maxItems)]
	if list.Items == nil {
		list.Items = []completionItem{}
	}
	return list, nil
}

// A completer collects what can be written at a cursor.
type completer struct {
	*snapshot
	*cursorContext
	others iter.Seq[*document] // of the project
	items  []completionItem
	given  map[string]bool // labels of the items

	replaced protocol.Range // the range of from and to, which is the same for nearly all items
	from, to int
}

// complete collects what can be written at the cursor.
func (c *completer) complete() {
	top := c.top()
	switch {
	case top == nil:
		if c.token.quote == 0 {
			c.wholePatterns()
		}
	case top.kind == inPattern:
		c.inPattern(top)
	case top.kind == inNode:
		c.inNode(top)
	case top.kind == inArray:
		c.inArray()
	case top.key == "" && c.token.quote == 0 && c.token.tag == "":
		c.keys(top)
	case top.key != "":
		c.value(c.owner(0), top, top.colons == 2)
	}
}

// add adds an item that replaces what is written. Text is "" for the label.
func (c *completer) add(item completionItem, text string) {
	c.addAt(item, cmp.Or(text, item.Label), c.token.start, max(c.token.end, c.offset))
}

// addAt adds an item that replaces bytes of the document, if it fits what is
// written there before the cursor.
func (c *completer) addAt(item completionItem, text string, start, end int) {
	written := c.d.text[min(start, c.offset):c.offset]
	filter := cmp.Or(item.FilterText, item.Label)
	if !fits(filter, written) || c.given[item.Label] {
		return
	}
	c.given[item.Label] = true
	if item.FilterText == "" && text != item.Label {
		item.FilterText = item.Label
	}
	if len(item.Tags) > 0 {
		item.SortText += "~" // behind others of its group
	}
	item.Edit = &protocol.TextEdit{Range: c.span(start, end), NewText: text}
	if item.Format == protocol.InsertTextFormatSnippet && !c.capabilities.TextDocument.Completion.Item.Snippets {
		item.Format = 0
		item.Edit.NewText = plain(text)
	}
	c.items = append(c.items, item)
}

// span returns the range of bytes of the document.
func (c *completer) span(start, end int) protocol.Range {
	if c.replaced == (protocol.Range{}) || start != c.from || end != c.to {
		c.replaced, c.from, c.to = c.d.span(start, end), start, end
	}
	return c.replaced
}

// fits reports whether a text has the letters that are written, in their order
// and in any case; the first characters must be the same.
func fits(text, written string) bool {
	text, written = strings.ToLower(text), strings.ToLower(written)
	if written == "" || strings.Contains(text, written) {
		return true
	}
	if text == "" || text[0] != written[0] {
		return false
	}
	for _, r := range written {
		i := strings.IndexRune(text, r)
		if i < 0 {
			return false
		}
		text = text[i+1:]
	}
	return true
}

// group returns the text by which an item is sorted: first by a group, then by
// its number in it.
func group(g byte, n int) string { return fmt.Sprintf("%c%04d", g, n) }

// keys adds the properties that a record does not have yet.
func (c *completer) keys(record *frame) {
	owner := c.owner(0)
	if owner == ownerRule {
		c.ruleArguments(record)
		return
	}
	for i, p := range c.properties(0) {
		if slices.Contains(record.keys, p.Key) {
			continue
		}
		item := completionItem{
			Label: p.Key, Kind: protocol.CompletionItemKindProperty, Detail: p.Example, SortText: group('a', i),
			Data: &completionData{Owner: owner, Key: p.Key},
		}
		if p.Required {
			item.SortText, item.Preselect = group('0', i), i == 0
		}
		c.addKey(item, p)
	}
}

// addKey adds a property with what its value may look like.
func (c *completer) addKey(item completionItem, p vocabulary.Property) {
	if c.behindToken(':') {
		c.add(item, "")
		return
	}
	item.Format = protocol.InsertTextFormatSnippet
	text := p.Key + ": "
	switch _, value, _ := strings.Cut(p.Example, ":"); {
	case len(p.Values) > 0 && p.Key != "traits":
		text += "${1|" + strings.Join(p.Values, ",") + "|}"
	case strings.HasPrefix(value, ":"):
		text = p.Key + "::$1"
	case strings.HasPrefix(value, ` "`):
		text += `"$1"`
	case strings.HasPrefix(value, ` ["`):
		text += `["$1"]`
	case strings.HasPrefix(value, " ["):
		text += "[$1]"
	case strings.HasPrefix(value, " {"):
		text += "{$1}"
	default:
		text += "$1"
	}
	if !strings.Contains(text, "|}") {
		item.Command = suggestAgain()
	}
	c.add(item, text)
}

// suggestAgain is the command by which an editor shows what can follow, by the
// name that VS Code has for it.
func suggestAgain() *protocol.Command {
	return &protocol.Command{Title: "complete the value", Command: "editor.action.triggerSuggest"}
}

// behindToken reports whether a sign follows what is written.
func (c *completer) behindToken(sign byte) bool {
	rest := strings.TrimLeft(c.d.text[max(c.token.end, c.offset):], " \t")
	return rest != "" && rest[0] == sign
}

// ruleArguments adds the arguments of the calls that a rule is about.
func (c *completer) ruleArguments(record *frame) {
	for i, name := range c.arguments(c.up(2)) {
		if !slices.Contains(record.keys, name) {
			key := ast.Print(ast.NewName(name))
			c.add(completionItem{
				Label: name, Kind: protocol.CompletionItemKindVariable, Detail: "an argument of the call", SortText: group('a', i),
				Format: protocol.InsertTextFormatSnippet,
			}, escapeSnippet(key)+`: "$1"`)
		}
	}
}

// arguments returns the names of the arguments of the calls of an entry.
func (c *completer) arguments(entry *frame) []string {
	if entry == nil {
		return nil
	}
	if p := c.pattern(entry); p != nil {
		if signature := signatureElement(p); signature != nil {
			return parameterNames(signature)
		}
	}
	if t, ok := c.toolOfEntry(entry.name); ok && t.Signature() != nil {
		return parameterNames(t.Signature())
	}
	var names []string
	if b, known := c.builtin(entry); known && entry.has(string(library.EntryBuiltin)) && b.Signature != nil {
		for _, parameter := range b.Signature.Params {
			names = append(names, parameter.Name)
		}
	}
	return names
}

// parameterNames returns the names of the parameters of a signature, in their
// order.
func parameterNames(signature *ast.Pattern) []string {
	if signature.Form != ast.FormPath {
		return nil
	}
	var names []string
	for _, n := range signature.Elements {
		name := n.Identity()
		if p := n.Property("paramName"); p != nil {
			if text, ok := ast.TextOf(p.Value); ok {
				name = text
			}
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}
