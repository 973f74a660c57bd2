package library

import (
	"fmt"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
)

// A BuiltinTool is a tool that gramc has, as an agent and an entry of a library
// write it.
type BuiltinTool struct {
	Name        string
	Meaning     string   // for those who write libraries
	Description string   // for models
	Parameters  string   // a signature without its result
	Result      string   // the type of the result, as it stands in backticks
	Example     string   // a result in JSON
	Entry       string   // the properties of an entry that works, "" for none
	Properties  []string // besides those of every entry
	Required    []string // of these
	Traits      []Trait

	// Signature is what the tool takes and returns; nil of sayHello, which takes
	// what the agent has.
	Signature *types.Signature
}

// Contract returns the signature in gram.
func (b BuiltinTool) Contract() string {
	if strings.Contains(b.Result, "{") {
		return b.Parameters + "==>(::`" + b.Result + "`)"
	}
	return b.Parameters + "==>(::" + b.Result + ")"
}

// BuiltinsText returns built-ins in gram: each as a tool of an agent, and all as
// the entries of a library.
func BuiltinsText(list []BuiltinTool) string {
	var tools strings.Builder
	var entries []string
	for _, b := range list {
		fmt.Fprintf(&tools, "// %s\n[%s:Tool {description: %q} | %s]\n\n", b.Meaning, b.Name, b.Description, b.Contract())
		entry := b.Name + ":Builtin"
		if b.Entry != "" {
			entry += " {" + b.Entry + "}"
		}
		entries = append(entries, "["+entry+"]")
	}
	return tools.String() + "[local:Library |\n" + strings.Join(entries, ",\n") + "]\n"
}

// Builtins returns the built-in tools. Do not change what they hold.
var Builtins = sync.OnceValue(func() []BuiltinTool {
	list := builtinTable()
	for i := range list {
		if list[i].Name != "sayHello" {
			list[i].Signature, _ = types.ParseTypeSignature(list[i].Contract())
		}
	}
	return list
})

func builtinTable() []BuiltinTool {
	const below = `root: "."`
	files, root := []string{"root", "hidden"}, []string{"root"}
	private := []Trait{TraitPrivate}
	web := []Trait{TraitUntrusted, TraitOutbound} // a query leaves the machine too
	return []BuiltinTool{
		{
			Name: "read_file", Meaning: "Reads a file below its root.", Description: "Reads file content as text",
			Parameters: `(path::Text {description: "File path to read"})`, Result: `{content: Text, size: Int}`,
			Example: `{"content":"text","size":4}`, Entry: below, Properties: files, Required: root, Traits: private,
		},
		{
			Name: "write_file", Meaning: "Writes a file below its root.", Description: "Writes text content to file",
			Parameters: `(path::Text)==>(content::Text)`, Result: `{bytesWritten: Int}`,
			Example: `{"bytesWritten":4}`, Entry: below, Properties: files, Required: root,
		},
		{
			Name: "list_directory", Meaning: "Lists a folder below its root.", Description: "Lists files and directories in a directory",
			Parameters: `(path::Text)==>(recursive::Bool {default: false})`,
			Result:     `{entries: [{name: Text, type: "file" | "directory", size: Int}]}`,
			Example:    `{"entries":[{"name":"a","type":"directory","size":0},{"name":"a/b.txt","type":"file","size":4}]}`,
			Entry:      below, Properties: files, Required: root, Traits: private,
		},
		{
			Name: "get_file_info", Meaning: "Says how large a file below its root is, and when it was changed.",
			Description: "Returns name, type, size and time of the last change of a file or directory",
			Parameters:  `(path::Text)`,
			Result:      `{name: Text, type: "file" | "directory", size: Int, modified: Text(format=date-time)}`,
			Example:     `{"name":"a.txt","type":"file","size":4,"modified":"2000-01-01T00:00:00Z"}`,
			Entry:       below, Properties: files, Required: root, Traits: private,
		},
		{
			Name: "web_search", Meaning: "Searches the web by a search engine.", Description: "Performs web search using configured search API",
			Parameters: `(query::Text)==>(num_results::Int {default: 5})`,
			Result:     `{results: [{title: Text, snippet: Text, url: Text}]}`,
			Entry:      `engine: SerpAPI, key: "${SERPAPI_KEY}"`,
			Properties: []string{"engine", "key", "id", "maxResults", "url"}, Required: []string{"engine", "key"}, Traits: web,
		},
		{
			Name: "wikipedia", Meaning: "Looks something up in Wikipedia.", Description: "Searches Wikipedia and returns summary",
			Parameters: `(query::Text)`, Result: `{summary: Text, url: Text}`,
			Properties: []string{"language", "url"}, Traits: web,
		},
		{
			Name: "web_scraper", Meaning: "Reads a web page, or the parts of it that a CSS selector names.",
			Description: "Fetches and extracts text from web pages",
			Parameters:  `(url::Text {format: uri})==>(selector::Text {optional: true, description: "CSS selector (optional)"})`,
			Result:      `{text: Text, title: Text}`,
			Properties:  []string{"allowHosts"}, Traits: web,
		},
		{
			Name: "calculator", Meaning: "Works out an arithmetic expression.", Description: "Evaluates mathematical expressions",
			Parameters: `(expression::Text {description: "Math expression like '2 + 2'"})`, Result: `{result: Number}`,
			Example: `{"result":0.5}`,
		},
		{
			Name: "current_time", Meaning: "Returns the time of a time zone.",
			Description: "Returns the current date and time, in UTC or in a time zone",
			Parameters:  `(timezone::Text {optional: true, description: "Time zone like 'Europe/Berlin'; without it, UTC"})`,
			Result:      `{time: Text(format=date-time), timezone: Text, weekday: Text, unix: Int}`,
			Example:     `{"time":"2000-01-01T00:00:00Z","timezone":"UTC","weekday":"Saturday","unix":946684800}`,
		},
		{
			Name: "sayHello", Meaning: "Greets whoever the one text among its arguments names.", Description: "Greets a person by name",
			Parameters: `(personName::Text)`, Result: "Text", Example: `"Hello, Ada! Nice to meet you."`,
		},
	}
}

// BuiltinNamed returns the built-in tool of a name.
func BuiltinNamed(name string) (b BuiltinTool, known bool) {
	all := Builtins()
	for i := range all {
		if all[i].Name == name {
			return all[i], true
		}
	}
	return BuiltinTool{}, false
}

// BuiltinOf returns the built-in that an entry is.
func BuiltinOf(p *ast.Pattern) (b BuiltinTool, known bool) {
	name := p.Identity()
	if own := p.Property("builtin"); own != nil && own.Value != nil {
		name, _ = ast.WordOf(own.Value)
	}
	return BuiltinNamed(name)
}

func builtinNames() []string {
	var names []string
	for _, b := range Builtins() {
		names = append(names, b.Name)
	}
	return names
}

// ParameterNames returns the names of what the tool takes, none where the agent
// decides that.
func (b BuiltinTool) ParameterNames() []string {
	if b.Signature == nil {
		return nil
	}
	return ParamNames(b.Signature.Params)
}

// IsBuiltin reports whether gramc has a tool of that name.
func IsBuiltin(name string) bool {
	_, known := BuiltinNamed(name)
	return known
}
