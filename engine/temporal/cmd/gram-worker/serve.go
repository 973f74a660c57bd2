package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/server"
	"github.com/gram-lang/gramc/internal/serving"
)

func (c *cli) serveCommand() *cobra.Command {
	var flags agentFlags
	var front serving.Front
	var cookieKey string
	format := "text"
	cmd := &cobra.Command{
		Use: "serve [FILE|FOLDER...]", Short: "Offer agents over HTTP, and make steps of their runs",
		Long: `serve offers the agents of files and folders as "gramc serve" does, with the same page and the
same endpoints, and makes steps of their runs. Start it on as many machines as wanted, with the
same agents and the same --store: a proxy may send each request to any of them. When a machine
dies, its steps are made by the others after 5 s.

A run is followed at any machine, step by step. The pieces of a response are seen while they arrive
only at the machine that makes the request: at others the response appears when it is whole.

Runs are pinned to the program with which they began. To serve changed files, restart the machines
one after the other.

Clients are let in as by "gramc serve". Machines behind one address need the same GRAMC_TOKEN or
--tokens, and for the page a --cookie-key that they share. Keys of models are taken from the
environment. A budget in the file of an agent holds for each run.`,
		Example: `  gram-worker serve --temporal 127.0.0.1:7233 --store ./store agents/
  gram-worker serve --store postgres://gram@db/gram agents/ --listen 0.0.0.0:8080 --host agents.example.com --https`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if len(words) == 0 {
				words = []string{"."}
			}
			if flags.offline && flags.baseURL != "" {
				return errors.New("--offline calls no model, so --base-url has no effect; use one of them")
			}
			if format != "text" && format != "json" {
				return fmt.Errorf("--log %q: it is text or json", format)
			}
			if err := front.Check(); err != nil {
				return err
			}
			return c.serve(cmd.Context(), c.agents(words, &flags), &front, cookieKey, serving.Logger(c.err, format == "json"))
		},
	}
	c.connection.add(cmd)
	flags.add(cmd)
	front.AddFlags(cmd.Flags())
	cmd.Flags().StringVar(&c.connection.name, "name", "", "the `NAME` of this machine in Temporal's UI, which it keeps when it starts again (default its process and host)")
	cmd.Flags().StringVar(&cookieKey, "cookie-key", "", "seal the cookies of the page with the key in `FILE`, which is made if it is not there")
	cmd.Flags().StringVar(&format, "log", format, "how the log on standard error is written: `text|json`")
	return cmd
}

func (c *cli) serve(ctx context.Context, all *serving.Agents, front *serving.Front, cookieKey string, logger *slog.Logger) error {
	agents, closeAgents, err := all.Load(ctx)
	if err != nil {
		return asProblem(err)
	}
	for _, a := range agents {
		a.File = "" // the paths of files may differ between machines
	}
	var catalog server.Catalog
	catalog.Set(agents, closeAgents)
	defer catalog.Close()
	e, err := c.dial(ctx, slog.New(warnings{logger.Handler()}))
	if err != nil {
		return err
	}
	defer e.Close()
	listener, err := front.Listen()
	if err != nil {
		return &exit{exitRun, err}
	}
	defer listener.Close()
	options, notes, err := front.Options(listener, server.Options{Catalog: &catalog, Engine: e, Version: version(), Logger: logger}, c.lookup)
	if err != nil {
		return err
	}
	if cookieKey != "" {
		if options.Access.Key, err = server.ReadKey(cookieKey); err != nil {
			return &exit{exitRun, err}
		}
	}
	web, err := server.New(options)
	if err != nil {
		return err
	}
	for _, note := range notes {
		c.note(note)
	}
	both, end := context.WithCancelCause(ctx)
	defer end(nil)
	worked := make(chan error, 1)
	go func() {
		err := e.Work(both, newCrew(agents, e.live).open)
		if err != nil {
			end(err)
		}
		worked <- err
	}()
	err = web.Serve(both, listener)
	end(nil)
	select {
	case failed := <-worked:
		err = errors.Join(err, failed)
	case <-time.After(30 * time.Second):
		err = errors.Join(err, errors.New("the steps of this worker have not ended; others make them again"))
	}
	if err != nil {
		return &exit{exitRun, err}
	}
	return &exit{code: exitInterrupted}
}

// asProblem gives an error of agents that cannot be served its exit code.
func asProblem(err error) error {
	var known *exit
	var wrong *serving.ProblemError
	switch {
	case errors.As(err, &known):
		return err
	case errors.As(err, &wrong):
		return &exit{exitProblems, err}
	}
	return &exit{exitRun, fmt.Errorf("the agents cannot be served: %w", err)}
}

// warnings is a log of what is at least a warning.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && w.Handler.Enabled(ctx, l)
}

func (w warnings) WithAttrs(a []slog.Attr) slog.Handler { return warnings{w.Handler.WithAttrs(a)} }
func (w warnings) WithGroup(name string) slog.Handler   { return warnings{w.Handler.WithGroup(name)} }
