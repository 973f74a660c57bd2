package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/scenario"
	"github.com/gram-lang/gramc/internal/report"
)

// The commands of lenses. The client runs gramc by their one argument, a
// lensTarget; the server runs nothing.
const (
	commandRun    = "gramc.run"
	commandSchema = "gramc.schema"
	commandBind   = "gramc.bind"
	commandTest   = "gramc.test"
)

// A lensTarget is what a command is about: a file, and one thing in it.
type lensTarget struct {
	URI     string `json:"uri"`
	Agent   string `json:"agent,omitempty"`
	Tool    string `json:"tool,omitempty"`
	Library string `json:"library,omitempty"`
	Test    string `json:"test,omitempty"`
	Offline bool   `json:"offline,omitempty"`
}

// codeLenses handles textDocument/codeLens: the commands for an agent, a tool,
// a library or a test. Clients distinguish these by their names.
func codeLenses(ctx context.Context, s *snapshot, d *document, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	lenses := []protocol.CodeLens{}
	add := func(pattern *ast.Pattern, title, command string, target lensTarget) {
		target.URI = d.uri
		lenses = append(lenses, protocol.CodeLens{
			Range:   d.rangeOf(report.NameSpan(pattern)),
			Command: &protocol.Command{Title: title, Command: command, Arguments: []any{target}},
		})
	}
	for _, def := range d.index().definitions {
		switch def.kind {
		case agentKind:
			add(def.pattern, "run offline", commandRun, lensTarget{Agent: def.name, Offline: true})
			add(def.pattern, "bind", commandBind, lensTarget{Agent: def.name})
		case toolKind:
			if (ast.Tool{Pattern: def.pattern}).Signature() != nil {
				add(def.pattern, "show schema", commandSchema, lensTarget{Tool: def.name})
			}
		case libraryKind:
			add(def.pattern, "bind", commandBind, lensTarget{Library: def.name})
		case patternKind:
			if scenario.IsTest(def.pattern) {
				add(def.pattern, "run test", commandTest, lensTarget{Test: def.name})
			}
		}
	}
	return lenses, ctx.Err()
}
