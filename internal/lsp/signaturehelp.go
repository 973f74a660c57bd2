package lsp

import (
	"context"
	"strings"
	"unicode/utf16"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// signatureHelp handles textDocument/signatureHelp: inside a signature its
// parameters, and inside a record its properties.
func signatureHelp(_ context.Context, s *snapshot, d *document, p *protocol.TextDocumentPositionParams) (*protocol.SignatureHelp, error) {
	c := d.contextAt(d.offset(p.Position))
	top, around := c.top(), c.up(1)
	switch {
	case c.comment || top == nil:
		return nil, nil
	case top.kind == inRecord && c.token.quote == 0:
		return c.propertyHelp(top), nil
	case top.kind == inNode && around != nil && (ownerLabelled(around) == vocabulary.OwnerTool || ownerIsEntry(around)) && !c.ownerIsRule(top, around):
		return c.signatureChainHelp(top, around), nil
	}
	return nil, nil
}

// A helpWriter is a signature that is being put together.
type helpWriter struct {
	label strings.Builder
	units uint32 // length of the label in UTF-16, in which its parts are measured whatever is agreed on for positions
	parts []protocol.ParameterInformation
}

// write adds text that is no parameter.
func (h *helpWriter) write(text string) {
	h.label.WriteString(text)
	h.units += uint32(len(utf16.Encode([]rune(text))))
}

// add adds text that is a parameter.
func (h *helpWriter) add(text, documentation string) {
	start := h.units
	h.write(text)
	part := protocol.ParameterInformation{Label: [2]uint32{start, h.units}}
	if documentation != "" {
		part.Documentation = protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: documentation}
	}
	h.parts = append(h.parts, part)
}

// show returns the help with one active part.
func (h *helpWriter) show(active int) *protocol.SignatureHelp {
	first, at := uint32(0), uint32(active)
	return &protocol.SignatureHelp{
		Signatures:      []protocol.SignatureInformation{{Label: h.label.String(), Parameters: h.parts, ActiveParameter: &at}},
		ActiveSignature: &first, ActiveParameter: &at,
	}
}

// signatureChainHelp shows the signature that the cursor is in, or the form of one where
// the parser found none.
func (c *cursorContext) signatureChainHelp(node, around *frame) *protocol.SignatureHelp {
	h := &helpWriter{}
	var signature *ast.Pattern
	if p := c.ownerPattern(around); p != nil {
		signature = signatureElement(p)
	}
	if signature == nil || signature.Form != ast.FormPath || node.nodes >= len(signature.Elements) || signature.Broken {
		h.add("(name::Type {…})", "A parameter: its name, its type and its attributes.")
		h.write("==>")
		h.add("(::Type)", "The result, at the end of the chain.")
		active := 0
		if node.name == "" && node.nodes > 0 {
			active = 1
		}
		return h.show(active)
	}
	for i, e := range signature.Elements {
		if i > 0 {
			h.write("==>")
		}
		subject := *e.Subject
		subject.Record = nil
		h.add("("+cutMarkdown(ast.Print(&subject))+")", plainMarkdown(cutMarkdown(patternPropertyText(e, "description"))))
	}
	return h.show(node.nodes)
}

// propertyHelp shows the properties of the record that the cursor is in.
func (c *cursorContext) propertyHelp(record *frame) *protocol.SignatureHelp {
	properties := c.ownerProperties(0)
	if len(properties) == 0 {
		return nil
	}
	h := &helpWriter{}
	active := len(properties) // none
	key := record.key
	if key == "" {
		key = c.written()
	}
	h.write("{")
	for i, d := range properties {
		if i > 0 {
			h.write(", ")
		}
		about := markdownPage{}
		about.property(d)
		h.add(d.Key, about.String())
		if d.Key == key {
			active = i
		}
	}
	h.write("}")
	return h.show(active)
}
