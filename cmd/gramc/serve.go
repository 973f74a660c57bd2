package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/server"
	"github.com/gram-lang/gramc/internal/serving"
	"github.com/gram-lang/gramc/internal/terminal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
	"github.com/gram-lang/gramc/runtime/mcp"
)

// A serveRunner is one use of the command serve mcp.
type serveRunner struct {
	*cli

	agentFile string
	agentName string
	listen    string
	approve   []string
	offline   bool
	commands  bool // offer commands of gramc, and no library

	budget  budgetFlags
	account *interp.Account // of all calls of the agent
}

func (c *cli) serveMCPCommand() *cobra.Command {
	s := &serveRunner{cli: c}
	cmd := command("mcp LIBRARY...", nil, func(cmd *cobra.Command, words []string) error {
		var err error
		if s.account, err = s.budget.account(cmd); err != nil {
			return err
		}
		return s.command(words)
	})
	f := cmd.Flags()
	f.StringVar(&s.agentFile, "agent-file", "", "the gram `FILE` of agents whose tools are offered")
	f.StringVar(&s.agentName, "agent", "", "offer this agent of --agent-file too, as one tool")
	f.StringVar(&s.listen, "listen", "", "serve over HTTP at this `ADDRESS`, such as 127.0.0.1:8080")
	f.StringArrayVar(&s.approve, "approve", nil, "allow calls of this `TOOL` without approval; all means every tool")
	f.BoolVar(&s.offline, "offline", false, "let the agent call no model; fixed rules choose the tools")
	f.BoolVar(&s.commands, "tools", false, "offer check, fix, format, schema, explain and import to coding agents, instead of a library")
	f.StringVar(&s.baseURL, "base-url", "", "the base URL of the model API")
	s.budget.add(cmd)
	return cmd
}

func (s *serveRunner) command(names []string) error {
	if s.commands {
		return s.serveCommands(names)
	}
	if len(names) == 0 {
		return errors.New("name the library files whose tools are to be offered, or use --tools")
	}
	if s.agentName != "" && s.agentFile == "" {
		return errors.New("--agent names an agent of --agent-file, which is missing")
	}
	if err := checkURLFlag(s.baseURL); err != nil {
		return err
	}
	var agents []*interp.Agent
	if s.agentFile != "" {
		var err error
		if _, agents, err = s.agentsOf(s.agentFile, s.agentName); err != nil {
			return err
		}
	}
	libraries, err := s.readLibraries(names)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	set, err := s.openSet(ctx, libraries, nil)
	switch {
	case err != nil && ctx.Err() != nil:
		return exitSilently(exitInterrupted)
	case err != nil:
		return s.notOpened(err, exitRun)
	}
	tools, err := s.tools(set, agents)
	if err == nil {
		err = s.serve(ctx, tools)
	}
	switch {
	case err == nil:
		return set.Close()
	case ctx.Err() != nil:
		return errors.Join(exitSilently(exitInterrupted), set.Close())
	}
	s.complain(set.Redact(err.Error()))
	return errors.Join(exitSilently(exitRun), set.Close())
}

// serveCommands offers the commands of gramc that take text and return text.
func (s *serveRunner) serveCommands(libraries []string) error {
	if len(libraries) > 0 || s.agentFile != "" {
		return errors.New("--tools offers commands of gramc; it takes no library and no agent")
	}
	tools, err := commandTools()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	switch err := s.serve(ctx, tools); {
	case ctx.Err() != nil:
		return exitSilently(exitInterrupted)
	case err != nil:
		return &exit{exitRun, err}
	}
	return nil
}

func (s *serveRunner) serve(ctx context.Context, tools []runtime.Tool) error {
	token, _ := s.lookup(serving.TokenVariable)
	o := mcp.ServeOptions{Name: "gramc", Version: version(), Tools: tools, Token: token}
	if s.listen == "" {
		return mcp.Serve(ctx, io.NopCloser(s.in), struct {
			io.Writer
			io.Closer
		}{s.unbuffered, io.NopCloser(s.in)}, o)
	}
	listener, err := net.Listen("tcp", s.listen)
	if err != nil {
		return err
	}
	address, _ := listener.Addr().(*net.TCPAddr)
	if token == "" && !address.IP.IsLoopback() {
		_ = listener.Close()
		return fmt.Errorf("other machines can reach %s; to serve them, put a token that they must have into the environment variable %s", address, serving.TokenVariable)
	}
	o.Ready = func() { s.note(fmt.Sprintf("serving %s at http://%s/mcp", counted(len(tools), "tool"), address)) }
	return mcp.ServeHTTP(ctx, listener, o)
}

// tools returns the tools to offer, in order of their names, and then the agent.
func (s *serveRunner) tools(set *host.Set, agents []*interp.Agent) ([]runtime.Tool, error) {
	contracts := map[string]runtime.Contract{}
	for _, a := range agents {
		for _, c := range a.Tools {
			contracts[c.Name] = c
		}
	}
	var tools []runtime.Tool
	var missing []string
	for _, name := range set.Names() {
		t, _ := set.Library().Lookup(name)
		c, ok := contracts[name]
		if !ok {
			c = runtime.Contract{Name: name, Description: t.Description(), Input: t.Input(), Output: t.Output()}
		}
		if c.Description == "" || len(c.Input) == 0 {
			missing = append(missing, name)
			continue
		}
		bound, err := set.Library().Bind([]runtime.Contract{c}, nil)
		if err != nil {
			return nil, err
		}
		guarded, err := s.guarded(bound[0].Tool)
		if err != nil {
			return nil, err
		}
		tools = append(tools, guarded)
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("no signature for %s; write a description and a signature in the library, or name the file of an agent that has them with --agent-file",
			strings.Join(missing, ", "))
	}
	if s.agentName == "" {
		return tools, nil
	}
	asTool, err := s.agentTool(agents[0], s.guardLeaks(set, agents[0]))
	return append(tools, asTool), err
}

// guarded returns a tool that refuses the calls that need approval.
func (s *serveRunner) guarded(t runtime.Tool) (runtime.Tool, error) {
	c := t.Config()
	run := c.Execute
	c.For, c.Adopt, c.Accept = nil, false, nil
	c.Execute = func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
		decision, _ := t.Approve(args)
		if decision == runtime.Allow || decision == runtime.Ask && terminal.Approves(s.approve, t.Name()) {
			return run(ctx, args)
		}
		return nil, &runtime.ToolError{Kind: runtime.ToolAuthorization, Message: "not run: this call needs an approval that the server was not given"}
	}
	return runtime.NewTool(c)
}

// agentTool returns an agent as a tool that takes a message.
func (s *serveRunner) agentTool(agent *interp.Agent, lib runtime.Library) (runtime.Tool, error) {
	r := newRunner(s.cli)
	r.agent, r.offline, r.approve, r.maxRetries = agent, s.offline, s.approve, usualRetries
	r.readsStdin = true // it belongs to the client
	if r.account = s.account; s.offline {
		r.account = nil
	}
	bound, err := r.bindAgent(lib, &interp.Options{Approve: r.approver()})
	if err != nil {
		return runtime.Tool{}, err
	}
	return server.AgentTool(agent.Name, agent.Description, func(ctx context.Context, message string) (string, error) {
		answer, err := bound.Run(ctx, message, nil)
		return answer.Content, err
	})
}
