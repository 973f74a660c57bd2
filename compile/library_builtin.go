package compile

import (
	"slices"
	"strings"
)

// A builtinTool is what compile knows of a built-in tool. What it takes and
// gives, package runtime/builtin knows.
type builtinTool struct {
	name       string
	properties []string // that it understands, besides those of every entry
	required   []string // of these
	traits     []Trait
}

// builtinTools returns the built-in tools.
func builtinTools() []builtinTool {
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
	all := builtinTools()
	i := slices.IndexFunc(all, func(b builtinTool) bool { return b.name == name })
	if i < 0 {
		return builtinTool{}, false
	}
	return all[i], true
}

func builtinNames() []string {
	var names []string
	for _, b := range builtinTools() {
		names = append(names, b.name)
	}
	return names
}

// builtinNear returns the built-in tool that was probably meant, "" when none
// is near: readFile is read_file too.
func (c *compiler) builtinNear(name string) string {
	bare := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	for _, known := range builtinNames() {
		if bare(known) == bare(strings.TrimSuffix(name, "Tool")) {
			return known
		}
	}
	return c.guess(name, builtinNames())
}
