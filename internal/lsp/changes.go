package lsp

import (
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// A workspaceEdit is edits of documents and files to make, with the versions of
// the documents that are open, if the client knows of that.
type workspaceEdit struct {
	Changes         map[string][]protocol.TextEdit `json:"changes,omitempty"`
	DocumentChanges []any                          `json:"documentChanges,omitempty"` // createFile and documentEdit
}

type documentEdit struct {
	TextDocument documentVersion `json:"textDocument"`
	Edits        any             `json:"edits"` // []protocol.TextEdit or []snippetEdit
}

// A snippetEdit is an edit with places that the client asks for, of LSP 3.18.
type snippetEdit struct {
	Range   protocol.Range `json:"range"`
	Snippet snippetText    `json:"snippet"`
}

type snippetText struct {
	Kind  string `json:"kind"` // snippet
	Value string `json:"value"`
}

type documentVersion struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"` // null for one that is not open
}

type createFile struct {
	Kind string `json:"kind"`
	URI  string `json:"uri"`
}

// Changes are what an action or a rename does to documents of a snapshot, and the
// files that it makes. Edits of one document do not overlap.
type changes struct {
	*snapshot
	documents []*document // in the order of their first change
	edits     map[*document][]protocol.TextEdit
	created   []protocol.TextDocumentItem
	asked     []documentEdit // of documents without other edits
}

func (s *snapshot) changes() *changes {
	return &changes{snapshot: s, edits: map[*document][]protocol.TextEdit{}}
}

// replace replaces bytes of a document.
func (c *changes) replace(d *document, start, end int, text string) {
	c.add(d, protocol.TextEdit{Range: d.span(start, end), NewText: text})
}

func (c *changes) add(d *document, edits ...protocol.TextEdit) {
	if _, known := c.edits[d]; !known {
		c.documents = append(c.documents, d)
	}
	c.edits[d] = append(c.edits[d], edits...)
}

// addFix adds the edits of a fix, and reports whether all of them are of
// documents as they are.
func (c *changes) addFix(list []diag.Edit) bool {
	for _, e := range list {
		d := c.documentOf(e.Span)
		if d == nil {
			return false
		}
		c.replace(d, e.Span.Start, e.Span.End, e.NewText)
	}
	return len(list) > 0
}

// addImports makes a document import more files.
func (c *changes) addImports(d *document, paths ...string) {
	if f, ok := compile.ImportFix(d.ast(), paths...); ok {
		c.addFix(f.Edits)
	}
}

// create makes a file.
func (c *changes) create(path, text string) {
	c.created = append(c.created, protocol.TextDocumentItem{URI: uriOf(path), Text: text})
}

// ask replaces bytes of a document by a snippet.
func (c *changes) ask(d *document, start, end int, text string) {
	c.asked = append(c.asked, documentEdit{c.versionOf(d), []snippetEdit{{d.span(start, end), snippetText{"snippet", text}}}})
}

// edit returns the changes as the client takes them.
func (c *changes) edit() *workspaceEdit {
	e := &workspaceEdit{}
	if !c.capabilities.Workspace.Edit.DocumentChanges {
		e.Changes = map[string][]protocol.TextEdit{}
		for _, d := range c.documents {
			e.Changes[d.uri] = c.edits[d]
		}
		return e
	}
	for _, f := range c.created {
		e.DocumentChanges = append(e.DocumentChanges,
			createFile{"create", f.URI},
			documentEdit{documentVersion{URI: f.URI}, []protocol.TextEdit{{NewText: f.Text}}},
		)
	}
	for _, d := range c.documents {
		e.DocumentChanges = append(e.DocumentChanges, documentEdit{c.versionOf(d), c.edits[d]})
	}
	for _, edit := range c.asked {
		e.DocumentChanges = append(e.DocumentChanges, edit)
	}
	return e
}

func (*snapshot) versionOf(d *document) documentVersion {
	v := documentVersion{URI: d.uri}
	if d.open {
		v.Version = &d.version
	}
	return v
}

// remove takes a pattern at the top away, with its comments and its lines.
func (c *changes) remove(p *ast.Pattern) { c.addFix([]diag.Edit{report.RemovePattern(p)}) }

// after puts a text behind a pattern at the top, on lines of its own.
func (c *changes) after(d *document, p *ast.Pattern, text string) {
	at, lineBreak := p.Span().End, d.lineBreak()
	if comments := p.Comments(); comments != nil {
		for _, comment := range comments.Suffix {
			at = max(at, comment.Span.End)
		}
	}
	rest, next, _ := strings.Cut(d.text[at:], "\n")
	text = lineBreak + lineBreak + text
	switch {
	case strings.TrimSpace(rest) != "":
		text += lineBreak + lineBreak
	case strings.TrimSpace(next) != "" && strings.TrimLeft(next, "\r\n") == next:
		text += lineBreak
	}
	c.replace(d, at, at, text)
}

// addProperty adds a property to the record of a subject.
func (c *changes) addProperty(d *document, s *ast.Subject, property string) {
	start, end, before, after := d.propertyPlace(s)
	c.replace(d, start, end, before+property+after)
}

// addMissing adds a missing property to a subject; the client asks for its
// value, if it can.
func (c *changes) addMissing(d *document, s *ast.Subject, l missingProperty) {
	if !c.canAsk() {
		if l.plain == "" {
			l.plain = snippetWithoutPlaceholders(l.value)
		}
		c.addProperty(d, s, l.key+": "+l.plain)
		return
	}
	start, end, before, after := d.propertyPlace(s)
	if strings.Contains(before, "\n") {
		before = strings.TrimRight(before, " \t") // the client indents the lines of a snippet
	}
	c.ask(d, start, end, before+l.key+": "+l.value+escapeSnippet(after))
}

// removeProperty takes a property out of a record, and the record away when
// nothing else is in it.
func (c *changes) removeProperty(d *document, s *ast.Subject, i int) {
	at := s.Record.Span()
	if list := s.Record.Properties; len(list) > 1 {
		at = report.RemoveElement(list, i)
	} else {
		at.Start = len(strings.TrimRight(d.text[:at.Start], whitespace))
	}
	c.replace(d, at.Start, at.End, "")
}
