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
	var how strictness
	var output, agent string
	to := targetFlag()
	cmd := &cobra.Command{
		Use:   "compile [FILE]",
		Short: "Compile the agents of a gram file to JSON",
		Long: `compile checks a gram file and writes its agents as JSON: each with its model,
its instruction and its tools, and each tool with the JSON Schema of its
arguments. gramc run accepts the output in place of the gram file.

With --target it writes an agent for the API of a provider: the body of a
request without the messages of a user, or for mcp its tools as an MCP server
lists them. Tool names and schemas are adapted to the provider.

If the file has errors, nothing is written.`,
		Example: `  gramc compile agent.gram -o agent.json
  gramc compile agent.gram --target anthropic --agent clerk`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, files []string) error {
			in, err := c.inputInto(cmd, files, output)
			if err != nil {
				return err
			}
			program, err := c.compile(in, &how)
			if err != nil {
				return err
			}
			text := program.JSON()
			if cmd.Flag("target").Changed || agent != "" {
				if text, err = c.request(program, agent, provider.Target(to.value), &how); err != nil {
					return err
				}
			}
			return c.writeResult(output, text)
		},
	}
	addOutput(cmd, &output)
	addTarget(cmd, to, "write a request for the API of this provider")
	cmd.Flags().StringVar(&agent, "agent", "", "the agent, where the file has several (with --target)")
	how.addFlags(cmd)
	return cmd
}

// request returns what an agent of the program sends to a target.
func (c *cli) request(p *compile.Program, name string, to provider.Target, how *strictness) ([]byte, error) {
	var agents []string
	for _, a := range p.Agents {
		agents = append(agents, a.Name)
	}
	i := slices.Index(agents, name)
	switch {
	case len(agents) == 0:
		return nil, errors.New("there is no agent in this file, and so no request")
	case name == "" && len(agents) == 1:
		i = 0
	case name == "":
		return nil, fmt.Errorf("there are several agents; name one with --agent: %s", strings.Join(agents, ", "))
	case i < 0:
		return nil, fmt.Errorf("there is no agent %q; there is %s", name, strings.Join(agents, ", "))
	}
	request, problems := p.Agents[i].RequestFor(to)
	if err := c.show(how.judge(problems), diag.Warning); err != nil {
		return nil, err
	}
	if problems.HasErrors() {
		return nil, exitSilently(exitProblems)
	}
	switch to {
	case provider.Anthropic, provider.Gemini, provider.MCP:
		return compile.Indent(request.Body(to)), nil
	}
	return compile.Indent(chat.Body(request)), nil
}

// compile reads and compiles a gram file and shows what is wrong with it.
func (c *cli) compile(in input, how *strictness) (*compile.Program, error) {
	u, err := c.loadSound(in, how)
	if err != nil {
		return nil, err
	}
	program, problems := compile.File(u.File, u.options(how))
	if program != nil && !how.judge(problems).HasErrors() {
		return program, nil
	}
	if err := c.show(problems, diag.Error); err != nil {
		return nil, err
	}
	return nil, exitSilently(exitProblems)
}

// loadSound loads an input and shows what is wrong with it, and the errors of
// what it imports. Errors end the command.
func (c *cli) loadSound(in input, how *strictness) (*unit, error) {
	u, err := c.load(in)
	if err != nil {
		return nil, err
	}
	problems := u.examineAll(how)
	if err := c.show(problems, diag.Warning); err != nil {
		return nil, err
	}
	if problems.HasErrors() {
		return nil, exitSilently(exitProblems)
	}
	return u, nil
}
