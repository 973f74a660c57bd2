package compile

import (
	"fmt"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/grammar"
)

// Decompile returns the program as a gram tree, made in code: File lowers it
// to the same program, places aside. A tool that several agents share stands
// beside them, and they refer to it.
func Decompile(p *Program) *ast.File {
	users := map[*Tool]int{}
	for _, a := range p.Agents {
		for _, t := range a.Tools {
			users[t]++
		}
	}
	f := &ast.File{}
	shared := map[*Tool]bool{}
	for _, a := range p.Agents {
		elements := make([]*ast.Pattern, 0, len(a.Tools))
		for _, t := range a.Tools {
			if users[t] == 1 {
				elements = append(elements, toolPattern(t))
				continue
			}
			if !shared[t] {
				shared[t] = true
				f.Patterns = append(f.Patterns, toolPattern(t))
			}
			elements = append(elements, reference(t.Name))
		}
		agent := ast.NewAgent(a.Name, "", a.Instruction, a.Model.String(), elements...)
		if a.Description != nil {
			agent = agent.WithDescription(*a.Description)
		}
		f.Patterns = append(f.Patterns, agent.Pattern)
	}
	return f
}

func reference(name string) *ast.Pattern {
	return &ast.Pattern{Form: ast.FormRef, Subject: &ast.Subject{Identity: ast.NewName(name)}}
}

// toolPattern returns a tool as a pattern. The signature of a tool that was
// made in code and not checked may be missing.
func toolPattern(t *Tool) *ast.Pattern {
	parsed, _ := grammar.Parse("signature", t.TypeSignature)
	pattern := ast.NewTool(t.Name, t.Description, nil).Pattern
	record := pattern.Subject.Record
	if t.TimeoutMS > 0 {
		limit := &ast.Number{Kind: ast.Measurement, Raw: fmt.Sprintf("%dms", t.TimeoutMS)}
		record.Properties = append(record.Properties, &ast.Property{Key: ast.NewName("timeout"), Separator: ":", Value: limit})
	}
	if t.NoRetry {
		record.Properties = append(record.Properties, &ast.Property{Key: ast.NewName("retryable"), Separator: ":", Value: &ast.Bool{}})
	}
	pattern.Elements = parsed.Patterns
	return pattern
}
