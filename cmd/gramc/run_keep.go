package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/internal/terminal"
	"github.com/gram-lang/gramc/internal/trace"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// keepFlags say whether a run is kept as a session, and in which one it is.
type keepFlags struct {
	durable, none bool
	askUnknown    bool // of resume: ask whether a call is made again that may have been made
	name          string
	flags         *pflag.FlagSet // of the command

	store *session.Store  // nil if nothing is kept
	kept  *session.Keeper // of the session that begins with the first message, or goes on
}

func (k *keepFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	k.flags = f
	f.BoolVar(&k.durable, "durable", false, "keep the run as a session, which gramc resume finishes if it breaks off; a conversation is kept in any case")
	f.BoolVar(&k.none, "no-session", false, "keep nothing of the conversation")
	f.StringVar(&k.name, "session", "", "the `NAME` of the new session (default the agent and a word)")
}

// hook lets the session make the steps of a run.
func (k *keepFlags) hook(o *interp.Options) {
	if k.kept != nil {
		o.Steps, o.Recorded, o.Attempted, o.Elapsed = k.kept.Steps, k.kept.Recorded, k.kept.Attempted, k.kept.Elapsed
	}
}

// keep lets a conversation be kept. What is unknown is asked by ask.
func (r *runner) keep(ctx context.Context, s *session.Session, ask approver) error {
	k := r.keeping.kept
	if k == nil {
		return nil
	}
	k.Redact = r.withoutSecrets
	if r.keeping.askUnknown {
		k.AskUnknown = func(ctx context.Context, step interp.Step) (bool, error) {
			r.note("the run broke off during this call, and it is unknown whether it was made; if you allow it, it is made again")
			return ask(ctx, &interp.ApprovalRequest{Agent: r.agent.Name, Tool: step.Tool, Args: step.Args})
		}
	}
	return s.Keep(ctx, k)
}

func (r *runner) checkKeepFlags() error {
	k := &r.keeping
	switch {
	case k.none && (k.durable || k.name != ""):
		return errors.New("--no-session keeps nothing, so --durable and --session have no effect; use one of them")
	case k.durable && (r.recorded.replay != "" || r.recorded.record != ""):
		return errors.New("--durable keeps what --record and --replay are about; use one of them")
	case k.name != "":
		return session.CheckName(k.name)
	}
	return nil
}

// openKeeping opens the session in which the run is kept, if it is.
func (r *runner) openKeeping(file string) error {
	k := &r.keeping
	isScript := len(r.messages) > 0
	switch {
	case isScript && k.name != "" && !k.durable:
		return errors.New("--session needs --durable where there is a message")
	case k.none || isScript && !k.durable || r.recorded.replay != "" || r.recorded.record != "":
		return nil
	}
	err := errors.New("its agent comes from standard input, which cannot be read again")
	if !isStdin(file) {
		err = r.beginKeeping(file)
	}
	if err == nil || k.durable || k.name != "" {
		return err
	}
	r.closeKeeping()
	r.note("warning: the conversation is not kept: " + err.Error())
	return nil
}

// beginKeeping opens the sessions, and begins one.
func (r *runner) beginKeeping(file string) (err error) {
	k := &r.keeping
	settings, err := r.settingsNow()
	if err != nil {
		return err
	}
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	program, err := r.pinnedProgram(file)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if k.store, err = r.openStore(ctx, true); err != nil {
		return err
	}
	k.kept, err = k.store.Begin(ctx, &session.Beginning{
		Name: k.name, Agent: r.agent.Name, Model: r.agent.Model.String(), File: file, Program: program, Settings: settings.encode(),
	})
	return err
}

// pinnedProgram returns the compiled form of a file, with which a session goes on whatever
// becomes of the file.
func (r *runner) pinnedProgram(file string) ([]byte, error) {
	text, err := r.readInput(file)
	if err != nil {
		return nil, err
	}
	if isProgram(file, text) {
		return []byte(text), nil
	}
	parsed, problems, err := r.parseInput(input{file, true, text})
	if err != nil {
		return nil, err
	}
	// What the command has read already has the names by which it was read, which depend on
	// the working directory.
	u := workspace.Open(workspace.NewDisk()).Add(parsed.Source.Name(), parsed, problems)
	program, problems := compile.File(u.File, r.checkOptions(u))
	if program == nil || problems.HasErrors() {
		return nil, errors.New("there are errors in " + file)
	}
	return program.JSON(), nil
}

// sessionsFolder is where in the state folder sessions are.
const sessionsFolder = "sessions"

