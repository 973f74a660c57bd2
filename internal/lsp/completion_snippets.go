package lsp

import (
	"regexp"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

const (
	agentSnippet = "[${1:name}:Agent {\n" +
		"  description: \"${2:What it is for}\",\n" +
		"  instruction: \"${3:You are a helpful assistant.}\",\n" +
		"  model: \"${4:OpenAI/gpt-4o-mini}\"\n" +
		"}$0]"
	toolSnippet = "[${1:name}:Tool {description: \"${2:What it does}\"} |\n" +
		"  (${3:parameter}::${4:Text})==>(::${5:Text})\n" +
		"]"
	librarySnippet = "[${1:local}:Library {description: \"${2:What works on this machine}\"} |\n" +
		"  [${3:tool}:Command {run: [\"${4:./program}\"]}]$0\n" +
		"]"
	typeSnippet  = "[${1:Name}:Type {description: \"${2:What it is}\"} |\n  (${3:field}::${4:Text})$0\n]"
	enumSnippet  = "[${1:Name}:Enum {values: [\"${2:a}\", \"${3:b}\"]}]"
	unionSnippet = "[${1:Name}:Union | (::${2:First}), (::${3:Second})]"

	signatureSnippet = "(${1:name}::${2:Text})==>(::${3:Text})"
)

// wholePatterns adds what is possible at the top of a file.
func (c *completer) wholePatterns() {
	c.snippet("agent", agentSnippet, "a new agent")
	c.snippet("tool", toolSnippet, "a new tool")
	c.snippet("type", typeSnippet, "a new type with fields")
	c.snippet("enum", enumSnippet, "a new type of some values")
	c.snippet("union", unionSnippet, "a new type of some types")
	c.snippet("library", librarySnippet, "a new library")
	if c.d.ast().Header == nil && strings.TrimSpace(c.d.text[:c.token.start]) == "" {
		c.snippet("import", `{import: ["${1:./types.gram}"]}`, "other files that this one knows")
	}
}

// entrySnippets adds whole entries of a library.
func (c *completer) entrySnippets() {
	c.snippet("command", `[${1:tool}:Command {run: ["${2:./program}"]}]`, "a program that is started for each call")
	c.snippet("http", `[${1:tool}:Http {url: "${2:https://api.example.com/}"}]`, "a service that is asked for each call")
	c.snippet("mcp", `[${1:server}:Mcp {command: ["${2:npx}", "${3:-y}", "${4:server}"]}]`, "an MCP server with its tools")
	c.snippet("builtin", `[${1:read_file}:Builtin {root: "${2:.}"}]`, "a tool that comes with gramc")
}

// snippet adds a piece of gram with places to fill in, whose lines the client
// indents as the line of the cursor is. A client that knows no snippets gets none.
func (c *completer) snippet(label, text, detail string) {
	if !c.capabilities.TextDocument.Completion.Item.Snippets || c.token.quote != 0 {
		return
	}
	c.add(completionItem{
		Label: label, Kind: protocol.CompletionItemKindSnippet, Detail: detail, SortText: group('z', 0),
		Format: protocol.InsertTextFormatSnippet, Mode: protocol.InsertTextModeAdjustIndentation,
		Docs: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: "```gram\n" + plain(text) + "\n```"},
	}, text)
}

var (
	placeholder = regexp.MustCompile(`\$\{\d+:([^}]*)\}|\$\{\d+\|([^},|]*)[^}]*\|\}|\$\d+`)
	backslashed = regexp.MustCompile(`\\([$}\\])`)
)

// plain returns the text of a snippet with its first suggestions.
func plain(snippet string) string {
	return backslashed.ReplaceAllString(placeholder.ReplaceAllString(snippet, "$1$2"), "$1")
}

// escapeSnippet returns text escaped for a snippet.
func escapeSnippet(text string) string {
	return strings.NewReplacer(`\`, `\\`, "$", `\$`, "}", `\}`).Replace(text)
}
