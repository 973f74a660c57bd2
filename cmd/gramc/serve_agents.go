package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/server"
	"github.com/gram-lang/gramc/internal/serving"
	"github.com/gram-lang/gramc/internal/telemetry"
	"github.com/gram-lang/gramc/internal/terminal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
	"github.com/gram-lang/gramc/runtime/openai"
)

// An agentServer is one use of the command serve, which offers agents.
type agentServer struct {
	*cli

	words        []string // files and folders
	libraryNames []string
	front        serving.Front
	approve      []string
	offline      bool
	model        string
	logFormat    flagChoice

	budget  budgetFlags
	account *interp.Account // of all runs

	telemetry *telemetry.Telemetry // nil unless the environment asks for it

	catalog server.Catalog
}

func (c *cli) serveCommand() *cobra.Command {
	s := &agentServer{cli: c, logFormat: flagChoice{"text", "text,json"}}
	cmd := command("serve [FILE|FOLDER...]", nil, func(cmd *cobra.Command, words []string) error {
		var err error
		if s.account, err = s.budget.account(cmd); err != nil {
			return err
		}
		if s.words = words; len(words) == 0 {
			s.words = []string{"."}
		}
		return s.command()
	})
	s.addFlags(cmd)
	cmd.AddCommand(c.serveMCPCommand())
	return cmd
}

func (s *agentServer) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	addLibraryFlag(cmd, &s.libraryNames, "take the tools that the agents call from the library `FILE`; may be repeated")
	s.front.AddFlags(f)
	f.StringArrayVar(&s.approve, "approve", nil, "allow calls of this `TOOL` without asking; all means every tool")
	f.BoolVar(&s.offline, "offline", false, "call no model; fixed rules choose the tools")
	f.StringVar(&s.model, "model", "", "use this model, such as OpenAI/gpt-5.4, instead of the agents'")
	f.StringVar(&s.baseURL, "base-url", "", "the base URL of the model API")
	s.logFormat.add(cmd, "log", "how the log on standard error is written")
	s.budget.add(cmd)
	s.cli.state.add(cmd)
}

func (s *agentServer) command() error {
	if err := s.checkFlags(); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	if s.telemetry = telemetry.Start(s.lookup, version()); s.telemetry != nil {
		defer func() {
			if err := s.telemetry.Close(); err != nil {
				s.note("warning: OpenTelemetry: " + shortMessage(err.Error()))
			}
		}()
	}
	if err := s.load(ctx, s.cli); err != nil {
		return err
	}
	defer s.catalog.Close()
	book, err := s.openJournal()
	if err != nil {
		return &exit{exitRun, err}
	}
	defer book.Close()
	listener, err := s.front.Listen()
	if err != nil {
		return &exit{exitRun, err}
	}
	defer listener.Close()
	options, notes, err := s.front.Options(listener, server.Options{
		Catalog: &s.catalog, Engine: server.OnJournal(book), Models: s.models(), Version: version(), Logger: serving.Logger(s.err, s.logFormat.value == "json"),
	}, s.lookup)
	if err != nil {
		return err
	}
	if options.Access.Key, err = s.cookieKey(options.Access); err != nil {
		return &exit{exitRun, err}
	}
	web, err := server.New(options)
	if err != nil {
		return err
	}
	for _, note := range notes {
		s.note(note)
	}
	go s.reload(ctx)
	if err := web.Serve(ctx, listener); err != nil {
		return &exit{exitRun, err}
	}
	return exitSilently(exitInterrupted)
}

// openJournal opens the journal of runs and conversations.
func (s *agentServer) openJournal() (*journal.Journal, error) {
	folder, key, err := s.cli.state.place(s.cli)
	if err != nil {
		return nil, err
	}
	j, err := journal.Open(filepath.Join(folder, sessionsFolder), &journal.Options{Key: key})
	return j, namingRepair(err)
}

// cookieKey returns the key of the cookies, which is in the folder of --state; nil if there are none.
func (s *agentServer) cookieKey(a server.Access) ([]byte, error) {
	if len(a.Tokens) == 0 {
		return nil, nil
	}
	folder, err := s.cli.state.folderIn(s.cli)
	if err != nil {
		return nil, err
	}
	return server.ReadKey(filepath.Join(folder, "cookie.key"))
}

