package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/drift"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/project"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/toolset"
)

func (c *cli) lockCommand() *cobra.Command {
	b := &binder{cli: c}
	var output string
	cmd := &cobra.Command{
		Use:   "lock FILE",
		Short: "Write down what the tools of the agents promise",
		Long: `lock binds the tools of all agents of the file, as "gramc bind" does, and writes
what each promises, its description and its schemas, into a lock file: by
default the name of the file and .lock. Commit it.

From then on bind tells what has changed, and run refuses to start when a change
breaks the agent, or when a tool of an MCP server has changed at all, since its
description is what the model reads. Look at the changes, and lock again.`,
		Example: "  gramc lock agent.gram --library local.gram",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, words []string) error {
			if output == "" {
				output = words[0] + lockSuffix
			}
			return b.lock(words[0], output)
		},
	}
	addLibrary(cmd, &b.libraryNames, "take the tools from the library `FILE`; may be repeated")
	addOutput(cmd, &output)
	return cmd
}

// lockSuffix makes the name of the lock file of a gram file.
const lockSuffix = ".lock"

// lock writes the lock file, if all tools can be bound.
func (b *binder) lock(file, output string) error {
	found, err := b.bind(file)
	if err != nil {
		return err
	}
	if !allBound(found) {
		if err := b.tell(&bindReport{Agents: found}); err != nil {
			return err
		}
		return told(exitProblems)
	}
	lock := lockOf(found)
	text, err := lock.JSON()
	if err != nil {
		return err
	}
	if err := b.writeResult(output, text); err != nil {
		return err
	}
	b.note(fmt.Sprintf("%s: %s", output, counted(len(lock.Tools), "tool")))
	return nil
}

// lockOf returns what the bound tools promise, each once.
func lockOf(found []wired) *drift.Lock {
	lock := &drift.Lock{}
	for _, w := range found {
		for _, t := range w.Tools {
			known := slices.ContainsFunc(lock.Tools, func(l drift.Locked) bool { return l.Name == t.Name })
			if !known && len(t.Problems) == 0 {
				lock.Tools = append(lock.Tools, locked(t.bound, t.From))
			}
		}
	}
	return lock
}

func locked(t runtime.Tool, from string) drift.Locked {
	return drift.Locked{Name: t.Name(), From: from, Description: t.Description(), Input: t.Input(), Output: t.Output()}
}

// readLock reads a lock file: the one named, or that of a gram file if there is
// one. Without one there is no lock.
func (c *cli) readLock(name, file string) (*drift.Lock, error) {
	named := name != ""
	if !named {
		name = file + lockSuffix
	}
	text, err := project.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return nil, nil
	case err != nil:
		return nil, err
	}
	lock, err := drift.ReadLock(name, []byte(text))
	if err != nil {
		c.complain(err.Error())
		return nil, told(exitUsage)
	}
	return lock, nil
}

// fromOf says in a word or two what does the work of a tool.
func fromOf(o toolset.Origin) string {
	if o.Entry == nil {
		return "gramc"
	}
	return fmt.Sprintf("%s %s", o.Entry.Kind, o.Entry.Name)
}

// checkLock compares what the tools of an agent promise with the lock of its
// file. It tells what has changed, and returns an error when that must be looked
// at first.
func (r *runner) checkLock(lock *drift.Lock, agent *interp.Agent) error {
	bound, err := r.tools.Library().Bind(agent.Tools, &runtime.BindOptions{NameOnly: r.bind.value == "name"})
	if err != nil {
		return nil // which the run tells
	}
	now, before := &drift.Lock{}, &drift.Lock{}
	remote := map[string]bool{}
	for _, t := range bound {
		origin, _ := r.tools.Origin(t.Name())
		now.Tools = append(now.Tools, locked(t, fromOf(origin)))
		remote[t.Name()] = origin.Entry != nil && origin.Entry.Kind == compile.EntryMCP
		if i := slices.IndexFunc(lock.Tools, func(l drift.Locked) bool { return l.Name == t.Name() }); i >= 0 {
			before.Tools = append(before.Tools, lock.Tools[i])
		}
	}
	var serious []string
	for _, change := range before.Compare(now) {
		if change.Class == drift.Breaking || remote[change.Tool] {
			serious = append(serious, changeLine(change))
		} else {
			r.note("changed since the lock: " + changeLine(change))
		}
	}
	if len(serious) == 0 {
		return nil
	}
	return runtime.Errorf(runtime.KindConfiguration,
		"the tools are not those that were locked; look at what has changed, and run gramc lock again:\n%s", strings.Join(serious, "\n"))
}

// changeLine tells a change on a line.
func changeLine(change drift.Change) string {
	return cleanLine(fmt.Sprintf("%s: %s: %s", change.Class, change.Tool, change.Message))
}
