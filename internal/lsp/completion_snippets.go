package lsp

import (
	"regexp"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/internal/vocabulary"
)

// A snippet is a piece of gram with places to fill in, and what it is.
type snippet struct{ label, text, detail string }

// signatureSnippet is the text of a signature.
const signatureSnippet = "(${1:name}::${2:Text})==>(::${3:Text})"

var toolSnippet = snippet{"tool", "[${1:name}:Tool {description: \"${2:What it does}\"} |\n" +
	"  (${3:parameter}::${4:Text})==>(::${5:Text})\n" +
	"]", "a new tool"}

// patternSnippets are those of the top of a file.
var patternSnippets = []snippet{
	{"agent", "[${1:name}:Agent {\n" +
		"  description: \"${2:What it is for}\",\n" +
		"  instruction: \"${3:You are a helpful assistant.}\",\n" +
		"  model: \"${4:OpenAI/gpt-5.4-mini}\"\n" +
		"}$0]", "a new agent"},
	toolSnippet,
	{"type", "[${1:Name}:Type {description: \"${2:What it is}\"} |\n  (${3:field}::${4:Text})$0\n]", "a new type with fields"},
	{"enum", "[${1:Name}:Enum {values: [\"${2:a}\", \"${3:b}\"]}]", "a new type of some values"},
	{"union", "[${1:Name}:Union | (::${2:First}), (::${3:Second})]", "a new type of some types"},
	{"library", "[${1:local}:Library {description: \"${2:What works on this machine}\"} |\n" +
		"  [${3:tool}:Command {run: [\"${4:./program}\"]}]$0\n" +
		"]", "a new library"},
}

var importSnippet = snippet{"import", `{import: ["${1:./types.gram}"]}`, "other files that this one knows"}

// elementSnippets returns the snippets of what a pattern holds.
func elementSnippets(owner vocabulary.Owner) []snippet {
	switch owner {
	case vocabulary.OwnerAgent:
		return []snippet{toolSnippet}
	case vocabulary.OwnerTool:
		return []snippet{{"signature", signatureSnippet, "parameters and a result"}}
	case vocabulary.OwnerType:
		return []snippet{{"field", "(${1:name}::${2:Text})", "a field"}}
	case vocabulary.OwnerUnion:
		return []snippet{{"alternative", "(::${1:Name})", "an alternative"}}
	case vocabulary.OwnerLibrary:
		return []snippet{
			{"command", `[${1:tool}:Command {run: ["${2:./program}"]}]`, "a program that is started for each call"},
			{"http", `[${1:tool}:Http {url: "${2:https://api.example.com/}"}]`, "a service that is asked for each call"},
			{"mcp", `[${1:server}:Mcp {command: ["${2:npx}", "${3:-y}", "${4:server}"]}]`, "an MCP server with its tools"},
			{"builtin", `[${1:read_file}:Builtin {root: "${2:.}"}]`, "a tool that comes with gramc"},
		}
	}
	return nil
}

// topSnippets adds what is possible at the top of a file.
func (c *completer) topSnippets() {
	c.snippets(patternSnippets...)
	if c.d.ast().Header == nil && strings.TrimSpace(c.d.text[:c.token.start]) == "" {
		c.snippets(importSnippet)
	}
}

// openedSnippets adds snippets of patterns whose opening bracket is written, and
// the closing one too where an editor has added it.
func (c *completer) openedSnippets(list ...snippet) {
	for _, s := range list {
		if text, ok := strings.CutPrefix(s.text, "["); ok {
			if c.behindToken(']') {
				text = strings.TrimSuffix(text, "]")
			}
			c.snippets(snippet{s.label, text, s.detail})
		}
	}
}

// snippets adds snippets, whose lines the client indents as the line of the cursor
// is. A client that knows no snippets gets none.
func (c *completer) snippets(list ...snippet) {
	if !c.capabilities.TextDocument.Completion.Item.Snippets || c.token.quote != 0 {
		return
	}
	for _, s := range list {
		c.add(completionItem{
			Label: s.label, Kind: protocol.CompletionItemKindSnippet, Detail: s.detail, SortText: completionGroup('z', 0),
			Format: protocol.InsertTextFormatSnippet, Mode: protocol.InsertTextModeAdjustIndentation,
			Docs: markdown("```gram\n" + snippetWithoutPlaceholders(s.text) + "\n```"),
		}, s.text)
	}
}

var (
	placeholder = regexp.MustCompile(`\$\{\d+:([^}]*)\}|\$\{\d+\|([^},|]*)[^}]*\|\}|\$\d+`)
	backslashed = regexp.MustCompile(`\\([$}\\])`)
)

// snippetWithoutPlaceholders returns the text of a snippet with its first suggestions.
func snippetWithoutPlaceholders(snippet string) string {
	return backslashed.ReplaceAllString(placeholder.ReplaceAllString(snippet, "$1$2"), "$1")
}

// escapeSnippet returns text escaped for a snippet.
func escapeSnippet(text string) string {
	return strings.NewReplacer(`\`, `\\`, "$", `\$`, "}", `\}`).Replace(text)
}

// snippetOf returns what follows the key of a property, with a value like that of
// its example or with a choice of its values.
func snippetOf(p vocabulary.Property) (text string, isChoice bool) {
	if len(p.Values) > 0 && p.Key != "traits" {
		return ": ${1|" + strings.Join(p.Values, ",") + "|}", true
	}
	_, value, _ := strings.Cut(p.Example, ":")
	for _, shape := range [][2]string{{":", "::$1"}, {` "`, `: "$1"`}, {` ["`, `: ["$1"]`}, {" [", ": [$1]"}, {" {", ": {$1}"}} {
		if strings.HasPrefix(value, shape[0]) {
			return shape[1], false
		}
	}
	return ": $1", false
}
