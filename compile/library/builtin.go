package library

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/report"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
)

// A builtinTool is what compile knows of a built-in tool. What it takes and
// gives, package runtime/builtin knows.
type builtinTool struct {
	Name       string
	Properties []string // that it understands, besides those of every entry
	required   []string // of these
	Traits     []Trait
}

// builtinTools returns the built-in tools.
func BuiltinTools() []builtinTool {
	files, root := []string{"root", "hidden"}, []string{"root"}
	private := []Trait{TraitPrivate}
	web := []Trait{TraitUntrusted, TraitOutbound} // what is asked for leaves the house too
	return []builtinTool{
		{"read_file", files, root, private},
		{"write_file", files, root, nil},
		{"list_directory", files, root, private},
		{"get_file_info", files, root, private},
		{"web_search", []string{"engine", "key", "id", "maxResults", "url"}, []string{"engine", "key"}, web},
		{"wikipedia", []string{"language", "url"}, nil, web},
		{"web_scraper", []string{"allowHosts"}, nil, web},
		{"calculator", nil, nil, nil},
		{"current_time", nil, nil, nil},
		{"sayHello", nil, nil, nil},
	}
}

// builtinNamed returns a built-in tool.
func builtinNamed(name string) (builtinTool, bool) {
	all := BuiltinTools()
	i := slices.IndexFunc(all, func(b builtinTool) bool { return b.Name == name })
	if i < 0 {
		return builtinTool{}, false
	}
	return all[i], true
}

func BuiltinNames() []string {
	var names []string
	for _, b := range BuiltinTools() {
		names = append(names, b.Name)
	}
	return names
}

// builtinNear returns the built-in tool that was probably meant, "" when none
// is near: readFile is read_file too.
func (c *Lowerer) builtinNear(name string) string {
	bare := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	for _, known := range BuiltinNames() {
		if bare(known) == bare(strings.TrimSuffix(name, "Tool")) {
			return known
		}
	}
	return c.Guess(name, BuiltinNames())
}

