package workspace

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
)

// serversAdvice is for the configurations of MCP servers.
const serversAdvice = `this is a configuration of MCP servers; in gram each is an entry of a library: [local:Library | [name:Mcp {command: ["program"]}]]`

// foreignKeys are what the top of a JSON file of another tool has.
var foreignKeys = []struct {
	keys   []string
	advice string
}{
	{[]string{"mcpServers"}, serversAdvice},
	{[]string{"openapi", "swagger"}, `this is an OpenAPI document; "gramc import" makes tools of it`},
	{[]string{"tools", "functions", "function", "parameters", "inputSchema", "input_schema"}, `this is JSON with tool definitions; "gramc import" makes tools of it`},
}

// foreignTexts are what files in other languages look like: how they start, and
// what else they have.
var foreignTexts = []struct{ language, start, has string }{
	{"BAML", `^(class|enum|function|client|generator|template_string|retry_policy|test)\b.*[{(]`, `\n *(prompt #|client |provider |functions \[)|\) *-> *\w|^enum |^class \w+ \{\n *\w+ \w+`},
	{"Python", `^(from \S+ import|import \w+(\.\w+)*( as \w+)?$|def |class \w+.*:$|@\w|"""|async def )`, ``},
	{"TypeScript", `^(import |export |const |let |type \w+ =|interface |async function |function )`, `["';{}]`},
	{"YAML", `^(---|[\w.-]+:( |$)|- )`, `:(\s|$)`},
	{"Markdown", `^#{1,6} `, ``},
	{"XML or HTML", `^<[!?A-Za-z]`, ``},
}

// foreign reports that a file without any pattern in square brackets is in
// another language; nil for what may be gram.
func foreign(f *ast.File, problems diag.List) *diag.Diagnostic {
	bracket := func(p *ast.Pattern) bool { return p.Form == ast.FormBracket }
	if f.Source == nil || slices.ContainsFunc(f.Patterns, bracket) {
		return nil
	}
	text := f.Source.Text()
	start := len(text) - len(strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n"))
	line, _, _ := strings.Cut(text[start:], "\n")
	line = strings.TrimRight(line, " \t\r")
	advice := ""
	switch {
	case strings.HasPrefix(line, "{"):
		advice = cmp.Or(foreignJSON(text[start:]), foreignRecord(f))
	case problems.HasErrors():
		advice = foreignLanguage(line, text[start:])
	}
	if advice == "" {
		return nil
	}
	var list diag.List
	return list.Errorf(f.Source.Span(start, start+len(line)), diag.CodeNotGram, "%s", advice)
}

func foreignJSON(text string) string {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil {
		return ""
	}
	for _, kind := range foreignKeys {
		if slices.ContainsFunc(kind.keys, func(key string) bool { return object[key] != nil }) {
			return kind.advice
		}
	}
	if object["version"] != nil && object["agents"] != nil {
		return `this is a compiled program; "gramc decompile" makes gram of it`
	}
	return ""
}

// foreignRecord is foreignJSON for a configuration of MCP servers, which other tools
// read with comments and bare keys, and in which one calls them servers.
func foreignRecord(f *ast.File) string {
	if slices.ContainsFunc(f.Patterns, func(p *ast.Pattern) bool { return p.Form != ast.FormBad }) {
		return ""
	}
	isServer := func(p *ast.Property) bool {
		r, ok := p.Value.(*ast.Record)
		return ok && (r.Get("command") != nil || r.Get("url") != nil)
	}
	if f.Header.Get("mcpServers") != nil {
		return serversAdvice
	}
	if p := f.Header.Get("servers"); p != nil {
		if servers, ok := p.Value.(*ast.Record); ok && slices.ContainsFunc(servers.Properties, isServer) {
			return serversAdvice
		}
	}
	return ""
}

func foreignLanguage(line, text string) string {
	for _, t := range foreignTexts {
		if regexp.MustCompile(t.start).MatchString(line) && regexp.MustCompile(t.has).MatchString(text) {
			return "this is " + t.language + ", not gram; a pattern of gram stands in brackets: [name:Label {key: \"value\"}]"
		}
	}
	return ""
}
