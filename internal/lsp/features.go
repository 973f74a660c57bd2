package lsp

// features returns the requests that the server answers, each with what it
// declares to the client. One function in a file of its own answers each.
func features() []feature {
	return []feature{
		{"gram/text", on(viewText), nil},
		{"textDocument/definition", on(definition), func(c *capabilities) { c.DefinitionProvider = true }},
		{"textDocument/diagnostic", on(pullDiagnostics), func(c *capabilities) {
			c.DiagnosticProvider = &diagnosticOptions{Identifier: "gram", InterFile: true, WorkspaceSupport: true}
		}},
		{"workspace/diagnostic", on(pullWorkspace), nil},
		{"textDocument/documentSymbol", on(documentSymbols), func(c *capabilities) { c.DocumentSymbolProvider = true }},
		{"textDocument/formatting", on(formatting), func(c *capabilities) { c.DocumentFormattingProvider = true }},
		{"textDocument/hover", on(hover), func(c *capabilities) { c.HoverProvider = true }},
		{"textDocument/implementation", on(findImplementations), func(c *capabilities) { c.ImplementationProvider = true }},
		{"textDocument/references", on(findReferences), func(c *capabilities) { c.ReferencesProvider = true }},
	}
}
