package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/internal/provider/chat"
)

func (c *cli) compileCommand() *cobra.Command {
	var output, agent string
	to := targetFlag()
	cmd := command("compile {-e TEXT | FILE}", oneFile, func(cmd *cobra.Command, files []string) error {
		in, err := c.input(cmd, files)
		if err != nil {
			return err
		}
		program, err := c.compile(in)
		if err != nil {
			return err
		}
		text := program.JSON()
		if cmd.Flag("target").Changed || agent != "" {
			if text, err = c.compileRequest(program, agent, provider.Target(to.value)); err != nil {
				return err
			}
		}
		return c.writeResult(output, text)
	})
	addExpressionFlag(cmd, "compile this gram text instead of a file")
	addOutputFlag(cmd, &output, "standard output")
	to.add(cmd, "target", "write a request for the API of this provider")
	cmd.Flags().StringVar(&agent, "agent", "", "the agent, where the file has several (with --target)")
	c.addStrictFlags(cmd)
	return cmd
}

// compileRequest returns what an agent of the program sends to a target.
func (c *cli) compileRequest(p *compile.Program, name string, to provider.Target) ([]byte, error) {
	var agents []string
	for _, a := range p.Agents {
		agents = append(agents, a.Name)
	}
	if name == "" && len(agents) == 1 {
		name = agents[0]
	}
	i := slices.Index(agents, name)
	switch {
	case i >= 0:
	case len(agents) == 0:
		return nil, errors.New("there is no agent in this file, and so no request")
	case name == "":
		return nil, fmt.Errorf("there are several agents; name one with --agent: %s", strings.Join(agents, ", "))
	default:
		return nil, fmt.Errorf("there is no agent %q; there is %s", name, strings.Join(agents, ", "))
	}
	request, problems := p.Agents[i].ProviderRequest(to)
	if err := c.report(c.judge(problems), diag.Warning); err != nil {
		return nil, err
	}
	switch to {
	case provider.Anthropic, provider.Gemini, provider.MCP:
		return compile.Indent(request.Body(to)), nil
	}
	return compile.Indent(chat.Body(request)), nil
}

// compile reads and compiles a gram file and shows what is wrong with it.
func (c *cli) compile(in input) (*compile.Program, error) {
	u, err := c.loadSoundInput(in)
	if err != nil {
		return nil, err
	}
	program, problems := compile.File(u.File, c.checkOptions(u))
	return program, c.report(c.judge(problems), diag.Error)
}
