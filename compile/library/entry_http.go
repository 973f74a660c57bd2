package library

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

func (r *entryReader) http() *HTTP {
	h := &HTTP{
		URL: r.text("url", true), Method: r.word("method", vocabulary.Values(vocabulary.OwnerHTTP, "method")),
		Headers: r.variables("headers", headersExample), Result: r.plain("result"), AllowHosts: r.hosts(),
		Slashes: r.names("slashes", `{slashes: ["path"]}`), Commas: r.names("commas", `{commas: ["ids"]}`),
	}
	if p := r.property("query"); p != nil {
		if _, ok := p.Value.(*ast.Record); ok {
			h.Query = r.httpContent(p)
		} else {
			r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s is %s; it must be a map: {page: \"{page}\"}", r.whose("query"), report.KindOf(p.Value))
		}
	}
	if p := r.property("body"); p != nil && isHTTPContent(p.Value) {
		h.Content = r.httpContent(p)
	} else {
		h.Body = r.word("body", []string{"json", "form"})
	}
	if h.Method == "" {
		h.Method = "GET"
	}
	if body := r.pattern.Property("body"); body != nil && (h.Body != "" || h.Content != nil) && (h.Method == "GET" || h.Method == "HEAD") {
		r.httpBodyOfGet(body, h.Method)
	}
	if !r.has("url") {
		r.missing("has no url", `url: "https://example.com"`)
	}
	r.url("url", h.URL, h.Headers)
	if p := r.property("result"); p != nil && h.Result != "" {
		r.httpPointer(p, h.Result)
	}
	return h
}

// httpBodyOfGet reports a body of a request that has none.
func (r *entryReader) httpBodyOfGet(body *ast.Property, method string) {
	if slices.Contains(r.misspelt, "method") {
		return
	}
	d := r.Diags.Errorf(body.Key.Span(), diag.CodeInvalidEntry, "a %s has no body; its arguments stand in the url", method)
	if r.property("method") == nil {
		report.AddProperty(d, r.pattern.Subject, `method: "POST"`)
	}
}

// httpMethodAsKey reports a url that stands behind its method, {post: "https://…"}, and
// reports whether that is what the property is.
func (r *entryReader) httpMethodAsKey(p *ast.Property) bool {
	method := strings.ToUpper(p.Key.Text)
	if r.entry == nil || r.entry.Kind != EntryHTTP || p.Value == nil || r.has("url") || !slices.Contains(vocabulary.Values(vocabulary.OwnerHTTP, "method"), method) {
		return false
	}
	written := "url"
	if method != "GET" && !r.has("method") {
		written = "method: " + method + ", url"
	}
	d := r.Diags.Errorf(p.Key.Span(), diag.CodeUnknownProperty, "the property %s has no meaning on an Http entry; write %s: %s",
		report.Quote(p.Key.Text), written, report.Clip(p.Value.Span().Text()))
	report.SafeFix(d, "write "+written, p.Key.Span(), written)
	r.misspelt = append(r.misspelt, "url", "method")
	return true
}

// isHTTPContent reports whether a body is written out, rather than in a word.
func isHTTPContent(v ast.Value) bool {
	if _, isTagged := v.(*ast.Tagged); isTagged {
		return true
	}
	text, isWord := ast.WordOf(v)
	return !isWord || strings.HasPrefix(text, "{")
}

// httpContent reads a body or a query that is written out: texts in it are templates.
func (r *entryReader) httpContent(p *ast.Property) json.RawMessage {
	eachHTTPText(p.Value, func(v *ast.String) {
		if r.libraryText(v, v.Text, true).Template.Has(template.Environment) {
			r.Diags.Errorf(v.Span(), diag.CodeInvalidTemplate, "%s holds an environment variable; those stand in the url and in headers", r.whose(p.Key.Text))
		}
	})
	return r.RawJSON(p.Value, r.what, p.Key.Text)
}

// eachHTTPText visits the texts in a value.
func eachHTTPText(v ast.Value, visit func(*ast.String)) {
	switch v := v.(type) {
	case *ast.Record:
		for _, member := range v.Properties {
			eachHTTPText(member.Value, visit)
		}
	case *ast.Array:
		for _, element := range v.Elements {
			eachHTTPText(element, visit)
		}
	case *ast.Tagged:
		if value := types.LiteralJSON(v); value != nil {
			eachHTTPText(value, visit)
		}
	case *ast.String:
		visit(v)
	}
}

// httpPointer checks a JSON Pointer.
func (r *entryReader) httpPointer(p *ast.Property, text string) {
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

// headerTexts returns the values of the headers.
func (h *HTTP) headerTexts() (texts []Text) {
	for _, v := range h.Headers {
		texts = append(texts, v.Value)
	}
	return texts
}
