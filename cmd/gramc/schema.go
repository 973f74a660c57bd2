package main

import (
	"bytes"
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

func (c *cli) schemaCommand() *cobra.Command {
	var tool string
	var output bool
	to := targetFlag()
	cmd := command("schema [FILE]", oneFile, func(cmd *cobra.Command, files []string) error {
		in, err := c.input(cmd, files)
		if err != nil {
			return err
		}
		tools, err := c.tools(in, tool)
		if err != nil {
			return err
		}
		text, problems := schemas(tools, output, provider.Target(to.value))
		if in.expression {
			locate(problems, in.text)
		}
		if err := c.report(c.judge(problems), diag.Warning); err != nil {
			return err
		}
		return c.writeData(compile.Indent(text))
	})
	addExpression(cmd, "read this type signature instead of a file")
	cmd.Flags().StringVar(&tool, "tool", "", "the tool to print")
	cmd.Flags().BoolVar(&output, "output", false, "print the schema of the result")
	to.add(cmd, "target", "print what is sent to this provider")
	c.addStrict(cmd)
	return cmd
}

// schemas returns the schema of the only tool, or those of all by name, as a
// target takes them.
func schemas(tools []*compile.Tool, output bool, to provider.Target) (text json.RawMessage, problems diag.List) {
	var b bytes.Buffer
	for i, t := range tools {
		of := t.InputFor
		if output {
			of = t.OutputFor
		}
		lowered, more := of(to)
		problems = append(problems, more...)
		if len(tools) == 1 {
			return lowered, problems
		}
		fmt.Fprintf(&b, "%c%s:%s", "{,"[min(i, 1)], plainjson.String(t.Name), lowered)
	}
	b.WriteByte('}')
	return b.Bytes(), problems
}

// tools returns the tools in an input, at least one: a nameless one with the
// signature of the expression, the tool of that name, or else all tools.
func (c *cli) tools(in input, name string) ([]*compile.Tool, error) {
	if in.expression {
		if name != "" {
			return nil, errors.New("--tool picks a tool of a file, and -e is one signature")
		}
		signature, err := c.signature(in.text)
		return []*compile.Tool{{ToolSpec: compile.ToolSpec{Signature: signature}}}, err
	}
	u, err := c.loadSound(in)
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
		return nil, fmt.Errorf("there is no tool %q in %s; there is %s", name, in.name, toolNames(all))
	}
	return all[i : i+1], nil
}

// signature reads a type signature of the command line.
func (c *cli) signature(text string) (*types.Signature, error) {
	signature, problems := types.ParseTypeSignature(text)
	file := locate(problems, text)
	if signature != nil {
		problems = append(problems, c.notPortable(file)...)
	}
	return signature, c.report(c.judge(problems), diag.Warning)
}

// locate moves diagnostics of a signature into a file of that text, which it
// returns.
func locate(list diag.List, text string) *ast.File {
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

func toolNames(tools []*compile.Tool) string {
	list := make([]string, len(tools))
	for i, t := range tools {
		list[i] = t.Name
	}
	return strings.Join(list, ", ")
}
