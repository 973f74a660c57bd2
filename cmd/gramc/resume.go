package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/compat"
)

// A resumer is one use of the command resume.
type resumer struct {
	*cli
	upgrade, askUnknown bool
	asJSON, quiet       bool
	approve             []string
	timeout             time.Duration
	traceName           string
	model, address      string // "" for those of the session

	script bool // the run is finished as a script does, also on a terminal
}

func (c *cli) resumeCommand() *cobra.Command {
	r := &resumer{cli: c}
	cmd := command("resume [SESSION [MESSAGE...]]", nil, func(_ *cobra.Command, words []string) error {
		if len(words) == 0 {
			return r.resume("", nil)
		}
		return r.resume(words[0], words[1:])
	})
	r.addFlags(cmd)
	cmd.Flags().BoolVar(&r.upgrade, "upgrade", false, "go on with the file of the agent as it is now, if its changes are compatible")
	c.state.add(cmd)
	return cmd
}

// addFlags adds the flags of what lets a session go on.
func (r *resumer) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&r.askUnknown, "ask-unknown", false, "ask on the terminal about a call of which it is unknown whether it was made")
	f.BoolVar(&r.asJSON, "json", false, "write one line of JSON for each message")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "show only the responses, and errors")
	f.StringArrayVar(&r.approve, "approve", nil, "allow calls of this `TOOL` without asking; all means every tool")
	f.DurationVar(&r.timeout, "timeout", 0, "how long everything may take (default no limit)")
	f.StringVar(&r.model, "model", "", "use this model, such as OpenAI/gpt-5.4, from now on")
	f.StringVar(&r.address, "base-url", "", "the base URL of the model API, such as http://localhost:8080/v1")
	f.StringVar(&r.traceName, "trace", "", "write events to `FILE`, one line of JSON each")
}

// resume goes on with the session that a person names, or with the last one.
func (r *resumer) resume(typed string, messages []string) error {
	if r.timeout < 0 {
		return fmt.Errorf("--timeout must be positive, such as 30s; it is %s", r.timeout)
	}
	if err := checkURLFlag(r.address); err != nil {
		return err
	}
	if r.traceName != "" { // the session may go on in another folder
		var err error
		if r.traceName, err = filepath.Abs(r.traceName); err != nil {
			return err
		}
	}
	run := newRunner(r.cli)
	ctx := context.Background()
	store, err := r.openStore(ctx, false)
	if err != nil {
		return err
	}
	run.keeping.store = store
	defer run.closeKeeping()
	name := ""
	if typed == "" {
		name, err = store.Latest(ctx)
	} else {
		name, err = store.Find(ctx, typed)
	}
	if err != nil {
		return asNameError(err)
	}
	if run.keeping.kept, err = store.Open(ctx, name); err != nil {
		return err
	}
	return r.goOn(run, messages)
}

// goOn takes what the session was begun with, and goes on.
func (r *resumer) goOn(run *runner, messages []string) error {
	kept := run.keeping.kept
	settings, err := readSettings(kept.Settings())
	if err != nil {
		return err
	}
	if err := run.take(settings); err != nil {
		return err
	}
	if r.askUnknown && !(isTerminal(r.in) && isTerminal(r.err)) {
		return errors.New("--ask-unknown needs a terminal to ask at")
	}
	run.asJSON, run.quiet, run.approve = r.asJSON, r.quiet, append(run.approve, r.approve...)
	run.timeout, run.traceName = r.timeout, r.traceName
	run.keeping.askUnknown, kept.Retry = r.askUnknown, settings.Script || r.script
	if err := r.pin(run); err != nil {
		return err
	}
	run.agentName, run.model = kept.Agent(), cmp.Or(r.model, kept.Model())
	run.baseURL = cmp.Or(r.address, run.baseURL)
	if err := run.loadAgent(kept.File()); err != nil {
		return err
	}
	if len(messages) > 0 {
		if err := run.readMessages(messages); err != nil {
			return err
		}
	}
	libraries, err := run.readLibraries(run.libraryNames)
	if silent(err) {
		return run.refuseFile("there are errors in the libraries")
	}
	if err != nil {
		return err
	}
	lock, err := run.readLock("", kept.File())
	if err != nil {
		return err
	}
	if run.trace, err = run.openTrace("--trace", run.traceName); err != nil {
		return err
	}
	defer run.trace.close()
	defer run.startTelemetry()()
	if !r.script && len(messages) == 0 && !settings.Script && run.canTalk() {
		return run.talk(kept.File(), libraries, lock)
	}
	return run.finish(libraries, lock)
}

// pin lets a run go on with the program of its session, or with the file as it is now.
func (r *resumer) pin(run *runner) error {
	kept := run.keeping.kept
	pinned, err := compile.ReadProgram(kept.File(), kept.Program(), &compile.Options{Models: r.models()})
	if err != nil {
		return err
	}
	run.pinned = pinned
	now, err := run.pinnedProgram(kept.File())
	changed := err == nil && string(now) != string(kept.Program())
	switch {
	case r.upgrade && err != nil:
		return fmt.Errorf("--upgrade: %s cannot be used: %w", cleanLine(kept.File()), err)
	case r.upgrade && changed:
		return r.takeUpgrade(run, now)
	case r.upgrade:
		r.note("the agent has not changed since the session began")
	case changed && !r.quiet:
		r.note(fmt.Sprintf("%s has changed since; the agent goes on as it was (gramc resume %s --upgrade takes the changes)", cleanLine(kept.File()), kept.Name()))
	}
	return nil
}

// takeUpgrade lets a run go on with another program, if that is compatible.
func (r *resumer) takeUpgrade(run *runner, now []byte) error {
	kept := run.keeping.kept
	next, err := compile.ReadProgram(kept.File(), now, &compile.Options{Models: r.models()})
	if err != nil {
		return err
	}
	list := compat.Revisions(&compat.Revision{Program: run.pinned}, &compat.Revision{Program: next, FromSource: true})
	for _, d := range list {
		if d.Class == compat.Breaking {
			if err := r.printDiff(list); err != nil {
				return err
			}
			return &exit{exitProblems, errors.New("--upgrade: there are breaking changes; without it, the session goes on as it was")}
		}
	}
	kept.Upgrade(now)
	run.pinned = next
	if !r.quiet {
		r.note("the session goes on with the changes: " + counted(len(list), "compatible change"))
	}
	return nil
}
