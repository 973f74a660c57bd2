package library

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// entryBuiltinName returns which built-in an entry is: the property builtin, else
// its name.
func (r *entryReader) entryBuiltinName() string {
	name, place := r.pattern.Identity(), report.NameSpan(r.pattern)
	if p := r.property("builtin"); p != nil {
		text, ok := ast.WordOf(p.Value)
		if !ok {
			r.textOf(p.Value, r.whose("builtin"), diag.CodeInvalidEntry)
			return ""
		}
		name, place = text, p.Value.Span()
	}
	if _, known := BuiltinNamed(name); known || name == "" {
		return name
	}
	d := r.Diags.Errorf(place, diag.CodeUnknownBuiltin, "there is no built-in tool %s", report.Quote(name))
	near := r.nearEntryBuiltin(name)
	switch {
	case near == "":
		d.Message += "; there are " + strings.Join(builtinNames(), ", ")
	case r.property("builtin") != nil:
		d.Message += fmt.Sprintf("; did you mean %s?", near)
		report.Fix(d, "write "+near, place, near)
	default:
		d.Message += fmt.Sprintf("; did you mean %s?", near)
		report.Fix(d, "write "+near, place, near)
		report.AddProperty(d, r.pattern.Subject, "builtin: "+near)
	}
	return name
}

// nearEntryBuiltin returns the built-in tool that was probably meant, "" when none
// is near: readFile is read_file too.
func (c *Lowerer) nearEntryBuiltin(name string) string {
	bare := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	for _, known := range builtinNames() {
		if bare(known) == bare(strings.TrimSuffix(name, "Tool")) {
			return known
		}
	}
	return c.Guess(name, builtinNames())
}

func (r *entryReader) builtin(b *Builtin) {
	known, ok := BuiltinNamed(b.Builtin)
	if !ok {
		return // which is already reported
	}
	b.Root = r.text("root", false)
	b.Hidden = r.ToolFlag(r.pattern.Property("hidden"), false, r.what)
	b.Engine = r.word("engine", vocabulary.Values(vocabulary.OwnerBuiltin, "engine"))
	b.Key, b.ID, b.URL = r.text("key", false), r.text("id", false), r.text("url", false)
	b.Language = r.builtinLanguage()
	b.AllowHosts = r.hosts()
	if p := r.property("maxResults"); p != nil && slices.Contains(known.Properties, "maxResults") {
		digits, number := types.PlainNumber(p.Value)
		n, err := strconv.ParseInt(digits, 10, 64)
		if b.MaxResults = n; !number || err != nil || n < 1 || n > maxResults {
			r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s must be a whole number from 1 to %d", r.whose("maxResults"), maxResults)
		}
	}
	for _, key := range known.Required {
		if !r.has(key) {
			r.missing("has no "+key, map[string]string{"root": `root: "."`, "engine": "engine: SerpAPI", "key": `key: "${SERPAPI_KEY}"`}[key])
		}
	}
	if b.Engine == "GoogleCustomSearch" && !r.has("id") {
		r.missing("has no id, which is the cx of Google's search engine", `id: "${GOOGLE_CX}"`)
	}
	if p := r.property("key"); p != nil && !b.Key.IsZero() {
		r.literalSecret(p.Value, Variable{"key", b.Key})
	}
	if !b.URL.IsZero() {
		secrets := []Variable{{"key", b.Key}}
		r.url("url", b.URL, secrets)
	}
}

// maxResults is how many results a search may be asked for.
const maxResults = 100

// builtinLanguage reads the language of wikipedia, which becomes part of a host.
func (r *entryReader) builtinLanguage() string {
	p := r.property("language")
	if p == nil {
		return ""
	}
	text, ok := ast.WordOf(p.Value)
	if !ok || text == "" || strings.Trim(text, "abcdefghijklmnopqrstuvwxyz-") != "" {
		r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s must be the language of a Wikipedia, such as en or de", r.whose("language"))
		return ""
	}
	return text
}
