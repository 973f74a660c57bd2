package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/server"
	"github.com/gram-lang/gramc/internal/terminal"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime/host"
	"github.com/gram-lang/gramc/runtime/openai"
)

// An agentServer is one use of the command serve, which offers agents.
type agentServer struct {
	*cli

	words        []string // files and folders
	libraryNames []string
	listen       string
	hosts        []string
	secure       bool
	tokensFile   string
	noToken      bool
	userHeader   string
	proxies      []string
	approvers    []string
	approve      []string
	offline      bool
	model        string
	logFormat    flagChoice
	limits       server.Limits
	grace        time.Duration

	budget  budgetFlags
	account *interp.Account // of all runs

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
	f.StringVar(&s.listen, "listen", "127.0.0.1:8080", "serve at this `ADDRESS`")
	f.StringArrayVar(&s.hosts, "host", nil, "the `NAME` under which the server is reached, besides addresses and localhost; may be repeated")
	f.BoolVar(&s.secure, "https", false, "a proxy serves it over HTTPS; cookies are then for HTTPS alone")
	f.StringVar(&s.tokensFile, "tokens", "", "the principals and their tokens, from a JSON `FILE`")
	f.BoolVar(&s.noToken, "no-token", false, "let every program of this machine in; for loopback alone")
	f.StringVar(&s.userHeader, "user-header", "", "the `HEADER` in which a proxy names the user")
	f.StringArrayVar(&s.proxies, "proxy", nil, "an `ADDRESS` or network, such as 10.0.0.0/8, whose --user-header counts; may be repeated")
	f.StringArrayVar(&s.approvers, "approver", nil, "a `USER` of --user-header who may approve calls; may be repeated")
	f.StringArrayVar(&s.approve, "approve", nil, "allow calls of this `TOOL` without asking; all means every tool")
	f.BoolVar(&s.offline, "offline", false, "call no model; fixed rules choose the tools")
	f.StringVar(&s.model, "model", "", "use this model, such as OpenAI/gpt-5.4, instead of the agents'")
	f.StringVar(&s.baseURL, "base-url", "", "the base URL of the model API")
	s.logFormat.add(cmd, "log", "how the log on standard error is written")
	f.IntVar(&s.limits.Runs, "max-runs", 1024, "runs at once, of all clients")
	f.IntVar(&s.limits.ClientRuns, "max-client-runs", 64, "runs at once, of one client")
	f.Float64Var(&s.limits.Rate, "max-rate", 20, "requests per second, of one client")
	f.DurationVar(&s.grace, "grace", 10*time.Second, "how long runs may go on after SIGTERM")
	s.budget.add(cmd)
	s.cli.state.add(cmd)
}

func (s *agentServer) command() error {
	if err := s.checkFlags(); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	if err := s.load(ctx, s.cli); err != nil {
		return err
	}
	defer s.catalog.Close()
	book, err := s.openJournal()
	if err != nil {
		return &exit{exitRun, err}
	}
	defer book.Close()
	listener, err := net.Listen("tcp", s.listen)
	if err != nil {
		return &exit{exitRun, err}
	}
	defer listener.Close()
	access, secret, err := s.access(listener)
	if err != nil {
		return err
	}
	if access.Key, err = s.cookieKey(access); err != nil {
		return &exit{exitRun, err}
	}
	web, err := server.New(server.Options{
		Catalog: &s.catalog, Engine: server.OnJournal(book), Models: s.models(), Version: version(), Access: access, Hosts: s.hosts, Secure: s.secure, Limits: s.limits, Grace: s.grace, Logger: s.logger(),
	})
	if err != nil {
		return err
	}
	s.announce(listener, secret)
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
	switch {
	case s.noToken && (s.tokensFile != "" || s.userHeader != ""):
		return errors.New("--no-token lets everybody in; it cannot be combined with --tokens or --user-header")
	case s.offline && s.baseURL != "":
		return errors.New("--offline calls no model, so --base-url has no effect; use one of them")
	case s.limits.Runs < 1 || s.limits.ClientRuns < 1 || s.limits.Rate <= 0:
		return errors.New("--max-runs, --max-client-runs and --max-rate must be positive")
	case s.grace < 0:
		return fmt.Errorf("--grace must be positive, such as 30s; it is %s", s.grace)
	}
	return checkURLFlag(s.baseURL)
}

