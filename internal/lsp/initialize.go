package lsp

import (
	"context"
	"encoding/json"
	"sync/atomic"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// initializeParams are what the server reads of the parameters of initialize.
type initializeParams struct {
	ProcessID    *int                       `json:"processId"`
	RootURI      *string                    `json:"rootUri"`
	RootPath     *string                    `json:"rootPath"`
	Folders      []protocol.WorkspaceFolder `json:"workspaceFolders"`
	Capabilities clientCapabilities         `json:"capabilities"`
	Options      json.RawMessage            `json:"initializationOptions"` // see settings
}

// clientCapabilities are the capabilities of the client that the server reads.
type clientCapabilities struct {
	General struct {
		PositionEncodings []encoding `json:"positionEncodings"`
	} `json:"general"`
	TextDocument struct {
		Diagnostic *struct{} `json:"diagnostic"`
		CodeAction struct {
			ResolveSupport struct {
				Properties []string `json:"properties"`
			} `json:"resolveSupport"`
			DataSupport bool `json:"dataSupport"`
		} `json:"codeAction"`
		FoldingRange struct {
			RangeLimit int `json:"rangeLimit"`
		} `json:"foldingRange"`
		DocumentSymbol struct {
			Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
		Rename struct {
			Prepare bool `json:"prepareSupport"`
		} `json:"rename"`
		Completion struct {
			Item struct {
				Snippets bool `json:"snippetSupport"`
			} `json:"completionItem"`
		} `json:"completion"`
	} `json:"textDocument"`
	Workspace struct {
		Configuration          bool `json:"configuration"`
		DidChangeConfiguration struct {
			Dynamic bool `json:"dynamicRegistration"`
		} `json:"didChangeConfiguration"`
		WatchedFiles struct {
			Dynamic bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
		Diagnostics    refreshing `json:"diagnostics"`
		InlayHint      refreshing `json:"inlayHint"`
		SemanticTokens refreshing `json:"semanticTokens"`
		Edit           struct {
			DocumentChanges    bool     `json:"documentChanges"`
			ResourceOperations []string `json:"resourceOperations"`
			Snippets           bool     `json:"snippetEditSupport"`
		} `json:"workspaceEdit"`
	} `json:"workspace"`
}

// A refreshing is whether the client supports requests to ask again for
// something that another document has changed.
type refreshing struct {
	Refresh bool `json:"refreshSupport"`
}

// capabilities are what the server can do, with what LSP 3.17 adds.
type capabilities struct {
	protocol.ServerCapabilities
	PositionEncoding   encoding           `json:"positionEncoding,omitempty"`
	DiagnosticProvider *diagnosticOptions `json:"diagnosticProvider,omitempty"`
	InlayHintProvider  any                `json:"inlayHintProvider,omitempty"`
	Experimental       map[string]bool    `json:"experimental,omitempty"` // requests that are not part of the protocol
}

type initializeResult struct {
	Capabilities *capabilities `json:"capabilities"`
	ServerInfo   serverInfo    `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// initialize starts the session. Its mutex is held.
func (s *session) initialize(ctx context.Context, raw json.RawMessage) (*initializeResult, error) {
	var p initializeParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, handlerParamsError(err)
	}
	c := &client{encoding: utf16Encoding, capabilities: p.Capabilities, examinations: new(atomic.Int64), colouring: new(colouring), models: s.opts.Models}
	for _, offered := range p.Capabilities.General.PositionEncodings { // in the order of the client's preference
		if offered == utf8Encoding || offered == utf16Encoding {
			c.encoding = offered
			break
		}
	}
	wanted, err := readSettings(p.Options)
	if err != nil {
		s.log.Printf("the initialization options are left out: %v", err)
	}
	s.current = newSnapshot(c, workspaceRoots(p.folders()))
	s.current.settings = wanted
	s.phase = phaseRunning
	if p.ProcessID != nil {
		go s.watchParent(ctx, *p.ProcessID)
	}
	return &initializeResult{c.declare(), serverInfo{"gram-lsp", s.opts.Version}}, nil
}

// folders returns the URIs of the roots.
func (p *initializeParams) folders() []string {
	var uris []string
	for _, f := range p.Folders {
		uris = append(uris, f.URI)
	}
	switch {
	case len(uris) > 0:
	case p.RootURI != nil:
		uris = []string{*p.RootURI}
	case p.RootPath != nil && *p.RootPath != "":
		uris = []string{uriOf(*p.RootPath)}
	}
	return uris
}

// initialized starts the work in the background.
func initialized(ctx context.Context, s *session, _ *struct{}) {
	can := s.snapshot().capabilities.Workspace
	if can.DidChangeConfiguration.Dynamic {
		s.call(ctx, "client/registerCapability", protocol.RegistrationParams{Registrations: []protocol.Registration{
			{ID: "settings", Method: "workspace/didChangeConfiguration", RegisterOptions: map[string]string{"section": section}},
		}})
	}
	if can.Configuration {
		s.askSettings(ctx)
	}
	if can.WatchedFiles.Dynamic {
		type watcher struct {
			Pattern string `json:"globPattern"`
		}
		options := map[string]any{"watchers": []watcher{{"**/*.gram"}, {"**/.gitignore"}, {"**/.gramignore"}}}
		s.call(ctx, "client/registerCapability", protocol.RegistrationParams{Registrations: []protocol.Registration{
			{ID: "watched-files", Method: "workspace/didChangeWatchedFiles", RegisterOptions: options},
		}})
	}
	s.publishing.Do(func() { go s.publishAll(ctx) })
	s.findFiles()
}