func (s *agentServer) checkFlags() error {
	if s.offline && s.baseURL != "" {
		return errors.New("--offline calls no model, so --base-url has no effect; use one of them")
	}
	return cmp.Or(s.front.Check(), checkURLFlag(s.baseURL))
}

// load reads the files, opens the libraries and serves their agents.
func (s *agentServer) load(ctx context.Context, c *cli) error {
	agents, closed, err := s.agents(c).Load(ctx)
	if err != nil {
		return asServeError(err)
	}
	s.catalog.Set(agents, closed)
	return nil
}

// asServeError gives an error of agents that cannot be served its exit code.
func asServeError(err error) error {
	var known *exit
	var wrong *serving.ProblemError
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.As(err, &wrong):
		return &exit{exitProblems, err}
	}
	return &exit{exitRun, err}
}

// agents returns how the agents are read by a command line, with its settings.
func (s *agentServer) agents(c *cli) *serving.Agents {
	return &serving.Agents{
		Words: s.words, Models: c.models(), Redact: c.withoutKeys,
		Allow: func(tool string) bool { return terminal.Approves(s.approve, tool) },
		Program: func(file string) (*compile.Program, error) {
			u, err := c.loadInput(input{name: file})
			if err != nil || len(compile.ResolveNames(u.File).Agents()) == 0 { // types, a library, tests
				return nil, err
			}
			return c.programOf(file)
		},
		Open: func(ctx context.Context) (*host.Set, error) {
			libraries, err := c.readLibraries(s.libraryNames)
			if err != nil {
				return nil, err
			}
			set, err := c.openSet(ctx, libraries, nil)
			if err != nil {
				return nil, c.notOpened(err, exitRun)
			}
			return set, nil
		},
		Trace: func(a *interp.Agent, caller runtime.TraceContext, m *runtime.Message, conversation string) *telemetry.Run {
			r := runner{agent: a, offline: s.offline}
			return s.telemetry.Run(caller, r.servedAgent(), m, conversation)
		},
		Bind: func(set *host.Set, agent *interp.Agent) (func(*interp.Options) (*interp.Bound, error), error) {
			return s.bind(c, set, agent)
		},
	}
}

// bind chooses the models of an agent, and returns how it is bound to tools and models.
func (s *agentServer) bind(c *cli, set *host.Set, agent *interp.Agent) (func(*interp.Options) (*interp.Bound, error), error) {
	r := newRunner(c)
	r.agent, r.offline, r.maxRetries, r.model, r.baseURL = agent, s.offline, usualRetries, s.model, s.baseURL
	r.startTimeout, r.responseTimeout = openai.DefaultStartTimeout, openai.DefaultTimeout
	r.readsStdin, r.quiet = true, true // nobody is asked at a terminal
	if err := r.chooseModel(); err != nil {
		return nil, err
	}
	if r.account = s.account; s.offline {
		r.account = nil
	}
	models, err := r.newModels()
	if err != nil {
		return nil, err
	}
	library := c.guardLeaks(set, agent)
	bound := sync.OnceValues(func() (*interp.Bound, error) { return r.bindTo(library, models, &interp.Options{}) })
	return func(o *interp.Options) (*interp.Bound, error) {
		b, err := bound()
		if err != nil {
			return nil, err
		}
		return b.With(o), nil
	}, nil
}

// reload serves the agents anew when a file has changed. While there are errors, those
// of the files before go on.
func (s *agentServer) reload(ctx context.Context) {
	first := true
	_ = s.watch(ctx, append(s.words, s.libraryNames...), watchPause, func(round *cli) error { // its only error is the end of ctx
		if first { // they are served already, and what is wrong with them was shown
			first = false
			round.err = io.Discard
			err := asServeError(s.agents(round).Check())
			_, errOfLibraries := round.readLibraries(s.libraryNames)
			return cmp.Or(err, errOfLibraries)
		}
		before := s.catalog.Names()
		err := s.load(ctx, round)
		if err != nil {
			s.catalog.Refuse("the files have errors; the agents of before are served")
			round.note("the agents of before are still served: " + strings.Join(before, ", "))
			return err
		}
		round.note("serving the changed files: " + cleanLine(strings.Join(s.catalog.Names(), ", ")))
		return nil
	})
}
