package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/engine/temporal"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/server"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/runtime"
)

// usualUser is to whom a run belongs that names nobody: the principal of $GRAMC_TOKEN.
const usualUser = "owner"

// withEngine connects for do.
func (c *cli) withEngine(ctx context.Context, do func(e *engine) error) error {
	e, err := c.dial(ctx, nil)
	if err != nil {
		return err
	}
	defer e.Close()
	err = do(e)
	var known *exit
	if err == nil || errors.As(err, &known) {
		return err
	}
	if errors.Is(err, journal.ErrNotFound) {
		err = errors.New("there is no such run")
	}
	return &exit{exitRun, err}
}

func (c *cli) startCommand() *cobra.Command {
	var agent, session, user string
	follow := false
	cmd := &cobra.Command{
		Use: "start FILE MESSAGE...", Short: "Begin a run",
		Long: `start begins a run of the agent of a file, writes its name, and ends: the workers make the run.
They must serve an agent of the same name; the run is pinned to the file as it is now.`,
		Example: `  gram-worker start --store ./store agents/hello.gram "Hello, I am Ada"
  gram-worker start --store ./store agents/hello.gram --session ada --follow "And Bob"`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if len(words) < 2 {
				return errors.New("name the file of the agent, and then the message")
			}
			b, err := c.begin(words[0], agent, strings.Join(words[1:], " "))
			if err != nil {
				return err
			}
			b.Run.User, b.Run.Session = user, session
			return c.withEngine(cmd.Context(), func(e *engine) error { return c.start(cmd.Context(), e, b, follow) })
		},
	}
	c.connection.add(cmd)
	f := cmd.Flags()
	f.StringVar(&agent, "agent", "", "the agent to run, if the file has several")
	f.StringVar(&session, "session", "", "go on with the conversation of that `NAME`, or begin it")
	f.StringVar(&user, "user", usualUser, "to which `USER` of the page the run belongs")
	f.BoolVar(&follow, "follow", false, "follow the run until it ends or waits")
	return cmd
}

// begin returns how a run of an agent of a file begins.
func (c *cli) begin(file, name, message string) (*temporal.Begin, error) {
	program, err := c.program(file)
	if err != nil {
		return nil, err
	}
	if program == nil {
		return nil, &exit{exitProblems, fmt.Errorf("there is no agent in %s", file)}
	}
	var names []string
	for _, a := range program.Agents {
		if name == "" && len(program.Agents) == 1 || a.Name == name {
			return &temporal.Begin{
				Run: journal.Run{Agent: a.Name, Title: server.TitleOf(message)}, Model: a.Model.String(), Program: program.JSON(),
				Start: &durable.Start{Message: runtime.UserMessage(message)}, Redact: withoutKeys(),
			}, nil
		}
		names = append(names, a.Name)
	}
	return nil, fmt.Errorf("%s has the agents %s; name one with --agent", file, strings.Join(names, ", "))
}

func (c *cli) start(ctx context.Context, e *engine, b *temporal.Begin, follow bool) error {
	if b.Run.Session != "" {
		s, err := e.Session(ctx, b.Run.Session)
		switch {
		case err == nil && s.User != b.Run.User:
			return &exit{exitUsage, errors.New("the conversation belongs to " + s.User)}
		case err == nil:
			b.Run.Parent = s.Head
		case !errors.Is(err, journal.ErrNotFound):
			return err
		}
	}
	b.Run.ID = nameOf(b.Run.Session, b.Run.Parent)
	id, err := e.Start(ctx, b)
	switch {
	case errors.Is(err, durable.ErrNotEnded):
		return &exit{exitRun, fmt.Errorf("the last message of the conversation is not answered yet: %s", b.Run.Parent)}
	case err != nil:
		return err
	}
	fmt.Fprintln(c.out, id)
	if !follow {
		return nil
	}
	return c.follow(ctx, e, id)
}

