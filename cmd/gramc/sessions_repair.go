package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/journal"
)

func (c *cli) repairCommand() *cobra.Command {
	var to string
	cmd := command("repair", noArguments, func(*cobra.Command, []string) error {
		return c.repairSessions(to)
	})
	cmd.Flags().StringVar(&to, "to", "", "write what can be read to `DIR`, for --state, and leave the damaged sessions where they are")
	if err := cmd.MarkFlagDirname("to"); err != nil {
		panic("gramc: " + err.Error())
	}
	c.state.add(cmd)
	return cmd
}

// repairSessions saves what can be read of damaged sessions: in another folder, or in
// place of them, which are then in a folder beside.
func (c *cli) repairSessions(to string) error {
	folder, key, err := c.state.place(c)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	damaged, o := filepath.Join(folder, sessionsFolder), &journal.Options{Key: key}
	if _, err := os.Stat(damaged); errors.Is(err, fs.ErrNotExist) {
		return &exit{exitUsage, fmt.Errorf("there are no sessions in %s", folder)}
	}
	isWhole, err := isWholeJournal(ctx, damaged, o)
	switch {
	case err != nil:
		return &exit{exitUsage, fmt.Errorf("the sessions in %s cannot be repaired: %w", folder, err)}
	case isWhole:
		c.note("the sessions in " + folder + " are not damaged")
		return nil
	case to != "":
		return c.saveSessions(ctx, damaged, filepath.Join(to, sessionsFolder), o)
	}
	if isHeld, process, err := journal.HeldBy(damaged); err != nil {
		return err
	} else if isHeld {
		return &exit{exitUsage, fmt.Errorf("process %d has a session; end it first, or use --to", process)}
	}
	saved := damaged + ".repaired"
	if err := c.saveSessions(ctx, damaged, saved, o); err != nil {
		return err
	}
	aside := freeName(damaged + ".damaged")
	if err := os.Rename(damaged, aside); err != nil {
		return err
	}
	if err := os.Rename(saved, damaged); err != nil {
		return err
	}
	c.note("the damaged journal is now in " + aside + "; remove it when you no longer need it")
	return nil
}

// isWholeJournal reports whether everything in a journal can be read. The error is of a
// journal that no repair makes readable, as with another key.
func isWholeJournal(ctx context.Context, folder string, o *journal.Options) (bool, error) {
	j, err := journal.Open(folder, o)
	if err == nil {
		err = errors.Join(readAll(ctx, j), j.Close())
	}
	var damage *journal.DamageError
	if errors.As(err, &damage) {
		return false, nil
	}
	return err == nil, err
}

// readAll reads a journal, so that all damage in it is found.
func readAll(ctx context.Context, j *journal.Journal) error {
	if err := j.Check(ctx); err != nil {
		return err
	}
	runs, err := j.Runs(ctx, journal.Filter{})
	for _, r := range runs {
		_, entriesErr := j.Entries(ctx, r.ID)
		err = errors.Join(err, entriesErr)
		if r.Status != journal.Damaged && r.Status != journal.Finished { // else it may have been lost in an earlier repair
			_, programErr := j.Program(ctx, r.Program)
			err = errors.Join(err, programErr)
		}
	}
	return err
}

// saveSessions saves what can be read of a damaged journal in a folder without one.
func (c *cli) saveSessions(ctx context.Context, damaged, to string, o *journal.Options) error {
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return &exit{exitUsage, fmt.Errorf("%s is there already; remove it, or use --to with another folder", to)}
	}
	saved, err := journal.SaveFrom(ctx, damaged, to, o)
	if err != nil {
		return &exit{exitUsage, errors.Join(fmt.Errorf("nothing was saved: %w", err), os.RemoveAll(to))}
	}
	c.note(fmt.Sprintf("saved %s with %s in %s", counted(saved.Sessions, "session"), counted(saved.Runs, "turn"), filepath.Dir(to)))
	if n := len(saved.Incomplete); n > 0 {
		c.note(counted(n, "turn") + " cannot go on, because a part is missing; the rest can be read")
	}
	if saved.Lost > 0 {
		c.note(counted(saved.Lost, "turn") + " could not be read")
	}
	return nil
}

// freeName returns a path at which nothing is: the one given, or with a number.
func freeName(path string) string {
	for n, name := 2, path; ; n++ {
		if _, err := os.Lstat(name); err != nil {
			return name
		}
		name = fmt.Sprintf("%s-%d", path, n)
	}
}

// namingRepair adds to the error of damaged sessions what saves them.
func namingRepair(err error) error {
	var damage *journal.DamageError
	if errors.As(err, &damage) {
		return fmt.Errorf("%w; gramc sessions repair saves what can be read", err)
	}
	return err
}
