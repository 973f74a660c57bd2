package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

func (c *cli) schemaCommand() *cobra.Command {
	var how strictness
	var tool string
	var output bool
	cmd := &cobra.Command{
		Use:   "schema [FILE]",
		Short: "Print the JSON Schema of a tool",
		Long: `schema prints the JSON Schema of the arguments that a tool takes, or with
--output that of its result. Of a file with several tools it prints an object
with a schema for each tool, unless --tool picks one. The file needs no agent.`,
		Example: `  gramc schema agent.gram --tool sayHello
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
			return c.writeJSON(schemas(tools, output))
		},
	}
	addExpression(cmd, "read this type signature instead of a file")
	cmd.Flags().StringVar(&tool, "tool", "", "the tool to print")
	cmd.Flags().BoolVar(&output, "output", false, "print the schema of the result")
	how.addFlags(cmd)
	return cmd
}

// schemas returns the schema of the only tool, or those of all by name.
func schemas(tools []toolSignature, output bool) json.RawMessage {
	of := func(t toolSignature) json.RawMessage {
		if output {
			return t.signature.OutputSchema()
		}
		return t.signature.InputSchema()
	}
	if len(tools) == 1 {
		return of(tools[0])
	}
	var b bytes.Buffer
	before := "{"
	for _, t := range tools {
		name, err := json.Marshal(t.name)
		if err != nil {
			panic("gramc: " + err.Error())
		}
		b.WriteString(before)
		b.Write(name)
		b.WriteByte(':')
		b.Write(of(t))
		before = ","
	}
	b.WriteByte('}')
	return b.Bytes()
}

// A toolSignature is a signature and the name of its tool, "" where it comes
// from the command line.
type toolSignature struct {
	name      string
	signature *compile.Signature
}

// tools returns the signatures in an input, at least one: that of the
// expression, that of the tool of that name, or else those of all tools.
func (c *cli) tools(in input, name string, how *strictness) ([]toolSignature, error) {
	if in.expression {
		if name != "" {
			return nil, errors.New("--tool picks a tool of a file, and -e is one signature")
		}
		signature, err := c.signature(in.text, how)
		return []toolSignature{{"", signature}}, err
	}
	u, err := c.load(in)
	if err != nil {
		return nil, err
	}
	problems := u.examineAll(how)
	if err := c.show(problems, diag.Warning); err != nil {
		return nil, err
	}
	if problems.HasErrors() {
		return nil, told(exitProblems)
	}
	all, _ := compile.Tools(u.File, u.options(how)) // examine has told their problems
	if len(all) == 0 {
		return nil, &exit{exitProblems, fmt.Errorf("%s: there is no tool in this file", in.name)}
	}
	var list []toolSignature
	var names []string
	for _, t := range all {
		names = append(names, t.Name)
		if name == "" || name == t.Name {
			list = append(list, toolSignature{t.Name, t.Signature})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there is no tool %q in %s; there is %s", name, in.name, strings.Join(names, ", "))
	}
	return list, nil
}

// signature reads a type signature of the command line.
func (c *cli) signature(text string, how *strictness) (*compile.Signature, error) {
	signature, problems := compile.ParseTypeSignature(text)
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
		return nil, told(exitProblems)
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