func (c *cli) followCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "follow RUN", Short: "Show what a run does until it ends or waits", Args: theRun,
		Long: `follow shows the calls of a run on standard error and its answer on standard output, from its
beginning. It ends with the code 3 if the run fails, and 4 if it waits for a decision.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			return c.withEngine(cmd.Context(), func(e *engine) error { return c.follow(cmd.Context(), e, words[0]) })
		},
	}
	c.connection.add(cmd)
	return cmd
}

// follow shows a run until it ends or waits.
func (c *cli) follow(ctx context.Context, e *engine, id string) error {
	shown := 0
	for r, err := range e.Follow(ctx, id) {
		if err != nil {
			return err
		}
		for ; shown < len(r.Steps); shown++ {
			c.showStep(&r.Steps[shown])
		}
		switch {
		case r.Waiting != nil:
			now, err := e.Read(ctx, id)
			if err != nil {
				return err
			}
			if now.Waiting == nil || now.Waiting.Key != r.Waiting.Key { // it was decided before
				continue
			}
			c.showWaiting(r)
			return &exit{code: exitWaiting}
		case r.End == nil:
			continue
		case r.End.Error != nil:
			return &exit{exitRun, r.End.Error}
		}
		_, err := fmt.Fprintln(c.out, visible.Text(r.End.Content))
		return err
	}
	return errors.New("the run was stopped")
}

// showStep shows a call, in the words of gramc run.
func (c *cli) showStep(s *durable.RecordedStep) {
	asked, o := strings.HasSuffix(s.Key, "/approval"), s.Outcome
	if s.Tool == "" || asked && (o == nil || o.Approved) {
		return
	}
	outcome := "?"
	switch {
	case o == nil:
	case asked:
		outcome = "✗ not allowed"
		if o.Reason != "" {
			outcome += ": " + visible.Line(o.Reason)
		}
	case o.Error != nil:
		outcome = "✗ " + visible.Line(o.Error.Message)
	default:
		outcome = "→ " + short(o.Result)
	}
	c.note("🛠 " + visible.Line(s.Tool) + " " + outcome)
}

// short returns foreign JSON on one line, cut where it is long.
func short(value json.RawMessage) string {
	const most = 1000
	text := visible.Line(string(value))
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// showWaiting shows the call that a run waits with, and how to decide.
func (c *cli) showWaiting(r *durable.Record) {
	text, whole := visible.Arguments(r.Waiting.Args)
	c.note(fmt.Sprintf("%s wants to call %s with", visible.Exactly(r.Run.Agent), visible.Exactly(r.Waiting.Tool)))
	c.note(strings.TrimRight(text, "\n"))
	if !whole {
		c.note("not all of it is shown; the page has it")
	}
	c.note(fmt.Sprintf("it waits for your approval: gram-worker approve %s, or gram-worker deny %[1]s", r.Run.ID))
}

func (c *cli) approveCommand() *cobra.Command {
	return c.decideCommand("approve", "Allow the call that a run waits for",
		"approve shows the call that a run waits for with its arguments, and allows it: this call with these\narguments alone. The workers go on with the run.", &journal.Decision{Allow: true})
}

func (c *cli) denyCommand() *cobra.Command {
	d := &journal.Decision{}
	cmd := c.decideCommand("deny", "Refuse the call that a run waits for",
		"deny shows the call that a run waits for with its arguments, and refuses it. The model gets the reason,\nand goes on.", d)
	cmd.Flags().StringVar(&d.Note, "reason", "", "why the call is refused, for the model")
	return cmd
}

// decideCommand returns a command that decides on a call that waits.
func (c *cli) decideCommand(name, short, long string, d *journal.Decision) *cobra.Command {
	follow := false
	cmd := &cobra.Command{
		Use: name + " RUN", Short: short, Long: long, Args: theRun,
		RunE: func(cmd *cobra.Command, words []string) error {
			return c.withEngine(cmd.Context(), func(e *engine) error {
				if err := c.decide(cmd.Context(), e, words[0], *d); err != nil || !follow {
					return err
				}
				return c.follow(cmd.Context(), e, words[0])
			})
		},
	}
	c.connection.add(cmd)
	cmd.Flags().StringVar(&d.By, "user", usualUser, "the `USER` who decides")
	cmd.Flags().BoolVar(&follow, "follow", false, "follow the run until it ends or waits again")
	return cmd
}

// decide shows the call that a run waits with, and decides.
func (c *cli) decide(ctx context.Context, e *engine, id string, d journal.Decision) error {
	r, err := e.Read(ctx, id)
	switch {
	case err != nil:
		return err
	case r.Waiting == nil:
		return &exit{exitUsage, fmt.Errorf("no call of the run %s waits for an approval", id)}
	}
	text, _ := visible.Arguments(r.Waiting.Args)
	c.note(fmt.Sprintf("%s wants to call %s with", visible.Exactly(r.Run.Agent), visible.Exactly(r.Waiting.Tool)))
	c.note(strings.TrimRight(text, "\n"))
	d.Hash, d.Key = r.Waiting.Hash, r.Waiting.Key
	if err := e.Decide(ctx, id, d); err != nil {
		return err
	}
	word := "denied"
	if d.Allow {
		word = "allowed"
	}
	c.note(word)
	return nil
}

func (c *cli) cancelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "cancel RUN", Short: "Cancel a run", Args: theRun,
		Long: "cancel ends a run wherever it goes on, also one that waits. What it has done stays.",
		RunE: func(cmd *cobra.Command, words []string) error {
			return c.withEngine(cmd.Context(), func(e *engine) error {
				if err := e.Cancel(cmd.Context(), words[0]); err != nil {
					return err
				}
				c.note("cancelled")
				return nil
			})
		},
	}
	c.connection.add(cmd)
	return cmd
}

func (c *cli) runsCommand() *cobra.Command {
	var agent, session, user, status string
	asJSON, limit := false, 0
	cmd := &cobra.Command{
		Use: "runs", Short: "List runs, the latest first",
		Long: `runs lists the runs that the Temporal server has, the latest first, with what waits below. Temporal's
