package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
)

// watchPause is how long --watch waits before it looks at the files again.
const watchPause = 300 * time.Millisecond

// clockSlack is how much earlier than it happened a file system may date a change.
const clockSlack = 50 * time.Millisecond

// A fileState is what changes when a file is written. That of a folder is the newest
// time of its gram files, and their number.
type fileState struct {
	modified time.Time
	size     int64
}

// refuseWatch reports flags that have no meaning with --watch.
func (k *checker) refuseWatch(cmd *cobra.Command, words []string) error {
	switch {
	case k.fix || k.diff || k.format.value != "human":
		return errors.New("--watch reports problems on the terminal; it cannot be combined with --fix, --diff or --format")
	case cmd.Flags().Changed("expression") || slices.ContainsFunc(words, isStdin):
		return errors.New("--watch watches files and folders; neither -e nor standard input changes")
	}
	return nil
}

// watch checks the files again whenever one changes, until the context ends.
func (k *checker) watch(ctx context.Context, cmd *cobra.Command, words []string, pause time.Duration) error {
	return k.cli.watch(ctx, words, pause, func(c *cli) error {
		round := &checker{cli: c, format: k.format, libraryNames: k.libraryNames, watching: true}
		if k.host != nil {
			round.host = c.toolOptions(nil)
		}
		return round.command(cmd, words)
	})
}

// refuseWatch reports flags that have no meaning with --watch.
func (k *tester) refuseWatch(words []string) error {
	switch {
	case k.update || k.format.value != "human":
		return errors.New("--watch reports on the terminal, and writes nothing; it cannot be combined with --update or --format")
	case slices.ContainsFunc(words, isStdin):
		return errors.New("--watch watches files and folders; standard input does not change")
	}
	return nil
}

// watch runs the tests again whenever a file changes, until the context ends.
func (k *tester) watch(ctx context.Context, words []string, pause time.Duration) error {
	return k.cli.watch(ctx, words, pause, func(c *cli) error {
		round := *k
		round.cli = c
		return round.command(ctx, words)
	})
}

// watch does something with files again whenever one of them, or a file that was read
// for them, has changed, until the context ends. A report that is the same as before
// is not repeated. An error that is no exit code ends it only the first time.
func (c *cli) watch(ctx context.Context, words []string, pause time.Duration, do func(*cli) error) error {
	var before string
	var seen map[string]fileState
	for {
		var report bytes.Buffer
		start := time.Now().Add(-clockSlack)
		round := c.again(&report)
		err := do(round)
		if e := new(exit); err != nil && seen == nil && !errors.As(err, &e) {
			return err
		}
		if !silent(err) && err != nil {
			round.complain(err.Error())
		}
		if err := round.out.Flush(); err != nil {
			return err
		}
		if text := report.String(); text != before {
			fmt.Fprintf(c.err, "%s\n%s", time.Now().Format(time.TimeOnly), text)
			before = text
		}
		previous := seen
		if seen = round.watched(words); ctx.Err() == nil && changedSince(seen, start) && !maps.Equal(seen, previous) {
			continue
		}
		for maps.Equal(seen, round.watched(words)) {
			select {
			case <-ctx.Done():
				return exitSilently(exitInterrupted)
			case <-time.After(pause):
			}
		}
	}
}

// again returns a cli with the same flags that has read nothing yet, and writes to a
// report.
func (c *cli) again(report io.Writer) *cli {
	round := newCLI(&stdio{in: c.in, out: report, err: report, lookup: c.lookup})
	round.color, round.strict, round.strictGram, round.providerFiles = c.color, c.strict, c.strictGram, c.providerFiles
	round.state = c.state
	if c.colored() {
		round.color.value = "always"
	}
	return round
}

// watched returns the state of the files that were read, of those that would be
// read now, and of their folders, which change when a gram file is created.
func (c *cli) watched(words []string) map[string]fileState {
	states := map[string]fileState{}
	var inputs []input
	for _, word := range words {
		inputs = append(inputs, input{name: word})
	}
	found, _ := expandInputs(inputs)
	for _, in := range found {
		states[in.name] = stateOf(in.name)
	}
	c.filesRead.Range(func(read, _ any) bool {
		name := read.(string)
		states[name] = stateOf(name)
		if folder := filepath.Dir(name); states[folder] == (fileState{}) {
			states[folder] = stateOfFolder(folder)
		}
		return true
	})
	return states
}

// stateOf returns the state of a file, the zero state of one that does not exist.
func stateOf(name string) fileState {
	info, err := os.Stat(name)
	if err != nil {
		return fileState{}
	}
	return fileState{info.ModTime(), info.Size()}
}

// stateOfFolder returns the state of the gram files of a folder. What else a tool
// writes there changes nothing.
func stateOfFolder(name string) (s fileState) {
	entries, _ := os.ReadDir(name) // none if it cannot be read
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".gram" {
			continue
		}
		s.size++
		if info, err := e.Info(); err == nil && info.ModTime().After(s.modified) {
			s.modified = info.ModTime()
		}
	}
	return s
}

// changedSince reports whether a file was written after a time.
func changedSince(states map[string]fileState, start time.Time) bool {
	for _, s := range states {
		if s.modified.After(start) {
			return true
		}
	}
	return false
}
