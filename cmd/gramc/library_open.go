package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/compat"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
)

// openTools opens what the agent needs of libraries, and compares it with a lock,
// unless that is nil.
func (r *runner) openTools(ctx context.Context, libraries []*library.Library, lock *compat.Lock) error {
	if r.recorded.replaysTools() {
		libraries, lock = nil, nil
	}
	set, err := r.openSet(ctx, libraries, toolsOf([]*interp.Agent{r.agent}))
	if err != nil {
		return r.failed(ctx, err)
	}
	r.tools = set
	if lock == nil {
		return nil
	}
	if err := r.checkLock(lock, r.agent); err != nil {
		r.closeSet(set)
		return r.failed(ctx, err)
	}
	return nil
}

// openSet opens what is needed of libraries, nil for everything.
// Their variables come from the environment, or from the file .env. It warns of
// tools of servers that are needed and cannot be taken.
func (c *cli) openSet(ctx context.Context, libraries []*library.Library, need []string) (*host.Set, error) {
	set, err := host.Open(ctx, libraries, c.toolOptions(need))
	if err != nil {
		return nil, runtime.Errorf(runtime.KindConfiguration, "%s", entryErrors(err))
	}
	for _, r := range set.Refused() {
		if slices.Contains(need, r.Tool) {
			c.warnRefused(r)
		}
	}
	return set, nil
}

func (c *cli) warnRefused(r host.Refusal) {
	c.note(fmt.Sprintf("warning: %s: the tool %q of the server is not taken: %s", placeText(r.Entry.Place), cleanLine(r.Tool), cleanLine(r.Reason)))
}

// notOpened reports why libraries cannot be opened, and returns the error that
// ends the command.
func (c *cli) notOpened(err error, code int) error {
	var known *runtime.Error
	if !errors.As(err, &known) {
		return err
	}
	for line := range strings.Lines(err.Error()) {
		c.complain(strings.TrimSuffix(line, "\n"))
	}
	return exitSilently(code)
}

// closeSet closes libraries, and reports what was wrong with that.
func (c *cli) closeSet(set *host.Set) {
	if err := set.Close(); err != nil {
		c.complain(set.Redact(err.Error()))
	}
}

// toolOptions looks up the variables of libraries in the environment, and then in
// the file .env, which is not trusted: it may have been downloaded.
func (c *cli) toolOptions(need []string) *host.Options {
	settings := sync.OnceValue(c.readConfig) // most libraries need no variables
	return &host.Options{
		Need: need, Private: c.state.private(c),
		Warn: func(message string) { c.note("warning: " + cleanLine(message)) },
		LookupEnv: func(name string) (string, bool) {
			s := settings().first(name)
			return s.value, s.value != ""
		},
		Untrusted: func(name string) string {
			if settings().first(name).fromFile {
				return "the file " + dotenvName
			}
			return ""
		},
	}
}

// entryErrors writes the errors of entries, each with its place.
func entryErrors(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var lines []string
		for _, e := range joined.Unwrap() {
			lines = append(lines, entryErrors(e))
		}
		return strings.Join(lines, "\n")
	}
	var entry *host.EntryError
	if errors.As(err, &entry) && entry.Entry.Place.File != "" {
		return placeText(entry.Entry.Place) + ": " + err.Error()
	}
	return err.Error()
}

// guardLeaks returns the tools of an agent. It warns when untrusted text could
// make the agent leak private data; then calls that send data out need approval.
func (c *cli) guardLeaks(set *host.Set, agent *interp.Agent) runtime.Library {
	library, leak := set.GuardLeaks(toolsOf([]*interp.Agent{agent}))
	if leak == nil {
		return library
	}
	list := func(names []string) string { return strings.Join(names, ", ") }
	text := fmt.Sprintf("warning: the agent %q reads private data (%s), reads untrusted text (%s) and sends data out (%s): "+
		"such text could make it leak the data", agent.Name, list(leak.Private), list(leak.Untrusted), list(leak.Outbound))
	if len(leak.Asked) > 0 {
		text += fmt.Sprintf("; so calls of %s need approval here, unless the library has approve: allow", list(leak.Asked))
	}
	c.note(cleanLine(text))
	return library
}
