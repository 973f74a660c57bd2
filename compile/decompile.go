package compile

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/grammar"
)

// Decompile returns the program as a gram tree, made in code: File lowers it
// to the same program, places aside. A tool that several agents share stands
// beside them, and they refer to it.
func Decompile(p *Program) *ast.File {
	return decompile(p, func(t *Tool, pattern *ast.Pattern) {
		parsed, _ := grammar.Parse("signature", t.TypeSignature) // that of a tool made in code may be missing
		pattern.Elements = parsed.Patterns
	})
}

// decompile is Decompile with a function that adds the signature to the pattern of a
// tool.
func decompile(p *Program, sign func(t *Tool, pattern *ast.Pattern)) *ast.File {
	users := map[*Tool]int{}
	for _, a := range p.Agents {
		for _, t := range a.Tools {
			users[t]++
		}
	}
	f := &ast.File{}
	for _, d := range p.Types {
		f.Patterns = append(f.Patterns, d.Pattern)
	}
	shared := map[*Tool]bool{}
	for _, a := range p.Agents {
		elements := make([]*ast.Pattern, 0, len(a.Tools))
		for _, t := range a.Tools {
			if users[t] == 1 {
				elements = append(elements, decompileTool(t, sign))
				continue
			}
			if !shared[t] {
				shared[t] = true
				f.Patterns = append(f.Patterns, decompileTool(t, sign))
			}
			elements = append(elements, decompileReference(t.Name))
		}
		agent := ast.NewAgent(a.Name, "", a.Instruction, a.Model.String(), elements...)
		if a.Description != nil {
			agent = agent.WithDescription(*a.Description)
		}
		decompileFallbacks(agent, a)
		decompileSettings(agent.Subject.Record, a.Settings)
		f.Patterns = append(f.Patterns, agent.Pattern)
	}
	for _, l := range p.Libraries {
		f.Patterns = append(f.Patterns, l.Definition())
	}
	return f
}

// decompileFallbacks writes models instead of model for an agent that has several.
func decompileFallbacks(agent ast.Agent, a *Agent) {
	if len(a.Fallbacks) == 0 {
		return
	}
	list := &ast.Array{}
	for _, m := range a.Models() {
		list.Elements = append(list.Elements, &ast.String{Text: m.String()})
	}
	p := agent.Property("model")
	p.Key, p.Value = ast.NewName("models"), list
}

// decompileSettings writes what an agent says of its requests into its record.
func decompileSettings(r *ast.Record, s Settings) {
	if s.Temperature != "" {
		decompileValue(r, "temperature", decompileNumber(s.Temperature))
	}
	if s.MaxTokens != 0 {
		decompileValue(r, "maxTokens", &ast.Number{Raw: strconv.FormatInt(s.MaxTokens, 10)})
	}
	if s.MaxIterations != 0 {
		decompileValue(r, "maxIterations", &ast.Number{Raw: strconv.FormatInt(s.MaxIterations, 10)})
	}
	decompileBudget(r, s)
	if s.Returns != nil {
		decompileValue(r, "returns", &ast.Tagged{Tag: types.TagType, Text: s.Returns.Text})
	}
}

func decompileBudget(r *ast.Record, s Settings) {
	if s.MaxRequests != 0 {
		decompileValue(r, "maxRequests", &ast.Number{Raw: strconv.FormatInt(s.MaxRequests, 10)})
	}
	if s.MaxTotalTokens != 0 {
		decompileValue(r, "maxTotalTokens", &ast.Number{Raw: strconv.FormatInt(s.MaxTotalTokens, 10)})
	}
	if s.MaxCost != "" {
		decompileValue(r, "maxCost", decompileNumber(s.MaxCost))
	}
	if s.TimeoutMS != 0 {
		decompileValue(r, "timeout", &ast.Number{Kind: ast.Measurement, Raw: fmt.Sprintf("%dms", s.TimeoutMS)})
	}
	if s.OnOverflow != "" {
		decompileValue(r, "onOverflow", &ast.String{Text: s.OnOverflow})
	}
}

func decompileNumber(n json.Number) *ast.Number {
	kind := ast.Integer
	if strings.ContainsAny(n.String(), ".eE") {
		kind = ast.Decimal
	}
	return &ast.Number{Kind: kind, Raw: n.String()}
}

func decompileValue(r *ast.Record, key string, v ast.Value) {
	r.Properties = append(r.Properties, &ast.Property{Key: ast.NewName(key), Separator: ":", Value: v})
}

func decompileReference(name string) *ast.Pattern {
	return &ast.Pattern{Form: ast.FormRef, Subject: &ast.Subject{Identity: ast.NewName(name)}}
}

// decompileTool returns a tool as a pattern.
func decompileTool(t *Tool, sign func(t *Tool, pattern *ast.Pattern)) *ast.Pattern {
	pattern := ast.NewTool(t.Name, t.Description, nil).Pattern
	record := pattern.Subject.Record
	if t.TimeoutMS != 0 {
		decompileValue(record, "timeout", &ast.Number{Kind: ast.Measurement, Raw: fmt.Sprintf("%dms", t.TimeoutMS)})
	}
	if t.NoRetry {
		decompileValue(record, "retryable", &ast.Bool{})
	}
	if t.Repeat != "" {
		decompileValue(record, "repeat", &ast.String{Text: t.Repeat})
	}
	if t.Strict {
		decompileValue(record, "strict", &ast.Bool{Value: true})
	}
	sign(t, pattern)
	return pattern
}
