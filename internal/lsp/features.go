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
		{"textDocument/signatureHelp", on(signatureHelp), func(c *capabilities) {
			c.SignatureHelpProvider = &protocol.SignatureHelpOptions{TriggerCharacters: []string{"(", "{", ",", ":"}, RetriggerCharacters: []string{")", "}"}}
		}},
		{"textDocument/inlayHint", on(inlayHints), func(c *capabilities) { c.InlayHintProvider = map[string]bool{"resolveProvider": true} }},
		{"inlayHint/resolve", on(resolveInlayHint), nil},
		{"textDocument/codeLens", on(codeLenses), func(c *capabilities) { c.CodeLensProvider = &protocol.CodeLensOptions{} }},
		{"textDocument/hover", on(hover), func(c *capabilities) { c.HoverProvider = true }},
	}
}
