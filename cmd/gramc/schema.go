package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/source"
)

// A schemaChoice is what the command schema prints of a file.
type schemaChoice struct {
	tool, typ, agent string // one of them, or none for all tools
	output           bool   // the results of tools
	to               *flagChoice
}

func (c *cli) schemaCommand() *cobra.Command {
	s := schemaChoice{to: targetFlag()}
	cmd := command("schema {-e SIGNATURE | FILE}", oneFile, func(cmd *cobra.Command, files []string) error {
		in, err := c.input(cmd, files)
		if err != nil {
			return err
		}
		list, err := c.schemas(in, &s)
		if err != nil {
			return err
		}
		text, problems := schemaText(list, provider.Target(s.to.value))
		if in.expression {
			locateSignature(problems, in.text)
		}
		if err := c.report(c.judge(problems), diag.Warning); err != nil {
			return err
		}
		return c.writeData(compile.Indent(text))
	})
	addExpressionFlag(cmd, "read this type signature instead of a file")
	cmd.Flags().StringVar(&s.tool, "tool", "", "the tool whose arguments to print")
	cmd.Flags().BoolVar(&s.output, "output", false, "print the schema of the result")
	cmd.Flags().StringVar(&s.typ, "type", "", "print this named type")
	cmd.Flags().StringVar(&s.agent, "agent", "", "print what this agent returns")
	cmd.MarkFlagsMutuallyExclusive("tool", "type", "agent")
	cmd.MarkFlagsMutuallyExclusive("output", "type", "agent")
	s.to.add(cmd, "target", "print what is sent to this provider")
	c.addStrictFlags(cmd)
	return cmd
}

// A namedSchema is a schema of a file, as a target takes it.
type namedSchema struct {
	name  string
	lower func(provider.Target) (json.RawMessage, diag.List)
}

// schemas returns what was chosen of an input, at least one schema: of a file
// without tools its types, or what its agents return.
func (c *cli) schemas(in input, s *schemaChoice) ([]namedSchema, error) {
	if in.expression && s.typ+s.agent != "" {
		return nil, errors.New("--type and --agent pick from a file, and -e is one signature")
	}
	if in.expression || s.typ+s.agent == "" && s.tool != "" {
		tools, err := c.schemaTools(in, s.tool)
		return toolSchemas(tools, s.output), err
	}
	u, err := c.loadSoundInput(in)
	if err != nil {
		return nil, err
	}
	kinds := []struct {
		what, name string
		list       []namedSchema
	}{
		{"tool %q", "", toolSchemas(firstOf(compile.Tools(u.File, c.checkOptions(u))), s.output)},
		{"type %q", s.typ, typeSchemas(firstOf(compile.Types(u.File, c.checkOptions(u))))},
		{"agent %q that returns more than text", s.agent, answerSchemas(firstOf(compile.File(u.File, c.checkOptions(u))))},
	}
	for _, kind := range kinds {
		if kind.name == "" {
			if s.typ+s.agent == "" && len(kind.list) > 0 {
				return kind.list, nil
			}
			continue
		}
		i := slices.IndexFunc(kind.list, func(n namedSchema) bool { return n.name == kind.name })
		if i < 0 {
			return nil, fmt.Errorf("there is no "+kind.what+" in %s; there is %s", kind.name, in.name, cmp.Or(schemaNames(kind.list), "none"))
		}
		return kind.list[i : i+1], nil
	}
	return nil, &exit{exitProblems, fmt.Errorf("%s: there is no tool in this file", in.name)}
}

// firstOf drops diagnostics that were reported already.
func firstOf[T any](first T, _ diag.List) T { return first }

func toolSchemas(tools []*compile.Tool, output bool) []namedSchema {
	list := make([]namedSchema, len(tools))
	for i, t := range tools {
		list[i] = namedSchema{t.Name, t.ProviderInput}
		if output {
			list[i].lower = t.ProviderOutput
		}
	}
	return list
}

func typeSchemas(named []*types.Type) []namedSchema {
	list := make([]namedSchema, len(named))
	for i, t := range named {
		list[i] = namedSchema{t.Name, func(to provider.Target) (json.RawMessage, diag.List) { return compile.ProviderType(t, to) }}
	}
	return list
}

// answerSchemas returns what the agents of a program return. A target gets an
// object.
func answerSchemas(p *compile.Program) (list []namedSchema) {
	if p == nil {
		return nil
	}
	for _, a := range p.Agents {
		if a.Returns == nil {
			continue
		}
		list = append(list, namedSchema{a.Name, func(to provider.Target) (json.RawMessage, diag.List) {
			if to == provider.Plain {
				return a.Returns.Schema(), nil
			}
			return a.ProviderAnswer(to)
		}})
	}
	return list
}

func schemaNames(list []namedSchema) string {
	names := make([]string, len(list))
	for i, n := range list {
		names[i] = n.name
	}
	return strings.Join(names, ", ")
}

// schemaText returns the only schema, or all by name, as a target takes them.
func schemaText(list []namedSchema, to provider.Target) (text json.RawMessage, problems diag.List) {
	var b bytes.Buffer
	for i, n := range list {
		lowered, more := n.lower(to)
		problems = append(problems, more...)
		if len(list) == 1 {
			return lowered, problems
		}
		fmt.Fprintf(&b, "%c%s:%s", "{,"[min(i, 1)], plainjson.String(n.name), lowered)
	}
	b.WriteByte('}')
	return b.Bytes(), problems
}

// schemaTools returns the tools in an input, at least one: a nameless one with the
// signature of the expression, the tool of that name, or else all tools.
func (c *cli) schemaTools(in input, name string) ([]*compile.Tool, error) {
	if in.expression {
		if name != "" {
			return nil, errors.New("--tool picks a tool of a file, and -e is one signature")
		}
		signature, err := c.schemaSignature(in.text)
		return []*compile.Tool{{ToolSpec: compile.ToolSpec{Signature: signature}}}, err
	}
	u, err := c.loadSoundInput(in)
	if err != nil {
		return nil, err
	}
	all, _ := compile.Tools(u.File, c.checkOptions(u)) // problems were reported
	if len(all) == 0 {
		return nil, &exit{exitProblems, fmt.Errorf("%s: there is no tool in this file", in.name)}
	}
	i := slices.IndexFunc(all, func(t *compile.Tool) bool { return t.Name == name })
	switch {
	case name == "":
		return all, nil
	case i < 0:
		return nil, fmt.Errorf("there is no tool %q in %s; there is %s", name, in.name, schemaToolNames(all))
	}
	return all[i : i+1], nil
}

// schemaSignature reads a type signature of the command line.
func (c *cli) schemaSignature(text string) (*types.Signature, error) {
	signature, problems := types.ParseTypeSignature(text)
	file := locateSignature(problems, text)
	if signature != nil {
		problems = append(problems, c.notPortable(file)...)
	}
	return signature, c.report(c.judge(problems), diag.Warning)
}

// locateSignature moves diagnostics of a signature into a file of that text, which it
// returns.
func locateSignature(list diag.List, text string) *ast.File {
	file, _ := grammar.Parse(expressionName, text)
	move := func(s *source.Span) {
		if !s.IsZero() {
			s.File = file.Source
		}
	}
	for _, d := range list {
		move(&d.Span)
		for i := range d.Related {
			move(&d.Related[i].Span)
		}
	}
	return file
}

func schemaToolNames(tools []*compile.Tool) string {
	list := make([]string, len(tools))
	for i, t := range tools {
		list[i] = t.Name
	}
	return strings.Join(list, ", ")
}