// builtinName returns which built-in an entry is: the property builtin, else
// its name.
func (r *entryReader) builtinName() string {
	name, place := r.pattern.Identity(), report.NameSpan(r.pattern)
	if p := r.property("builtin"); p != nil {
		text, ok := ast.WordOf(p.Value)
		if !ok {
			r.textOf(p.Value, r.whose("builtin"), diag.CodeInvalidEntry)
			return ""
		}
		name, place = text, p.Value.Span()
	}
	if _, known := builtinNamed(name); known || name == "" {
		return name
	}
	d := r.Diags.Errorf(place, diag.CodeUnknownBuiltin, "there is no built-in tool %s", report.Quote(name))
	near := r.builtinNear(name)
	switch {
	case near == "":
		d.Message += "; there are " + strings.Join(BuiltinNames(), ", ")
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

func (r *entryReader) builtin(b *Builtin) {
	known, ok := builtinNamed(b.Builtin)
	if !ok {
		return // which has been told
	}
	b.Root = r.text("root", false)
	b.Hidden = r.ToolFlag(r.pattern.Property("hidden"), false, r.what)
	b.Engine = r.word("engine", SearchEngines())
	b.Key, b.ID, b.URL = r.text("key", false), r.text("id", false), r.text("url", false)
	b.Language = r.language()
	b.AllowHosts = r.hosts()
	if p := r.property("maxResults"); p != nil && slices.Contains(known.Properties, "maxResults") {
		digits, number := types.PlainNumber(p.Value)
		n, err := strconv.ParseInt(digits, 10, 64)
		if b.MaxResults = n; !number || err != nil || n < 1 || n > maxResults {
			r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s must be a whole number from 1 to %d", r.whose("maxResults"), maxResults)
		}
	}
	for _, key := range known.required {
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

// searchEngines are what web_search can ask.
func SearchEngines() []string { return []string{"SerpAPI", "GoogleCustomSearch", "Bing"} }

// maxResults is how many results a search may be asked for.
const maxResults = 100

// language reads the language of wikipedia, which becomes part of a host.
func (r *entryReader) language() string {
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

// IsBuiltin reports whether gramc has a tool of that name, which an entry
// labelled Builtin gets by it.
func IsBuiltin(name string) bool {
	_, known := builtinNamed(name)
	return known
}

// builtinTraits returns what a tool of that name does if it is the built-in
// one.
func builtinTraits(tool string) []Trait {
	b, _ := builtinNamed(tool)
	return b.Traits
}

// AssumedTraits returns what the tools of an entry do: what the entry says, or
// else what is known of its kind. Nothing is known of programs.
func (e *Entry) AssumedTraits() []Trait {
	switch {
	case e.Traits != nil:
		return e.Traits
	case e.Builtin != nil:
		return builtinTraits(e.Builtin.Builtin)
	case e.HTTP != nil, e.MCP != nil && !e.MCP.URL.IsZero():
		return []Trait{TraitUntrusted, TraitOutbound}
	}
	return nil
}

// asks reports whether no call of an entry of a library is made unseen.
func (e *Entry) Asks(l *Library) bool {
	approve := cmp.Or(e.Approve, l.Approve)
	allows := func(r Rule) bool { return r.Approve == ApproveAllow }
	return (approve == ApproveAsk || approve == ApproveDeny) && !slices.ContainsFunc(e.Rules, allows)
}

// BuiltinInput returns the input schema of a built-in tool, where it is one and
// the same for all agents.
func BuiltinInput(name string) (schema json.RawMessage, known bool) {
	for _, b := range documentedBuiltins() {
		if b.Name == name && b.Signature != nil {
			return b.Signature.InputSchema(), true
		}
	}
	return nil, false
}

// A BuiltinTool is a tool that gramc has, as an entry of a library names it.
type BuiltinTool struct {
	Name       string
	Meaning    string
	Signature  *types.Signature // what it takes; nil where the agent says that
	Properties []string         // besides those of every entry
	Required   []string         // of these
}

// Builtins returns the built-in tools. Nobody may change what they hold.
func Builtins() []BuiltinTool {
	return slices.Clone(documentedBuiltins())
}

// documentedBuiltins returns the built-in tools, made once.
var documentedBuiltins = sync.OnceValue(func() []BuiltinTool {
	var list []BuiltinTool
	for _, b := range BuiltinTools() {
		told := BuiltinDocumentation[b.Name]
		tool := BuiltinTool{Name: b.Name, Meaning: told.meaning, Properties: b.Properties, Required: b.required}
		if told.parameters != "" {
			tool.Signature, _ = types.ParseTypeSignature(told.parameters + "==>(::Any)")
		}
		list = append(list, tool)
	}
	return list
})

// builtinDocumentation says what the built-in tools do, and what they take: the
// parameters of a signature. A test of package toolset compares it with what they
// take. What sayHello takes the agent says.
var BuiltinDocumentation = map[string]struct{ meaning, parameters string }{
	"read_file":      {"Reads a file below its root.", `(path::Text {description: "File path to read"})`},
	"write_file":     {"Writes a file below its root.", `(path::Text)==>(content::Text)`},
	"list_directory": {"Lists a folder below its root.", `(path::Text)==>(recursive::Bool {default: false})`},
	"get_file_info":  {"Says how large a file below its root is, and when it was changed.", `(path::Text)`},
	"web_search":     {"Searches the web by a search engine.", `(query::Text)==>(num_results::Int {default: 5})`},
	"wikipedia":      {"Looks something up in Wikipedia.", `(query::Text)`},
	"web_scraper":    {"Reads a web page, or the parts of it that a CSS selector names.", `(url::Text {format: uri})==>(selector::Text {optional: true, description: "CSS selector (optional)"})`},
	"calculator":     {"Works out an arithmetic expression.", `(expression::Text {description: "Math expression like '2 + 2'"})`},
	"current_time":   {"Tells the time of a time zone.", `(timezone::Text {optional: true, description: "Time zone like 'Europe/Berlin'; without it, UTC"})`},
	"sayHello":       {"Greets whoever the one text among its arguments names.", ""},
}
