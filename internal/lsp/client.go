package lsp

import (
	"slices"
	"sync/atomic"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/internal/models"
)

// A client is what is fixed for a session: the capabilities and the encoding of
// the client.
type client struct {
	encoding     encoding
	capabilities clientCapabilities
	examinations *atomic.Int64
	colouring    *colouring
	models       *models.Table // nil is the built-in one
}

// nextExamination returns a number that no examination has.
func (c *client) nextExamination() int { return int(c.examinations.Add(1)) }

// canAsk reports whether the client takes snippet edits.
func (c *client) canAsk() bool {
	edit := c.capabilities.Workspace.Edit
	return edit.DocumentChanges && edit.Snippets
}

// canCreate reports whether the client can make files.
func (c *client) canCreate() bool {
	edit := c.capabilities.Workspace.Edit
	return edit.DocumentChanges && slices.Contains(edit.ResourceOperations, "create")
}

// declare returns what the server can do for the client.
func (c *client) declare() *capabilities {
	yes, incremental := true, protocol.TextDocumentSyncKindIncremental
	declared := &capabilities{PositionEncoding: c.encoding}
	declared.TextDocumentSync = protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &incremental, Save: true}
	declared.Workspace = &protocol.ServerCapabilitiesWorkspace{
		WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
			Supported: &yes, ChangeNotifications: &protocol.BoolOrString{Value: true},
		},
	}
	for _, f := range features() {
		if f.declare != nil {
			f.declare(declared)
		}
	}
	if !c.capabilities.TextDocument.Rename.Prepare { // it knows of no options then
		declared.RenameProvider = true
	}
	return declared
}