own UI has them too, by the search attributes GramAgent, GramStatus, GramUser, GramSession and
GramCostUSD.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f := journal.Filter{Agent: agent, Session: session, Limit: limit}
			if user != "" {
				f.User = &user
			}
			if status != "" {
				f.Status = []journal.Status{journal.Status(status)}
			}
			return c.withEngine(cmd.Context(), func(e *engine) error { return c.listRuns(cmd.Context(), e, f, asJSON) })
		},
	}
	c.connection.add(cmd)
	f := cmd.Flags()
	f.StringVar(&agent, "agent", "", "list runs of this agent")
	f.StringVar(&session, "session", "", "list runs of the conversation of this `NAME`")
	f.StringVar(&user, "user", "", "list runs of this `USER`")
	f.StringVar(&status, "status", "", "list runs with this `STATUS`: running, waiting, finished, failed or cancelled")
	f.IntVar(&limit, "limit", 50, "list at most so many; 0 is all")
	f.BoolVar(&asJSON, "json", false, "write the runs as JSON")
	return cmd
}

// A runLine is a run in JSON.
type runLine struct {
	Name    string    `json:"name"`
	Session string    `json:"session,omitempty"`
	Agent   string    `json:"agent"`
	User    string    `json:"user"`
	State   string    `json:"state"`
	Title   string    `json:"title"`
	Created time.Time `json:"created"`
}

func (c *cli) listRuns(ctx context.Context, e *engine, f journal.Filter, asJSON bool) error {
	runs, err := e.Runs(ctx, f)
	switch {
	case err != nil:
		return err
	case asJSON:
		lines := make([]runLine, len(runs))
		for i, r := range runs {
			lines[i] = runLine{r.ID, r.Session, r.Agent, r.User, string(r.Status), r.Title, r.Created.UTC()}
		}
		encoder := json.NewEncoder(c.out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(lines)
	case len(runs) == 0:
		c.note("there are no runs; gram-worker start FILE MESSAGE begins one")
		return nil
	}
	return showRuns(c.out, runs)
}

// showRuns writes runs in columns, and how to decide about those that wait below.
func showRuns(w io.Writer, runs []*journal.Run) error {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "NAME\tAGENT\tUSER\tBEGAN\tSTATE\tBEGINS WITH")
	for _, r := range runs {
		fmt.Fprintln(columns, strings.Join([]string{
			visible.Line(r.ID), visible.Line(r.Agent), visible.Line(r.User), r.Created.Local().Format(time.DateTime), string(r.Status), cmp.Or(visible.Line(r.Title), "-"),
		}, "\t"))
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	for _, r := range runs {
		if r.Status == journal.Waiting {
			fmt.Fprintf(w, "\n%s waits for an approval\n  gram-worker approve %[1]s, or gram-worker deny %[1]s\n", visible.Line(r.ID))
		}
	}
	return nil
}
