package lsp

import (
	"slices"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/diag"
)

// A diagnostic is a problem as the protocol has it. That of glsp loses its code
// when it comes back.
type diagnostic struct {
	Range           protocol.Range                          `json:"range"`
	Severity        diag.Severity                           `json:"severity"`
	Code            diag.Code                               `json:"code"`
	CodeDescription protocol.CodeDescription                `json:"codeDescription"`
	Source          string                                  `json:"source"`
	Message         string                                  `json:"message"`
	Tags            []protocol.DiagnosticTag                `json:"tags,omitempty"`
	Related         []protocol.DiagnosticRelatedInformation `json:"relatedInformation,omitempty"`
}

// explanations is where the codes are explained, each under its name.
const explanations = "https://github.com/gram-lang/gramc/blob/main/docs/diagnostics.md#"

// diagnostics returns the problems of a document.
func (s *snapshot) diagnostics(d *document, problems diag.List) []diagnostic {
	list := make([]diagnostic, 0, len(problems)) // never null
	for _, p := range problems {
		list = append(list, s.diagnostic(d, p))
	}
	return list
}

// diagnostic returns one problem of a document.
func (s *snapshot) diagnostic(d *document, p *diag.Diagnostic) diagnostic {
	converted := diagnostic{
		Severity: s.diagnosticSeverity(p), Code: p.Code, Source: "gram", Message: p.Message, Tags: diagnosticTags(p),
		CodeDescription: protocol.CodeDescription{HRef: explanations + string(p.Code)},
	}
	related := p.Related
	if p.Span.File == d.source() {
		converted.Range = d.rangeOf(p.Span)
	} else if i := slices.IndexFunc(related, func(r diag.Related) bool { return r.Span.File == d.source() }); i >= 0 {
		// It is about an imported file, and shown at what refers to that.
		converted.Range = d.rangeOf(related[i].Span)
		related = slices.Concat(related[:i], []diag.Related{{Span: p.Span, Message: "here"}}, related[i+1:])
	}
	for _, r := range related {
		if at := s.location(r.Span); at.URI != "" {
			converted.Related = append(converted.Related, protocol.DiagnosticRelatedInformation{Location: at, Message: r.Message})
		}
	}
	return converted
}

// diagnosticSeverity returns how bad a problem is for the user.
func (s *snapshot) diagnosticSeverity(p *diag.Diagnostic) diag.Severity {
	if s.settings.Strict && p.Severity == diag.Warning {
		return diag.Error
	}
	return p.Severity
}

// diagnosticEdits returns edits of the document, and whether all are of it.
func (d *document) diagnosticEdits(list []diag.Edit) ([]protocol.TextEdit, bool) {
	edits := make([]protocol.TextEdit, 0, len(list))
	for _, e := range list {
		if e.Span.File != d.source() {
			return nil, false
		}
		edits = append(edits, protocol.TextEdit{Range: d.rangeOf(e.Span), NewText: e.NewText})
	}
	return edits, true
}

// diagnosticTags returns how an editor shows a problem besides underlining it.
func diagnosticTags(p *diag.Diagnostic) []protocol.DiagnosticTag {
	switch {
	case p.Severity != diag.Hint:
		return nil
	case p.Code == diag.CodeUnusedTool, p.Code == diag.CodeUnusedType, p.Code == diag.CodeUnusedImport, p.Code == diag.CodeDuplicateTool:
		return []protocol.DiagnosticTag{protocol.DiagnosticTagUnnecessary}
	case p.Code == diag.CodeDeprecated:
		return []protocol.DiagnosticTag{protocol.DiagnosticTagDeprecated}
	}
	return nil
}
