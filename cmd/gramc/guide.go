package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/vocabulary"
)

// guideText is a page for coding agents. Its tables are those of the checker.
//
//go:embed help/agents.md
var guideText string

// guideCommand returns the help topic "agents".
func guideCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "agents", Short: "The language and the workflow, for coding agents"}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(cmd.OutOrStdout(), guide()) })
	return cmd
}

// A guideTable lists the properties of one kind of thing.
type guideTable struct {
	title string
	lines []string
}

// guide returns the page for coding agents, as Markdown. Like the files of a new project
// it is filled in without text/template: with that, the linker keeps every exported
// method, and gramc is megabytes larger.
func guide() string {
	var tables strings.Builder
	for _, t := range guideTables() {
		fmt.Fprintf(&tables, "**%s**\n%s\n\n", t.title, strings.Join(t.lines, "\n"))
	}
	return strings.NewReplacer(
		"<<attributes>>\n", strings.Join(guideAttributes(), "\n")+"\n",
		"<<properties>>\n", tables.String(),
	).Replace(guideText)
}

func guideTables() []guideTable {
	entries := []vocabulary.Owner{vocabulary.OwnerCommand, vocabulary.OwnerHTTP, vocabulary.OwnerMCP}
	shared := func(p *vocabulary.Property) bool {
		return !slices.ContainsFunc(entries, func(o vocabulary.Owner) bool { return !slices.Contains(p.Owners, o) })
	}
	toolKeys := vocabulary.Keys(vocabulary.OwnerTool)
	own := func(p *vocabulary.Property) bool { return !shared(p) }
	all := func(*vocabulary.Property) bool { return true }
	tables := []guideTable{ // a line that stands in one is left out of the next
		guideTableOf("Agent", vocabulary.OwnerAgent, func(p *vocabulary.Property) bool { return p.Key != "name" }), // an older form
		guideTableOf("Tool", vocabulary.OwnerTool, all),
		guideTableOf("Library", vocabulary.OwnerLibrary, all),
		guideTableOf("Command, an entry of a library", vocabulary.OwnerCommand, own),
		guideTableOf("Http", vocabulary.OwnerHTTP, own),
		guideTableOf("Mcp", vocabulary.OwnerMCP, own),
		guideTableOf("Any entry, besides what tools have", vocabulary.OwnerCommand, func(p *vocabulary.Property) bool {
			return shared(p) && !slices.Contains(toolKeys, p.Key)
		}),
	}
	shown := map[string]bool{}
	for i := range tables {
		tables[i].lines = slices.DeleteFunc(tables[i].lines, func(line string) bool {
			again := shown[line]
			shown[line] = true
			return again
		})
	}
	return tables
}

// guideTableOf returns a line for each property of an owner that is wanted, with
// its example.
func guideTableOf(title string, owner vocabulary.Owner, wanted func(*vocabulary.Property) bool) guideTable {
	t := guideTable{title: title}
	for _, p := range vocabulary.Properties(owner) {
		if !wanted(&p) {
			continue
		}
		required := ""
		if p.Required {
			required = " (required)"
		}
		first, _, _ := strings.Cut(p.Meaning, ". ")
		t.lines = append(t.lines, fmt.Sprintf("- %s%s %s", guideCode(p.Example), required, strings.TrimSuffix(first, ".")))
	}
	return t
}

// guideCode returns text as a code span of Markdown.
func guideCode(text string) string {
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// guideAttributes returns a line of attributes for each type of JSON Schema that
// they apply to.
func guideAttributes() []string {
	kinds := []struct{ title, typ string }{
		{"Int, Number", "integer"}, {"Text", "string"}, {"lists", "array"}, {"objects", "object"}, {"any type", ""},
	}
	lines := make([]string, len(kinds))
	for i, k := range kinds {
		var examples []string
		for _, p := range vocabulary.Properties(vocabulary.OwnerParameter) {
			if guideAttributeOf(&p) == k.typ && !isRareGuideAttribute(&p) {
				examples = append(examples, guideCode(p.Example))
			}
		}
		lines[i] = fmt.Sprintf("- %s: %s", k.title, strings.Join(examples, ", "))
	}
	return lines
}

// isRareGuideAttribute reports whether an attribute is an older form, or checks nothing.
func isRareGuideAttribute(p *vocabulary.Property) bool {
	return slices.Contains([]string{"elementType", "fields", "contentEncoding", "contentMediaType", "readOnly", "writeOnly"}, p.Key)
}

// guideAttributeOf returns the first type of JSON Schema that an attribute applies to,
// "" for one that applies to all.
func guideAttributeOf(p *vocabulary.Property) string {
	if len(p.Types) == 0 {
		return ""
	}
	return p.Types[0]
}
