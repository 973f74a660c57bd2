package lsp

import (
	protocol "github.com/tliron/glsp/protocol_3_16"
)

// features returns the requests that the server handles, each with the
// capability that it declares. One function in a file of its own handles each.
func features() []feature {
	return []feature{
		{"callHierarchy/incomingCalls", requestHandler(incomingCalls), nil},
		{"callHierarchy/outgoingCalls", requestHandler(outgoingCalls), nil},
		{"gram/text", documentHandler(viewText), declareOwnFeature("gram/text")},
		{"textDocument/declaration", documentHandler(goToDefinition), func(c *capabilities) { c.DeclarationProvider = true }},
		{"textDocument/definition", documentHandler(goToDefinition), func(c *capabilities) { c.DefinitionProvider = true }},
		{"textDocument/diagnostic", requestHandler(pullDiagnostics), func(c *capabilities) {
			c.DiagnosticProvider = &diagnosticOptions{Identifier: "gram", InterFile: true, WorkspaceSupport: true}
		}},
		{"workspace/diagnostic", requestHandler(pullWorkspace), nil},
		{"textDocument/documentHighlight", documentHandler(highlight), func(c *capabilities) { c.DocumentHighlightProvider = true }},
		{"textDocument/documentLink", documentHandler(documentLinks), func(c *capabilities) { c.DocumentLinkProvider = &protocol.DocumentLinkOptions{} }},
		{"textDocument/documentSymbol", documentHandler(documentSymbols), func(c *capabilities) { c.DocumentSymbolProvider = true }},
		{"textDocument/formatting", documentHandler(formatting), func(c *capabilities) { c.DocumentFormattingProvider = true }},
		{"textDocument/completion", documentHandler(completion), func(c *capabilities) {
			yes := true
			c.CompletionProvider = &protocol.CompletionOptions{ResolveProvider: &yes, TriggerCharacters: []string{":", "`", "\"", "[", "{", "(", "|", ",", "/", ">"}}
		}},
		{"completionItem/resolve", requestHandler(resolveCompletion), nil},
		{"textDocument/signatureHelp", documentHandler(signatureHelp), func(c *capabilities) {
			c.SignatureHelpProvider = &protocol.SignatureHelpOptions{TriggerCharacters: []string{"(", "{", ",", ":"}, RetriggerCharacters: []string{")", "}"}}
		}},
		{"textDocument/inlayHint", documentHandler(inlayHints), func(c *capabilities) { c.InlayHintProvider = map[string]bool{"resolveProvider": true} }},
		{"inlayHint/resolve", requestHandler(resolveInlayHint), nil},
		{"textDocument/codeLens", documentHandler(codeLenses), func(c *capabilities) { c.CodeLensProvider = &protocol.CodeLensOptions{} }},
		{"textDocument/codeAction", documentHandler(codeActions), declareCodeActions},
		{"codeAction/resolve", requestHandler(resolveCodeAction), nil},
		{"textDocument/semanticTokens/full", documentHandler(semanticTokens), declareSemanticTokens},
		{"textDocument/semanticTokens/full/delta", documentHandler(semanticTokensFullDelta), nil},
		{"textDocument/semanticTokens/range", documentHandler(semanticTokensRange), nil},
		{"textDocument/rangeFormatting", documentHandler(rangeFormatting), func(c *capabilities) { c.DocumentRangeFormattingProvider = true }},
		{"textDocument/onTypeFormatting", documentHandler(onTypeFormatting), func(c *capabilities) {
			c.DocumentOnTypeFormattingProvider = &protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: "\n", MoreTriggerCharacter: []string{"]", "}"}}
		}},
		{"textDocument/foldingRange", documentHandler(foldingRanges), func(c *capabilities) { c.FoldingRangeProvider = true }},
		{"textDocument/selectionRange", documentHandler(selectionRanges), func(c *capabilities) { c.SelectionRangeProvider = true }},
		{"textDocument/linkedEditingRange", documentHandler(linkedEditing), func(c *capabilities) { c.LinkedEditingRangeProvider = true }},
		{"gram/embedded", documentHandler(embeddedLanguages), declareOwnFeature("gram/embedded")},
		{"textDocument/hover", documentHandler(hover), func(c *capabilities) { c.HoverProvider = true }},
		{"textDocument/implementation", requestHandler(goToImplementation), func(c *capabilities) { c.ImplementationProvider = true }},
		{"textDocument/prepareCallHierarchy", requestHandler(prepareCalls), func(c *capabilities) { c.CallHierarchyProvider = true }},
		{"textDocument/prepareRename", documentHandler(prepareRename), nil},
		{"textDocument/references", requestHandler(findReferences), func(c *capabilities) { c.ReferencesProvider = true }},
		{"textDocument/rename", documentHandler(rename), func(c *capabilities) { c.RenameProvider = renameOptions{Prepare: true} }},
		{"textDocument/typeDefinition", requestHandler(goToTypeDefinition), func(c *capabilities) { c.TypeDefinitionProvider = true }},
		{"workspace/willRenameFiles", requestHandler(willRenameFiles), declareFileRenames},
		{"workspace/symbol", requestHandler(workspaceSymbols), func(c *capabilities) { c.WorkspaceSymbolProvider = true }},
	}
}

// declareOwnFeature declares a request that is not part of the protocol. See
// editors/README.md.
func declareOwnFeature(method string) func(*capabilities) {
	return func(c *capabilities) {
		if c.Experimental == nil {
			c.Experimental = map[string]bool{}
		}
		c.Experimental[method] = true
	}
}
