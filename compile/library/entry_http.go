package library

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

func (r *entryReader) http() *HTTP {
	h := &HTTP{
		URL: r.text("url", true), Method: r.word("method", vocabulary.Values(vocabulary.OwnerHTTP, "method")), Body: r.word("body", []string{"json", "form"}),
		Headers: r.variables("headers", headersExample), Result: r.plain("result"), AllowHosts: r.hosts(),
	}
	if h.Method == "" {
		h.Method = "GET"
	}
	if body := r.pattern.Property("body"); body != nil && h.Body != "" && slices.Contains([]string{"GET", "HEAD", "DELETE"}, h.Method) {
		d := r.Diags.Errorf(body.Key.Span(), diag.CodeInvalidEntry, "a %s has no body; its arguments stand in the url", h.Method)
		if r.property("method") == nil {
			report.AddProperty(d, r.pattern.Subject, `method: "POST"`)
		}
	}
	if !r.has("url") {
		r.missing("has no url", `url: "https://example.com"`)
	}
	r.url("url", h.URL, h.Headers)
	if p := r.property("result"); p != nil && h.Result != "" {
		r.pointer(p, h.Result)
	}
	return h
}

// pointer checks a JSON Pointer.
func (r *entryReader) pointer(p *ast.Property, text string) {
	if text[0] != '/' {
		d := r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, `%s is not a JSON Pointer; such a path starts with a slash: "/data/items/0"`, report.Quote(text))
		path := strings.TrimPrefix(strings.TrimPrefix(text, "$"), ".")
		if path != "" && !strings.ContainsAny(path, "[]~ ") {
			path = "/" + strings.ReplaceAll(path, ".", "/")
			report.Fix(d, "write "+report.Clip(path), p.Value.Span(), strconv.Quote(path))
		}
		return
	}
	rest := strings.NewReplacer("~0", "", "~1", "").Replace(text)
	if strings.Contains(rest, "~") {
		r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s is not a JSON Pointer; in it ~ is written ~0", report.Quote(text))
	}
}