// openStore opens the sessions of the user, and ends those that are too old. Their folder
// is made only if that is wanted.
func (c *cli) openStore(ctx context.Context, create bool) (*session.Store, error) {
	folder, key, err := c.state.place(c)
	if err != nil {
		return nil, err
	}
	keep, err := c.keepTime()
	if err != nil {
		return nil, err
	}
	all, err := session.OpenStore(ctx, filepath.Join(folder, sessionsFolder), create, &session.StoreOptions{Key: key, Keep: keep, Models: c.models()})
	if err != nil {
		return nil, &exit{exitUsage, fmt.Errorf("the sessions in %s cannot be used: %w", folder, namingRepair(err))}
	}
	return all, nil
}

// usualKeepDays is how many days after its last message a session ends.
const usualKeepDays = 30

// keepTime returns how long sessions are kept; 0 is for ever.
func (c *cli) keepTime() (time.Duration, error) {
	days := usualKeepDays
	if text, _ := c.lookup("GRAMC_STATE_DAYS"); text != "" {
		var err error
		if days, err = strconv.Atoi(text); err != nil || days < 0 || days > 36500 {
			return 0, fmt.Errorf("$GRAMC_STATE_DAYS is a number of days, or 0 to keep sessions for ever; it is %q", text)
		}
	}
	return time.Duration(days) * 24 * time.Hour, nil
}

// closeKeeping closes the sessions.
func (r *runner) closeKeeping() {
	k := &r.keeping
	if err := k.store.Close(); err != nil {
		r.complain(err.Error())
	}
	k.store, k.kept = nil, nil
}

// noteResume says how a conversation goes on that has ended.
func (r *runner) noteResume() {
	k := r.keeping.kept
	if k != nil && k.Failure() != nil {
		r.complain("the end of the conversation was not kept: " + k.Failure().Error())
	}
	if k != nil && k.Begun() && !r.quiet {
		r.note("gramc resume " + k.Name() + " goes on with this conversation")
	}
}

// noteUnfinished says how a run goes on that broke off.
func (r *runner) noteUnfinished() {
	if k := r.keeping.kept; k != nil && k.Begun() {
		r.note("gramc resume " + k.Name() + " goes on with it")
	}
}

// waits reports that a run ends until a person has decided about a call.
func (r *runner) waits(err error) error {
	if err := r.stopped(trace.FailureOf(err)); err != nil {
		return err
	}
	k, keptErr := r.keeping.store.Kept(context.Background(), r.keeping.kept.Name())
	if keptErr != nil {
		return keptErr
	}
	if r.asJSON {
		if err := r.writeLine(struct {
			Waiting sessionLine `json:"waiting"`
		}{sessionLineOf(k)}); err != nil {
			return err
		}
		return exitSilently(exitWaiting)
	}
	r.showWaiting(k)
	return exitSilently(exitWaiting)
}

// converseKept is converse for a run that is kept: what broke off is finished first.
func (r *runner) converseKept(ctx context.Context) error {
	s, err := session.New(r.agent, r.models(), func(a *interp.Agent) (*interp.Bound, error) {
		return r.bindAgent(r.guardLeaks(r.tools, a), r.options())
	})
	if err != nil {
		return r.failed(ctx, err)
	}
	if err := r.keep(ctx, s, terminal.NewApprover(r.in, r.err, nil).Ask); err != nil {
		if ctx.Err() != nil {
			return r.failed(ctx, err)
		}
		return err
	}
	isUnfinished := s.Unfinished()
	if isUnfinished {
		if err := r.follow(ctx, s.Last().Sent(), s.Continue(ctx)); err != nil {
			return err
		}
	}
	r.messages = append(r.keeping.kept.Rest(), r.messages...)
	if len(r.messages) == 0 && !isUnfinished {
		return r.repeatAnswer(s.Last())
	}
	for i, message := range r.messages {
		r.showMessage(i)
		sent := runtime.UserMessage(message)
		sent.Attachments = r.attachedTo(i)
		r.keeping.kept.SetRest(r.messages[i+1:])
		if err := r.follow(ctx, &sent, s.Send(ctx, message, sent)); err != nil {
			return err
		}
	}
	return nil
}

// repeatAnswer writes the answer of a turn that had ended before.
func (r *runner) repeatAnswer(t *session.Turn) error {
	switch {
	case t == nil:
		return errors.New("the conversation has no turn; name a message to send")
	case t.Err != nil:
		r.complain("the last turn has no answer: " + t.Err.Error())
		return exitSilently(exitRun)
	case r.asJSON:
		return r.writeLine(&interp.AgentResponse{Content: t.Answer, ToolsUsed: t.Invocations()})
	}
	fmt.Fprintln(r.out, clean(t.Answer))
	return nil
}

// follow shows what comes back for a message.
func (r *runner) follow(ctx context.Context, sent *runtime.Message, events iter.Seq2[interp.Event, error]) error {
	if err := r.began(sent); err != nil {
		return err
	}
	for event, err := range events {
		if err := r.takeEvent(ctx, &event, err); err != nil {
			return err
		}
	}
	return nil
}
