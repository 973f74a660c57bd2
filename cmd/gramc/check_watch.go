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

// watchPause is how long check --watch waits before it looks at the files again.
const watchPause = 300 * time.Millisecond

// clockSlack is how much earlier than it happened a file system may date a change.
const clockSlack = 50 * time.Millisecond

// A fileState is what changes when a file is written.
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

// watch checks the files again whenever one of them, or a file that they use, has
// changed, until the context ends. A report that is the same as before is not
// repeated.
func (k *checker) watch(ctx context.Context, cmd *cobra.Command, words []string, pause time.Duration) error {
	var before string
	var seen map[string]fileState
	for {
		var report bytes.Buffer
		start := time.Now().Add(-clockSlack)
		round := k.again(&report)
		err := round.command(cmd, words)
		if e := new(exit); err != nil && !errors.As(err, &e) {
			return err
		}
		if !silent(err) && err != nil {
			round.complain(err.Error())
		}
		if text := report.String(); text != before {
			fmt.Fprintf(k.err, "%s\n%s", time.Now().Format(time.TimeOnly), text)
			before = text
		}
		previous := seen
		if seen = round.watched(words); changedSince(seen, start) && !maps.Equal(seen, previous) {
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

// again returns a checker with the same flags that has read nothing yet.
func (k *checker) again(report io.Writer) *checker {
	c := newCLI(&stdio{in: k.in, out: report, err: report, lookup: k.lookup})
	c.color, c.strict, c.strictGram, c.providerFiles = k.color, k.strict, k.strictGram, k.providerFiles
	if k.colored() {
		c.color.value = "always"
	}
	round := &checker{cli: c, format: k.format, libraryNames: k.libraryNames, watching: true}
	if k.host != nil {
		round.host = c.toolOptions(nil)
	}
	return round
}

// watched returns the state of the files that were read, of those that would be
// read now, and of their folders, which change when a file is created.
func (k *checker) watched(words []string) map[string]fileState {
	states := map[string]fileState{}
	add := func(name string) {
		if info, err := os.Stat(name); err == nil {
			states[name] = fileState{info.ModTime(), info.Size()}
		} else {
			states[name] = fileState{}
		}
	}
	var inputs []input
	for _, word := range words {
		inputs = append(inputs, input{name: word})
	}
	found, _ := expandInputs(inputs)
	for _, in := range found {
		add(in.name)
	}
	k.filesRead.Range(func(name, _ any) bool {
		add(name.(string))
		add(filepath.Dir(name.(string)))
		return true
	})
	return states
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
