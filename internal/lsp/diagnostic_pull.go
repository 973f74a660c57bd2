package lsp

import (
	"context"
	"strconv"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// This file holds the diagnostics that a client asks for, of LSP 3.17.

type diagnosticOptions struct {
	Identifier       string `json:"identifier"`
	InterFile        bool   `json:"interFileDependencies"`
	WorkspaceSupport bool   `json:"workspaceDiagnostics"`
}

type diagnosticParams struct {
	TextDocument     protocol.TextDocumentIdentifier `json:"textDocument"`
	PreviousResultID string                          `json:"previousResultId"`
}

// A diagnosticReport is full or, without Items, unchanged. URI and Version are
// those of reports about the workspace.
type diagnosticReport struct {
	Kind     string        `json:"kind"`
	ResultID string        `json:"resultId,omitempty"`
	Items    *[]diagnostic `json:"items,omitempty"`
	URI      string        `json:"uri,omitempty"`
	Version  *int32        `json:"version,omitempty"`
}

// pullDiagnostics handles textDocument/diagnostic.
func pullDiagnostics(ctx context.Context, s *snapshot, p *diagnosticParams) (*diagnosticReport, error) {
	d := s.document(p.TextDocument.URI)
	if d == nil {
		return &diagnosticReport{Kind: "full", Items: &[]diagnostic{}}, nil
	}
	s.listing.find() // some problems depend on it
	return s.pullReport(d, p.PreviousResultID), ctx.Err()
}

func (s *snapshot) pullReport(d *document, previous string) *diagnosticReport {
	e := s.examine(d)
	id := strconv.Itoa(e.number)
	if id == previous {
		return &diagnosticReport{Kind: "unchanged", ResultID: id}
	}
	items := s.diagnostics(d, e.problems)
	return &diagnosticReport{Kind: "full", ResultID: id, Items: &items}
}

type workspaceDiagnosticParams struct {
	Previous []struct {
		URI   string `json:"uri"`
		Value string `json:"value"`
	} `json:"previousResultIds"`
}

type workspaceReport struct {
	Items []diagnosticReport `json:"items"`
}

// pullWorkspace handles workspace/diagnostic.
func pullWorkspace(ctx context.Context, s *snapshot, p *workspaceDiagnosticParams) (*workspaceReport, error) {
	previous := map[string]string{}
	for _, r := range p.Previous {
		previous[uriKey(r.URI)] = r.Value
	}
	all := s.documents()
	report := &workspaceReport{Items: []diagnosticReport{}}
	for _, d := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		one := s.pullReport(d, previous[d.key])
		one.URI = d.uri
		if d.open {
			one.Version = &d.version
		}
		report.Items = append(report.Items, *one)
	}
	return report, nil
}
