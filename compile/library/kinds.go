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

// This file reads what the kinds of entries say of themselves.

const (
	runExample     = `run: ["./program"]`
	commandExample = `command: ["npx", "-y", "server"]`
	headersExample = `{headers: {Authorization: "Bearer ${NAME}"}}`
	envExample     = `{env: {LANG: "C"}}`
)

func (r *entryReader) command() *Command {
	c := &Command{Dir: r.text("dir", false), Env: r.variables("env", envExample), Output: r.word("output", []string{"json", "text"})}
	c.Run = r.program("run", runExample, true)
	c.Shell = r.plain("shell")
	switch {
	case r.has("run") && r.has("shell"):
		if r.property("run") != nil && r.property("shell") != nil {
			r.both("run", "shell")
		}
	case !r.has("run") && !r.has("shell"):
		r.missing("does not say what it runs; write "+runExample, runExample)
	case r.property("shell") != nil && report.Blank(c.Shell):
		if _, ok := ast.TextOf(r.property("shell").Value); ok {
			r.Diags.Errorf(r.property("shell").Value.Span(), diag.CodeInvalidEntry, "%s is empty", r.whose("shell"))
		}
	}
	return c
}

// program reads a program with its arguments.
func (r *entryReader) program(key, example string, template bool) []Text {
	p := r.property(key)
	if p == nil {
		return nil
	}
	list, ok := p.Value.(*ast.Array)
	if !ok {
		r.notList(p, example)
		return nil
	}
	if len(list.Elements) == 0 {
		r.Diags.Errorf(list.Span(), diag.CodeInvalidEntry, "%s names no program; write %s", r.whose(key), example)
		return nil
	}
	var texts []Text
	for i, v := range list.Elements {
		whose := fmt.Sprintf("argument %d in %s", i, r.whose(key))
		if i == 0 {
			whose = "the program in " + r.whose(key)
		}
		text, ok := r.textOf(v, whose, diag.CodeInvalidEntry)
		if !ok {
			continue
		}
		if i == 0 && report.Blank(text) {
			r.Diags.Errorf(v.Span(), diag.CodeInvalidEntry, "%s is empty", whose)
			continue
		}
		mark := len(r.Diags)
		texts = append(texts, r.libraryText(v, text, template))
		if n := len(texts) - 1; n > 1 && codeIn(texts)[n] {
			r.Diags = append(r.Diags[:mark], slices.DeleteFunc(r.Diags[mark:], isPlainVariable)...) // a shell knows $NAME
		}
	}
	if template && len(texts) == len(list.Elements) {
		if at, fixed := r.programIsFixed(texts); fixed && at < len(texts) {
			r.codeIsFixed(texts[at:])
		}
	}
	return texts
}

func isPlainVariable(d *diag.Diagnostic) bool { return d.Code == diag.CodePlainVariable }

// notList reports that a program and its arguments are one text.
func (r *entryReader) notList(p *ast.Property, example string) {
	text, ok := ast.WordOf(p.Value)
	if !ok {
		r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s is %s; it must be a list: {%s}", r.whose(p.Key.Text), report.KindOf(p.Value), example)
		return
	}
	d := r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s is one text; the program and each argument stand in a list: {%s}", r.whose(p.Key.Text), example)
	words := strings.Fields(text)
	if len(words) == 0 || strings.ContainsAny(text, "\"'`\\|&;<>()*?") {
		return // which a shell would take apart otherwise
	}
	for i, word := range words {
		words[i] = strconv.Quote(word)
	}
	report.Fix(d, "write a list", p.Value.Span(), "["+strings.Join(words, ", ")+"]")
	if len(words) == 1 && len(d.Fixes) > 0 {
		d.MarkSafe() // else it may be a path with whitespace
	}
}

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

func (r *entryReader) mcp() *MCP {
	m := &MCP{
		Command: r.program("command", commandExample, false), Dir: r.text("dir", false), Env: r.variables("env", envExample),
		URL: r.text("url", false), Headers: r.variables("headers", headersExample), AllowHosts: r.hosts(),
		Allow: r.names("allow", `{allow: ["read_file"]}`), Prefix: r.plain("prefix"),
	}
	switch {
	case r.property("command") != nil && r.property("url") != nil:
		r.both("command", "url")
	case r.has("command"):
		r.only("headers", "url")
		r.only("allowHosts", "url")
	case r.has("url"):
		r.only("dir", "command")
		r.only("env", "command")
		r.url("url", m.URL, m.Headers)
	default:
		r.missing("names no server; write "+commandExample+", or its url", commandExample)
	}
	if p := r.property("allow"); p != nil && len(m.Allow) == 0 {
		if list, ok := p.Value.(*ast.Array); ok && len(list.Elements) == 0 {
			r.Diags.Warnf(list.Span(), diag.CodeInvalidEntry, "%s allows no tool of the server; without allow it has all of them", r.what)
		}
	}
	if p := r.property("prefix"); p != nil && m.Prefix != "" {
		if problem := types.ToolNameProblem(m.Prefix); problem != "" {
			r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s", problem)
		}
	}
	return m
}

// entryKinds returns the kinds of entries.
func entryKinds() []EntryKind { return []EntryKind{EntryCommand, EntryHTTP, EntryMCP, EntryBuiltin} }

// labelled returns the kinds of entries whose labels a pattern has.
func labelled(p *ast.Pattern) []EntryKind {
	return slices.DeleteFunc(entryKinds(), func(kind EntryKind) bool { return !p.HasLabel(string(kind)) })
}

// EntryOf returns the kind of an element of a library, "" when it is no entry.
func EntryOf(p *ast.Pattern) EntryKind {
	for _, kind := range labelled(p) {
		return kind
	}
	return ""
}

// foreignKind returns the kind of entry that a label of other tools means, ""
// when it means none.
func foreignKind(label string) EntryKind {
	switch strings.ToLower(strings.ReplaceAll(label, "_", "")) {
	case "command", "cmd", "exec", "process", "program", "shell", "script":
		return EntryCommand
	case "http", "https", "rest", "api", "httpservice", "service", "webservice", "endpoint":
		return EntryHTTP
	case "mcp", "mcpserver", "server":
		return EntryMCP
	case "builtin", "internal":
		return EntryBuiltin
	}
	return ""
}

// kindByProperties returns the kind of entry that a record belongs to, "" when
// it may be anything.
func kindByProperties(p *ast.Pattern) EntryKind {
	has := func(key string) bool { return p.Property(key) != nil }
	switch {
	case has("run"), has("shell"):
		return EntryCommand
	case has("command"), has("url") && has("allow"), has("url") && has("prefix"):
		return EntryMCP
	case has("url") && (has("method") || has("headers") || has("body") || has("result")):
		return EntryHTTP
	case has("builtin"):
		return EntryBuiltin
	}
	return ""
}
