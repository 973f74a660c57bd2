package lsp

import (
	"context"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
)

// This file finds the texts in other languages: Markdown, JSON, type
// expressions, regular expressions, and those that a tag names.

// An embedded is a text in another language.
type embedded struct {
	start, end int    // of the text without tag and quotes
	language   string // as editors call languages
}

// language returns what editors call the language of a tag.
func language(tag string) string {
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

// contentOf returns where the text of a tagged or fenced text starts and ends,
// and its tag. It is not ok for other values, and for those that have none.
func contentOf(v ast.Node) (e embedded, tag string, ok bool) {
	raw, fenced := "", false
	switch v := v.(type) {
	case *ast.Tagged:
		raw, tag, fenced = v.Raw, v.Tag, v.Fence
	case *ast.String:
		raw, fenced = v.Raw, v.Quote == ast.QuoteFence
		if !fenced {
			return embedded{}, "", false
		}
	}
	at := v.Span()
	switch open := strings.IndexByte(raw, '`'); {
	case raw == "" || open < 0 || at.End-at.Start != len(raw):
		return embedded{}, "", false
	case fenced:
		body := strings.IndexByte(raw, '\n') + 1
		end := len(strings.TrimSuffix(raw, "```"))
		if body == 0 || body > end {
			return embedded{}, "", false
		}
		e.start, e.end = at.Start+body, at.Start+end
	default:
		e.start, e.end = at.Start+open+1, at.End-1
	}
	e.language = language(tag)
	return e, tag, e.start <= e.end
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
	add := func(e embedded) {
		if e.language != "" {
			list = append(list, embeddedRange{d.span(e.start, e.end), e.language})
		}
	}
	for n := range ast.Preorder(d.ast()) {
		switch n := n.(type) {
		case *ast.Label:
			if n.Name.Kind == ast.NameQuoted && n.Separator == "::" {
				at := n.Name.Span()
				add(embedded{at.Start + 1, at.End - 1, language("type")})
			}
		case *ast.String, *ast.Tagged:
			if e, _, ok := contentOf(n); ok {
				add(e)
			}
		}
	}
	return list, ctx.Err()
}