// access returns who may make requests, and the token that was made for this server
// if there is no other.
func (s *agentServer) access(l net.Listener) (a server.Access, secret string, err error) {
	address, _ := l.Addr().(*net.TCPAddr)
	if s.noToken {
		if !address.IP.IsLoopback() {
			return a, "", fmt.Errorf("--no-token is for loopback alone, and other machines can reach %s", address)
		}
		return server.Access{Open: true}, "", nil
	}
	a.UserHeader, a.Approvers = s.userHeader, s.approvers
	for _, text := range s.proxies {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			one, err := netip.ParseAddr(text)
			if err != nil {
				return a, "", fmt.Errorf("--proxy %q is neither an address nor a network, such as 10.0.0.0/8", text)
			}
			network = netip.PrefixFrom(one, one.BitLen())
		}
		a.Proxies = append(a.Proxies, network)
	}
	if s.tokensFile != "" {
		if a.Tokens, err = s.readTokens(s.tokensFile); err != nil {
			return a, "", err
		}
	}
	if own, ok := s.lookup(tokenVariable); ok && own != "" {
		t, err := server.NewToken(server.Principal{Name: "owner", Approve: true}, own)
		if err != nil {
			return a, "", fmt.Errorf("%s: %w", tokenVariable, err)
		}
		a.Tokens = append(a.Tokens, t)
	}
	if len(a.Tokens) == 0 && a.UserHeader == "" {
		secret = rand.Text()
		t, err := server.NewToken(server.Principal{Name: "owner", Approve: true}, secret)
		if err != nil {
			return a, "", err
		}
		a.Tokens = []server.Token{t}
	}
	return a, secret, a.Check()
}

// announce shows where the server is, and the token that was made for it.
func (s *agentServer) announce(l net.Listener, secret string) {
	names := s.catalog.Names()
	s.note(fmt.Sprintf("serving %s (%s) at http://%s", counted(len(names), "agent"), cleanLine(strings.Join(names, ", ")), l.Addr()))
	s.note(fmt.Sprintf("OpenAI clients: base URL http://%s/v1, model %s", l.Addr(), cleanLine(names[0])))
	switch {
	case secret != "":
		s.note("token: " + secret + " (until the server ends; set " + tokenVariable + " to keep one)")
	case s.noToken:
		s.note("no token is needed: every program of this machine can use the agents")
	}
}

func (s *agentServer) logger() *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if s.logFormat.value == "json" {
		return slog.New(slog.NewJSONHandler(s.err, o))
	}
	return slog.New(slog.NewTextHandler(s.err, o))
}

// load reads the files, opens the libraries and serves their agents.
func (s *agentServer) load(ctx context.Context, c *cli) error {
	agents, err := s.agents(c)
	if err != nil {
		return err
	}
	libraries, err := c.readLibraries(s.libraryNames)
	if err != nil {
		return err
	}
	set, err := c.openSet(ctx, libraries, nil)
	if err != nil {
		return c.notOpened(err, exitRun)
	}
	var served []*server.Agent
	for _, a := range agents {
		one, err := s.bind(c, set, a.program, a.agent)
		if err == nil {
			one.File = a.file
			_, err = one.Bind(&interp.Options{}) // what does not fit is reported now
		}
		if err != nil {
			_ = set.Close() // the error that matters is err
			return &exit{exitRun, errors.New(set.Redact(err.Error()))}
		}
		served = append(served, one)
	}
	s.catalog.Set(served, func() { _ = set.Close() }) // what does not end in time is reported by no one: the runs are over
	return nil
}

// A fileAgent is an agent of a file.
type fileAgent struct {
	file    string // absolute
	program []byte // of the whole file
	agent   *interp.Agent
}

