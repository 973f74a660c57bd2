package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// This file writes the library of the operations of an OpenAPI document: an Http
// entry for each.

// An openAPIEntry is an operation as it is called.
type openAPIEntry struct {
	method, path string
	query        []placed // besides what the query gets by itself
	renamed      []placed // arguments in the path with other names than there
	headers      []placed // from variables of the environment
	given        []placed // headers that are arguments
	cookies      []placed // arguments and variables, as templates
	slashes      []string
	commas       []string
	body         string // json, form, or "" for none
	whole        string // the argument that is the whole body
	problem      string // why there can be no entry
}

// hasBody reports whether the method of an operation sends a body.
func (e *openAPIEntry) hasBody() bool {
	return e.method == "POST" || e.method == "PUT" || e.method == "PATCH"
}

// A placed is an argument, or a variable, with the name that the service has for
// it.
type placed struct{ name, is string }

// addOpenAPIEntry adds the entry of a tool that was written.
func (im *importer) addOpenAPIEntry(d *toolDefinition) {
	e := d.entry
	if e == nil {
		return
	}
	if e.checkRequest(); e.problem != "" {
		im.diags.Warnf(im.span(d.whole), diag.CodeImportAssumed, "%s gets no entry in the library: %s", d.notes.tool, e.problem)
		return
	}
	r := &ast.Record{}
	if e.method != "GET" {
		addToPattern(r, "method", &ast.Symbol{Text: e.method})
	}
	path, _, _ := strings.Cut(e.path, "#") // what follows is never sent, and tells operations apart
	url := d.service.url + path
	for _, p := range e.renamed {
		url = strings.ReplaceAll(url, "{"+p.name+"}", "{"+p.is+"}")
	}
	headers := slices.Clone(e.headers)
	for _, p := range e.given {
		headers = append(headers, placed{p.name, "{" + p.is + "}"})
	}
	im.openAPIEntryCredentials(d, &url, &headers)
	if cookies := e.cookieHeader(); cookies != "" {
		headers = append(headers, placed{"Cookie", cookies})
	}
	addToPattern(r, "url", textValue(url, false))
	addToOpenAPIEntry(r, "headers", headers, "%s")
	addToOpenAPIEntry(r, "query", e.query, "{%s}")
	switch {
	case e.whole != "":
		addToPattern(r, "body", textValue("{"+e.whole+"}", false))
	case e.body == "form", e.body == "json" && e.method == "DELETE":
		addToPattern(r, "body", &ast.Symbol{Text: e.body})
	}
	if len(e.slashes) > 0 {
		addToPattern(r, "slashes", listValue(jsonschema.Strings(e.slashes...), false))
	}
	if len(e.commas) > 0 {
		addToPattern(r, "commas", listValue(jsonschema.Strings(e.commas...), false))
	}
	if _, rest, found := strings.Cut(url, "://"); found && strings.ContainsAny(openAPIEntryHost(rest), ":") || strings.Contains(openAPIEntryHost(rest), "localhost") {
		addToPattern(r, "allowHosts", listValue(jsonschema.Strings(openAPIEntryHost(rest)), false))
	}
	p := typePattern("Http", r)
	p.Subject.Identity = ast.NewName(d.name)
	d.service.entries = append(d.service.entries, p)
}

// openAPIEntryHost returns the host of what follows the scheme of a URL.
func openAPIEntryHost(rest string) string {
	host, _, _ := strings.Cut(rest, "/")
	return host
}

func addToOpenAPIEntry(r *ast.Record, key string, list []placed, format string) {
	if len(list) == 0 {
		return
	}
	values := &ast.Record{}
	for _, p := range list {
		addToPattern(values, p.name, textValue(strings.Replace(format, "%s", p.is, 1), false))
	}
	addToPattern(r, key, values)
}

// openAPIEntryCredentials adds what the first security requirement of an operation asks for:
// from environment variables, since no document holds it.
func (im *importer) openAPIEntryCredentials(d *toolDefinition, url *string, headers *[]placed) {
	security := d.whole.Get("security")
	if security == nil {
		security = d.service.security
	}
	if security == nil || len(security.Items) == 0 {
		return
	}
	send := func(name, value string) {
		if !slices.ContainsFunc(*headers, func(p placed) bool { return strings.EqualFold(p.name, name) }) {
			*headers = append(*headers, placed{name, value})
		}
	}
	for _, m := range security.Items[0].Members {
		scheme, _ := d.reader.resolver.Follow(d.service.schemes.Get(m.Key))
		name, variable := scheme.Get("name").Text(), d.service.prefix
		switch kind := scheme.Get("type").Text(); {
		case kind == "apiKey" && scheme.Get("in").Text() == "query":
			sign := "?"
			if strings.Contains(*url, "?") {
				sign = "&"
			}
			*url += sign + name + "=${" + variable + "_KEY}"
		case kind == "apiKey" && scheme.Get("in").Text() == "header":
			send(name, "${"+variable+"_KEY}")
		case kind == "apiKey" && scheme.Get("in").Text() == "cookie":
			if !slices.ContainsFunc(d.entry.cookies, func(p placed) bool { return p.name == name }) {
				d.entry.cookies = append(d.entry.cookies, placed{name, "${" + variable + "_KEY}"})
			}
		case kind == "http" && strings.EqualFold(scheme.Get("scheme").Text(), "basic"):
			send("Authorization", "Basic ${"+variable+"_PASSWORD}")
			d.service.hasBasic = true
		case kind == "http" || kind == "oauth2" || kind == "openIdConnect":
			send("Authorization", "Bearer ${"+variable+"_TOKEN}")
		}
	}
}

// cookieHeader returns the value of the header of the cookies, "" without any.
func (e *openAPIEntry) cookieHeader() string {
	pairs := make([]string, len(e.cookies))
	for i, p := range e.cookies {
		pairs[i] = p.name + "=" + p.is
	}
	return strings.Join(pairs, "; ")
}

// fail notes why there can be no entry. The first reason counts.
func (e *openAPIEntry) fail(problem string) {
	if e.problem == "" {
		e.problem = problem
	}
}

// checkRequest notes why the method, the path or a name of an operation cannot be
// written in an entry.
func (e *openAPIEntry) checkRequest() {
	if !slices.Contains(vocabulary.Values(vocabulary.OwnerHTTP, "method"), e.method) {
		e.fail("such an entry has no method " + e.method)
	}
	if strings.Contains(e.path, "${") {
		e.fail("its path has ${")
	}
	fixed := e.path
	for _, p := range e.renamed {
		if !strings.Contains(e.path, "{"+p.name+"}") {
			e.fail("its path has no {" + clipText(p.name) + "}, which is a parameter")
		}
		fixed = strings.ReplaceAll(fixed, "{"+p.name+"}", "")
	}
	if i := strings.IndexAny(fixed, "{}"); i >= 0 {
		e.fail("its path has " + clipText(fixed[i:]) + ", which is no parameter")
	}
	for _, p := range slices.Concat(e.renamed, e.query, e.given) {
		e.checkName(p.is)
	}
	for _, p := range e.cookies {
		if strings.ContainsAny(p.name, "{}$;,= \t\"\\") {
			e.fail(quoteText(p.name) + " is no name of a cookie")
		}
	}
}

// checkName notes when an argument cannot stand in a template.
func (e *openAPIEntry) checkName(argument string) {
	if !template.IsArgument(argument) {
		e.fail("the name " + quoteText(argument) + " cannot stand between braces")
	}
}
