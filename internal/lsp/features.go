package lsp

import protocol "github.com/tliron/glsp/protocol_3_16"

// features returns the requests that the server answers, each with what it
// declares to the client. One function in a file of its own answers each.
func features() []feature {
	return []feature{
		{"textDocument/diagnostic", on(pullDiagnostics), func(c *capabilities) {
			c.DiagnosticProvider = &diagnosticOptions{Identifier: "gram", InterFile: true, WorkspaceSupport: true}
		}},
		{"workspace/diagnostic", on(pullWorkspace), nil},
		{"textDocument/documentSymbol", on(documentSymbols), func(c *capabilities) { c.DocumentSymbolProvider = true }},
		{"textDocument/formatting", on(formatting), func(c *capabilities) { c.DocumentFormattingProvider = true }},
		{"textDocument/completion", on(completion), func(c *capabilities) {
			yes := true
			c.CompletionProvider = &protocol.CompletionOptions{ResolveProvider: &yes, TriggerCharacters: []string{":", "`", "\"", "[", "{", "(", "|", ",", "/"}}
		}},
		{"completionItem/resolve", on(resolveCompletion), nil},
		{"textDocument/hover", on(hover), func(c *capabilities) { c.HoverProvider = true }},
	}
}
