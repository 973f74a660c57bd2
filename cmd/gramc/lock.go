package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/compat"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/runtime/host"
)

func (c *cli) lockCommand() *cobra.Command {
	b := &bindRunner{cli: c}
	var output string
	cmd := command("lock FILE", theFile, func(_ *cobra.Command, words []string) error {
		return b.lock(words[0], cmp.Or(output, words[0]+lockSuffix))
	})
	addLibraryFlag(cmd, &b.libraryNames, "take the tools from the library `FILE`; may be repeated")
	addOutputFlag(cmd, &output, "FILE.lock")
	return cmd
}

// lockSuffix makes the name of the lock file of a gram file.
const lockSuffix = ".lock"

// lock writes the lock file, if all tools can be bound.
func (b *bindRunner) lock(file, output string) error {
	report, err := b.bind(file)
	if err != nil {
		return err
	}
	if !allBound(report.fits) {
		if err := b.print(report); err != nil {
			return err
		}
		return exitSilently(exitProblems)
	}
	text, err := report.now.JSON()
	if err != nil {
		return err
	}
	if err := b.writeResult(output, text); err != nil {
		return err
	}
	b.note(fmt.Sprintf("%s: %s", output, counted(len(report.now.Tools), "tool")))
	return nil
}

// lockOf returns the lock of tools, each once.
func lockOf(fits []host.Report) *compat.Lock {
	lock := &compat.Lock{}
	for _, f := range fits {
		if o := f.Offered; o != nil && lock.Lookup(f.Tool).Name == "" {
			lock.Tools = append(lock.Tools, compat.Locked{Name: f.Tool, From: f.From, Description: o.Description, Input: o.Input, Output: o.Output, Repeat: o.Repeat})
		}
	}
	return lock
}

// lockChanges returns how the tools of agents differ from a lock. A tool that
// does not fit its agent is compared too, if its schema is known.
func lockChanges(lock *compat.Lock, fits []host.Report, now *compat.Lock) []compat.Change {
	var names []string
	for _, f := range fits {
		if f.Offered != nil || f.From == "" {
			names = append(names, f.Tool)
		}
	}
	return lock.Only(names).Compare(now)
}

// readLock reads a lock file: the one named, or that of a gram file if there is
// one. Without one there is no lock.
func (c *cli) readLock(name, file string) (*compat.Lock, error) {
	named := name != ""
	if !named {
		name = file + lockSuffix
	}
	text, err := workspace.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return nil, nil
	case err != nil:
		return nil, unusableInput(name, err)
	}
	c.filesRead.Store(name, true)
	lock, err := compat.ReadLock(name, []byte(text))
	if err != nil {
		return nil, &exit{exitUsage, err}
	}
	return lock, nil
}

// lockChangeText describes a change on a line. For a description it shows both
// versions, each on a line below, since the model reads them.
func lockChangeText(change compat.Change, before, now *compat.Lock) string {
	text := cleanLine(fmt.Sprintf("%s: %s: %s", change.Class, change.Tool, change.Message))
	if change.Path == "/description" {
		text += "\n  was: " + shortMessage(before.Lookup(change.Tool).Description) + "\n  now: " + shortMessage(now.Lookup(change.Tool).Description)
	}
	return text
}
