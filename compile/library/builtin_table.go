package library

import (
	"slices"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
)

// A BuiltinTool is a tool that gramc has, as an entry of a library names it.
type BuiltinTool struct {
	Name       string
	Meaning    string
	Signature  *types.Signature // what it takes; nil where the agent says that
	Properties []string         // besides those of every entry
	Required   []string         // of these
	Traits     []Trait
}

// Builtins returns the built-in tools. Do not change what they hold.
var Builtins = sync.OnceValue(func() []BuiltinTool {
	files, root := []string{"root", "hidden"}, []string{"root"}
	private := []Trait{TraitPrivate}
	web := []Trait{TraitUntrusted, TraitOutbound} // a query leaves the machine too
	takes := func(parameters string) *types.Signature {
		signature, _ := types.ParseTypeSignature(parameters + "==>(::Any)")
		return signature
	}
	return []BuiltinTool{
		{
			"read_file", "Reads a file below its root.",
			takes(`(path::Text {description: "File path to read"})`), files, root, private,
		},
		{"write_file", "Writes a file below its root.", takes(`(path::Text)==>(content::Text)`), files, root, nil},
		{"list_directory", "Lists a folder below its root.", takes(`(path::Text)==>(recursive::Bool {default: false})`), files, root, private},
		{"get_file_info", "Says how large a file below its root is, and when it was changed.", takes(`(path::Text)`), files, root, private},
		{
			"web_search", "Searches the web by a search engine.", takes(`(query::Text)==>(num_results::Int {default: 5})`),
			[]string{"engine", "key", "id", "maxResults", "url"}, []string{"engine", "key"}, web,
		},
		{"wikipedia", "Looks something up in Wikipedia.", takes(`(query::Text)`), []string{"language", "url"}, nil, web},
		{
			"web_scraper", "Reads a web page, or the parts of it that a CSS selector names.",
			takes(`(url::Text {format: uri})==>(selector::Text {optional: true, description: "CSS selector (optional)"})`),
			[]string{"allowHosts"}, nil, web,
		},
		{
			"calculator", "Works out an arithmetic expression.",
			takes(`(expression::Text {description: "Math expression like '2 + 2'"})`), nil, nil, nil,
		},
		{
			"current_time", "Tells the time of a time zone.",
			takes(`(timezone::Text {optional: true, description: "Time zone like 'Europe/Berlin'; without it, UTC"})`), nil, nil, nil,
		},
		{"sayHello", "Greets whoever the one text among its arguments names.", nil, nil, nil, nil},
	}
})

// BuiltinNamed returns the built-in tool of a name.
func BuiltinNamed(name string) (b BuiltinTool, known bool) {
	i := slices.IndexFunc(Builtins(), func(b BuiltinTool) bool { return b.Name == name })
	if i < 0 {
		return BuiltinTool{}, false
	}
	return Builtins()[i], true
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

// Parameters returns the names of what the tool takes, and which of them it
// must get. They are not known where the signature is nil.
func (b BuiltinTool) Parameters() (names, required []string, known bool) {
	if b.Signature == nil {
		return nil, nil, false
	}
	for _, p := range b.Signature.Params {
		names = append(names, p.Name)
		if !p.Optional {
			required = append(required, p.Name)
		}
	}
	slices.Sort(names)
	return names, required, true
}

// IsBuiltin reports whether gramc has a tool of that name.
func IsBuiltin(name string) bool {
	_, known := BuiltinNamed(name)
	return known
}
