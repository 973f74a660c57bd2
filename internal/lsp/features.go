package lsp

import (
	protocol "github.com/tliron/glsp/protocol_3_16"
)

// features returns the requests that the server handles, each with the
// capability that it declares. One function in a file of its own handles each.
func features() []feature {
	return []feature{
		{"callHierarchy/incomingCalls", onRequest(incomingCalls), nil},
		{"callHierarchy/outgoingCalls", onRequest(outgoingCalls), nil},
		{"gram/text", onDocument(viewText), declareOwn("gram/text")},
		{"textDocument/declaration", onDocument(goToDefinition), func(c *capabilities) { c.DeclarationProvider = true }},
		{"textDocument/definition", onDocument(goToDefinition), func(c *capabilities) { c.DefinitionProvider = true }},
		{"textDocument/diagnostic", onRequest(pullDiagnostics), func(c *capabilities) {
			c.DiagnosticProvider = &diagnosticOptions{Identifier: "gram", InterFile: true, WorkspaceSupport: true}
		}},
		{"workspace/diagnostic", onRequest(pullWorkspace), nil},
		{"textDocument/documentHighlight", onDocument(highlight), func(c *capabilities) { c.DocumentHighlightProvider = true }},
		{"textDocument/documentLink", onDocument(documentLinks), func(c *capabilities) { c.DocumentLinkProvider = &protocol.DocumentLinkOptions{} }},
		{"textDocument/documentSymbol", onDocument(documentSymbols), func(c *capabilities) { c.DocumentSymbolProvider = true }},
		{"textDocument/formatting", onDocument(formatting), func(c *capabilities) { c.DocumentFormattingProvider = true }},
		{"textDocument/completion", onDocument(completion), func(c *capabilities) {
			yes := true
			c.CompletionProvider = &protocol.CompletionOptions{ResolveProvider: &yes, TriggerCharacters: []string{":", "`", "\"", "[", "{", "(", "|", ",", "/", ">"}}
		}},
		{"completionItem/resolve", onRequest(resolveCompletion), nil},
		{"textDocument/signatureHelp", onDocument(signatureHelp), func(c *capabilities) {
			c.SignatureHelpProvider = &protocol.SignatureHelpOptions{TriggerCharacters: []string{"(", "{", ",", ":"}, RetriggerCharacters: []string{")", "}"}}
		}},
		{"textDocument/inlayHint", onDocument(inlayHints), func(c *capabilities) { c.InlayHintProvider = map[string]bool{"resolveProvider": true} }},
		{"inlayHint/resolve", onRequest(resolveInlayHint), nil},
		{"textDocument/codeLens", onDocument(codeLenses), func(c *capabilities) { c.CodeLensProvider = &protocol.CodeLensOptions{} }},
		{"textDocument/codeAction", onDocument(codeActions), declareCodeActions},
		{"codeAction/resolve", onRequest(resolveCodeAction), nil},
		{"textDocument/semanticTokens/full", onDocument(semanticTokens), declareSemanticTokens},
		{"textDocument/semanticTokens/full/delta", onDocument(semanticTokensFullDelta), nil},
		{"textDocument/semanticTokens/range", onDocument(semanticTokensRange), nil},
		{"textDocument/rangeFormatting", onDocument(rangeFormatting), func(c *capabilities) { c.DocumentRangeFormattingProvider = true }},
		{"textDocument/onTypeFormatting", onDocument(onTypeFormatting), func(c *capabilities) {
			c.DocumentOnTypeFormattingProvider = &protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: "\n", MoreTriggerCharacter: []string{"]", "}"}}
		}},
		{"textDocument/foldingRange", onDocument(foldingRanges), func(c *capabilities) { c.FoldingRangeProvider = true }},
		{"textDocument/selectionRange", onDocument(selectionRanges), func(c *capabilities) { c.SelectionRangeProvider = true }},
		{"textDocument/linkedEditingRange", onDocument(linkedEditing), func(c *capabilities) { c.LinkedEditingRangeProvider = true }},
		{"gram/embedded", onDocument(embeddedLanguages), declareOwn("gram/embedded")},
		{"textDocument/hover", onDocument(hover), func(c *capabilities) { c.HoverProvider = true }},
		{"textDocument/implementation", onRequest(goToImplementation), func(c *capabilities) { c.ImplementationProvider = true }},
		{"textDocument/prepareCallHierarchy", onRequest(prepareCalls), func(c *capabilities) { c.CallHierarchyProvider = true }},
		{"textDocument/prepareRename", onDocument(prepareRename), nil},
		{"textDocument/references", onRequest(findReferences), func(c *capabilities) { c.ReferencesProvider = true }},
		{"textDocument/rename", onDocument(rename), func(c *capabilities) { c.RenameProvider = renameOptions{Prepare: true} }},
		{"textDocument/typeDefinition", onRequest(goToType), func(c *capabilities) { c.TypeDefinitionProvider = true }},
		{"workspace/willRenameFiles", onRequest(willRenameFiles), declareFileRenames},
		{"workspace/symbol", onRequest(workspaceSymbols), func(c *capabilities) { c.WorkspaceSymbolProvider = true }},
	}
}

// declareOwn declares a request that is not part of the protocol. See
// editors/README.md.
func declareOwn(method string) func(*capabilities) {
	return func(c *capabilities) {
		if c.Experimental == nil {
			c.Experimental = map[string]bool{}
		}
		c.Experimental[method] = true
	}
}
