package lsp

import (
	"context"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
)

// This file finds the texts in other languages: Markdown, JSON, type
// expressions, regular expressions, and those that a tag names.

// embeddedLanguage returns what editors call the language of a tag.
func embeddedLanguage(tag string) string {
	switch tag {
	case "md":
		return "markdown"
	case "re":
		return "regexp"
	case "js":
		return "javascript"
	case "sh":
		return "shellscript"
	case "type":
		return "gram-type"
	}
	return strings.ToLower(tag)
}

// embeddedContent returns the text of a tagged or fenced text without tag and quotes,
// and its tag. It is not ok for other values, and for those that have none.
func embeddedContent(v ast.Node) (content source.Span, tag string, ok bool) {
	raw, fenced := "", false
	switch v := v.(type) {
	case *ast.Tagged:
		raw, tag, fenced = v.Raw, v.Tag, v.Fence
	case *ast.String:
		if fenced = v.Quote == ast.QuoteFence; fenced {
			raw = v.Raw
		}
	}
	at := v.Span()
	start, end := strings.IndexByte(raw, '`')+1, len(raw)-1
	if fenced {
		start, end = strings.IndexByte(raw, '\n')+1, len(strings.TrimSuffix(raw, "```"))
	}
	if start == 0 || end < start || at.End-at.Start != len(raw) {
		return source.Span{}, "", false
	}
	return at.File.Span(at.Start+start, at.Start+end), tag, true
}

// An embeddedRange is the range of a text in another language.
type embeddedRange struct {
	Range    protocol.Range `json:"range"`
	Language string         `json:"languageId"`
}

// embeddedLanguages handles gram/embedded, which is not part of the protocol:
// the ranges of texts in other languages, for clients that colour those
// themselves.
func embeddedLanguages(ctx context.Context, _ *snapshot, d *document, _ *struct{}) ([]embeddedRange, error) {
	list := []embeddedRange{}
	add := func(content source.Span, tag string) {
		if tag != "" {
			list = append(list, embeddedRange{d.rangeOf(content), embeddedLanguage(tag)})
		}
	}
	for n := range ast.Preorder(d.ast()) {
		switch n := n.(type) {
		case *ast.Label:
			if n.Name.Kind == ast.NameQuoted && n.Separator == "::" {
				add(rangeWithoutQuotes(n.Name.Span()), "type")
			}
		case *ast.String, *ast.Tagged:
			if content, tag, ok := embeddedContent(n); ok {
				add(content, tag)
			}
		}
	}
	return list, ctx.Err()
}