// agents returns the agents of all files. No two have the same name.
func (s *agentServer) agents(c *cli) (all []fileAgent, err error) {
	names, unreadable := workspace.FindFiles(s.words, nil)
	if len(unreadable) > 0 {
		return nil, &exit{exitProblems, errors.Join(unreadable...)}
	}
	in := map[string]string{} // the file of each agent
	for _, file := range names {
		u, err := c.loadInput(input{name: file})
		if err != nil {
			return nil, err
		}
		if names := compile.ResolveNames(u.File); len(names.Agents()) == 0 { // types, a library, tests
			continue
		}
		program, err := c.programOf(file)
		if err != nil {
			return nil, err
		}
		for _, a := range program.Agents {
			if other, ok := in[a.Name]; ok {
				return nil, &exit{exitProblems, fmt.Errorf("%s and %s both have an agent named %q; clients choose agents by name", other, file, a.Name)}
			}
			in[a.Name] = file
			agent, err := interp.FromProgram(program, a.Name)
			if err != nil {
				return nil, err
			}
			all = append(all, fileAgent{workspace.Resolve(file), program.JSON(), agent})
		}
	}
	if len(all) == 0 {
		return nil, &exit{exitProblems, fmt.Errorf("there is no agent in %s", strings.Join(s.words, ", "))}
	}
	return all, nil
}

// bind returns an agent that can be served, of a program that may be of another version
// than the file.
func (s *agentServer) bind(c *cli, set *host.Set, program []byte, agent *interp.Agent) (*server.Agent, error) {
	r := newRunner(c)
	r.agent, r.offline, r.approve, r.maxRetries, r.model, r.baseURL = agent, s.offline, s.approve, usualRetries, s.model, s.baseURL
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
	library := c.guardLeaks(set, r.agent)
	served := &server.Agent{
		Name: agent.Name, Description: agent.Description, Model: r.agent.Model.String(), JSON: len(agent.Returns) > 0,
		Program: program, Redact: func(text string) string { return c.withoutKeys(set.Redact(text)) },
		Bind: func(o *interp.Options) (*interp.Bound, error) { return r.bindTo(library, models, o) },
		Approve: func(_ context.Context, q *interp.ApprovalRequest) (bool, error) {
			if terminal.Approves(s.approve, q.Tool) {
				return true, nil
			}
			return false, interp.ErrWaiting
		},
		Pinned: func(earlier []byte) (*server.Agent, error) { return s.pinned(c, set, agent.Name, earlier) },
	}
	for i := range agent.Tools {
		served.Tools = append(served.Tools, agent.Tools[i].Name)
	}
	return served, nil
}

// pinned returns an agent as it was when a run of it began.
func (s *agentServer) pinned(c *cli, set *host.Set, name string, program []byte) (*server.Agent, error) {
	read, err := compile.ReadProgram("the program of the run", program, &compile.Options{Models: c.models()})
	if err != nil {
		return nil, err
	}
	agent, err := interp.FromProgram(read, name)
	if err != nil {
		return nil, err
	}
	return s.bind(c, set, program, agent)
}

// reload serves the agents anew when a file has changed. While there are errors, those
// of the files before go on.
func (s *agentServer) reload(ctx context.Context) {
	first := true
	_ = s.watch(ctx, append(s.words, s.libraryNames...), watchPause, func(round *cli) error { // its only error is the end of ctx
		if first { // they are served already, and what is wrong with them was shown
			first = false
			round.err = io.Discard
			_, err := s.agents(round)
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

// readTokens reads the principals and their tokens. Other users must not be able to
// read the file.
func (c *cli) readTokens(name string) ([]server.Token, error) {
	file, err := openRegular(name)
	if err != nil {
		return nil, unusableInput("--tokens "+name, err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("--tokens %s: other users of this machine can read it; run chmod 600 on it", name)
	}
	text, err := io.ReadAll(io.LimitReader(file, 1<<20))
	if err != nil {
		return nil, unusableInput("--tokens "+name, err)
	}
	list, err := server.ReadTokens(text)
	if err != nil {
		return nil, fmt.Errorf("--tokens %s: %w", name, err)
	}
	return list, nil
}
