package lsp

import (
	"context"
	"slices"

	"github.com/sourcegraph/jsonrpc2"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
)

// The kinds of actions. A client may ask for all below one, such as refactor.
const (
	kindQuickFix = "quickfix"
	kindExtract  = "refactor.extract"
	kindInline   = "refactor.inline"
	kindRewrite  = "refactor.rewrite"
	kindMove     = "refactor.move"
	kindFixAll   = "source.fixAll.gram"
	kindOrganize = "source.organizeImports"
)

// declareCodeActions declares the kinds.
func declareCodeActions(c *capabilities) {
	yes := true
	c.CodeActionProvider = &protocol.CodeActionOptions{
		CodeActionKinds: []string{kindQuickFix, kindExtract, kindInline, kindRewrite, kindMove, kindFixAll, kindOrganize},
		ResolveProvider: &yes,
	}
}

// codeActionParams are those of glsp without the diagnostics, which lose their
// code there and are not needed.
type codeActionParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Range        protocol.Range                  `json:"range"`
	Context      struct {
		Only []string `json:"only"`
	} `json:"context"`
}

// A codeAction is an action as the protocol has it.
type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
	Data        *actionData    `json:"data,omitempty"`
}

// actionData identify an action of those that a request was answered with.
type actionData struct {
	codeActionParams
	Version int32 `json:"version"`
	Index   int   `json:"index"`
}

// An action is a change that the server offers.
type action struct {
	codeAction // without its edit
	change     func(c *changes)
}

// codeActions handles textDocument/codeAction. What an action changes is left to
// codeAction/resolve, if the client asks that.
func codeActions(ctx context.Context, s *snapshot, d *document, p *codeActionParams) ([]codeAction, error) {
	o, err := s.actionsAt(ctx, d, p.Range, p.Context.Only)
	if err != nil {
		return nil, err
	}
	client := s.capabilities.TextDocument.CodeAction
	lazy := client.DataSupport && slices.Contains(client.ResolveSupport.Properties, "edit")
	list := []codeAction{}
	for i, a := range o.actions {
		if lazy {
			a.Data = &actionData{*p, d.version, i}
		} else {
			a.Edit = a.edit(s)
		}
		list = append(list, a.codeAction)
	}
	return list, nil
}

// edit returns what the action changes.
func (a *action) edit(s *snapshot) *workspaceEdit {
	c := s.changes()
	a.change(c)
	return c.edit()
}

// resolveCodeAction handles codeAction/resolve: the same actions are looked for
// again.
func resolveCodeAction(ctx context.Context, s *snapshot, a *codeAction) (*codeAction, error) {
	if a.Data == nil {
		return a, nil
	}
	d := s.document(a.Data.TextDocument.URI)
	if d == nil || d.version != a.Data.Version {
		return nil, &jsonrpc2.Error{Code: codeContentModified, Message: "the document has changed"}
	}
	o, err := s.actionsAt(ctx, d, a.Data.Range, a.Data.Context.Only)
	if err != nil {
		return nil, err
	}
	if i := a.Data.Index; i >= 0 && i < len(o.actions) && o.actions[i].Title == a.Title {
		a.Edit = o.actions[i].edit(s)
		return a, nil
	}
	return nil, &jsonrpc2.Error{Code: codeContentModified, Message: "the action is not there any more"}
}

// actionsAt returns the actions at a range of a document.
func (s *snapshot) actionsAt(ctx context.Context, d *document, r protocol.Range, only []string) (*selection, error) {
	o := &selection{snapshot: s, doc: d, only: only}
	o.start, o.end = d.offsets(r)
	o.path = ast.PathTo(d.ast(), o.start)
	if o.wants(kindQuickFix) {
		s.listing.find() // some problems depend on it
		o.quickFixes(ctx)
	}
	o.fixAll()
	o.organizeImports()
	if o.isWhole() {
		o.rewrite()
		o.libraryEntries()
		o.giveMentionedTool()
		if o.isApart() {
			o.refactorTool()
			o.refactorType(ctx)
			o.move()
		}
	}
	return o, ctx.Err()
}
