package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/source"
)

func (c *cli) schemaCommand() *cobra.Command {
	var how strictness
	var tool string
	var output bool
	to := targetFlag()
	cmd := &cobra.Command{
		Use:   "schema [FILE]",
		Short: "Print the JSON Schema of a tool",
		Long: `schema prints the JSON Schema of the arguments of a tool, or with --output that
of its result. For a file with several tools it prints an object with a schema
for each tool, unless --tool picks one. The file needs no agent.

With --target it prints the schema that is sent to a provider; each supports a
part of JSON Schema. What a provider does not support is reported at its place
in the file: as an error if the provider would refuse the tool, and as a warning
if the constraint is not sent, and gramc checks it afterwards.`,
		Example: `  gramc schema agent.gram --tool sayHello
  gramc schema agent.gram --target openai-strict
  gramc schema -e '(personName::Text {default:"world"})==>(::String)'`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, files []string) error {
			inputs, err := c.inputs(cmd, files)
			if err != nil {
				return err
			}
			tools, err := c.tools(inputs[0], tool, &how)
			if err != nil {
				return err
			}
			text, problems := schemas(tools, output, provider.Target(to.value))
			if inputs[0].expression {
				file, _ := grammar.Parse(expressionName, inputs[0].text)
				locate(problems, file.Source)
			}
			if err := c.show(how.judge(problems), diag.Warning); err != nil {
				return err
			}
			if problems.HasErrors() {
				return exitSilently(exitProblems)
			}
			return c.writeJSON(text)
		},
	}
	addExpression(cmd, "read this type signature instead of a file")
	cmd.Flags().StringVar(&tool, "tool", "", "the tool to print")
	cmd.Flags().BoolVar(&output, "output", false, "print the schema of the result")
	addTarget(cmd, to, "print what is sent to this provider")
	how.addFlags(cmd)
	return cmd
}

// targetFlag returns the value of the flag --target.
func targetFlag() *choice {
	var names []string
	for _, t := range provider.All() {
		names = append(names, string(t))
	}
	return &choice{string(provider.Plain), strings.Join(names, ",")}
}

func addTarget(cmd *cobra.Command, to *choice, what string) {
	cmd.Flags().Var(to, "target", what)
	complete(cmd, "target", to.of)
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
		name, err := json.Marshal(t.Name)
		if err != nil {
			panic("gramc: " + err.Error())
		}
		b.WriteByte("{,"[min(i, 1)])
		b.Write(name)
		b.WriteByte(':')
		b.Write(lowered)
	}
	b.WriteByte('}')
	return b.Bytes(), problems
}

// tools returns the tools in an input, at least one: a nameless one with the
// signature of the expression, the tool of that name, or else all tools.
func (c *cli) tools(in input, name string, how *strictness) ([]*compile.Tool, error) {
	if in.expression {
		if name != "" {
			return nil, errors.New("--tool picks a tool of a file, and -e is one signature")
		}
		signature, err := c.signature(in.text, how)
		return []*compile.Tool{{ToolSpec: compile.ToolSpec{Signature: signature}}}, err
	}
	u, err := c.loadSound(in, how)
	if err != nil {
		return nil, err
	}
	all, _ := compile.Tools(u.File, u.options(how)) // problems were reported
	if len(all) == 0 {
		return nil, &exit{exitProblems, fmt.Errorf("%s: there is no tool in this file", in.name)}
	}
	var list []*compile.Tool
	var names []string
	for _, t := range all {
		names = append(names, t.Name)
		if name == "" || name == t.Name {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there is no tool %q in %s; there is %s", name, in.name, strings.Join(names, ", "))
	}
	return list, nil
}

// signature reads a type signature of the command line.
func (c *cli) signature(text string, how *strictness) (*types.Signature, error) {
	signature, problems := types.ParseTypeSignature(text)
	file, _ := grammar.Parse(expressionName, text)
	locate(problems, file.Source)
	if signature != nil {
		problems = append(problems, how.notPortable(file)...)
	}
	problems = how.judge(problems)
	if err := c.show(problems, diag.Warning); err != nil {
		return nil, err
	}
	if problems.HasErrors() {
		return nil, exitSilently(exitProblems)
	}
	return signature, nil
}

// locate moves diagnostics into a file of the same text.
func locate(list diag.List, file *source.File) {
	move := func(s *source.Span) {
		if !s.IsZero() {
			s.File = file
		}
	}
	for _, d := range list {
		move(&d.Span)
		for i := range d.Related {
			move(&d.Related[i].Span)
		}
	}
}
