package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
	"github.com/gram-lang/gramc/source"
)

// openTools opens what the agent needs of the libraries of --library.
func (r *runner) openTools(ctx context.Context, file string) error {
	libraries, err := r.readLibraries(r.libraryNames)
	if silent(err) {
		return r.refuse("there are errors in the libraries")
	}
	if err != nil {
		return err
	}
	need := needs([]*interp.Agent{r.agent})
	r.tools, err = r.openSet(ctx, libraries, need)
	if err != nil {
		return r.failed(ctx, err)
	}
	r.noteRefused(r.tools, need)
	lock, err := r.readLock("", file)
	if err == nil && lock != nil {
		err = r.checkLock(lock, r.agent)
	}
	if err != nil {
		r.closeSet(r.tools)
		return r.failed(ctx, err)
	}
	return nil
}

// closeSet closes libraries, and reports what was wrong with that.
func (c *cli) closeSet(set *host.Set) {
	if err := set.Close(); err != nil {
		c.complain(set.Redact(err.Error()))
	}
}

// readLibraries returns the libraries of files, and shows what is wrong with
// them. Errors among that end the command.
func (c *cli) readLibraries(names []string) ([]*library.Library, error) {
	files, err := c.openLibraries(names, &strictness{})
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := c.show(f.problems, diag.Warning); err != nil {
			return nil, err
		}
	}
	if !sound(files) {
		return nil, exitSilently(exitProblems)
	}
	return allLibraries(files), nil
}

// openSet opens libraries. Their variables come from the environment, or from
// the file .env.
func (c *cli) openSet(ctx context.Context, libraries []*library.Library, need []string) (*host.Set, error) {
	set, err := host.Open(ctx, libraries, c.toolOptions(need))
	if err != nil {
		return nil, runtime.Errorf(runtime.KindConfiguration, "%s", entryErrors(err))
	}
	return set, nil
}

// toolOptions looks up the variables of libraries in the environment, and then in
// the file .env, which is not trusted: it may have been downloaded.
func (c *cli) toolOptions(need []string) *host.Options {
	settings := sync.OnceValue(c.readConfig) // most libraries need no variables
	return &host.Options{
		Need: need,
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
		return placeOf(entry.Entry.Place) + ": " + err.Error()
	}
	return err.Error()
}

// placeOf returns a place as file:line:column.
func placeOf(p source.Place) string {
	if p.File == "" {
		return "a compiled library"
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// noteRefused warns of tools of servers that are needed and cannot be taken.
func (c *cli) noteRefused(set *host.Set, need []string) {
	for _, r := range set.Refused() {
		if slices.Contains(need, r.Tool) {
			c.note(fmt.Sprintf("warning: %s: the tool %q of the server is not taken: %s", placeOf(r.Entry.Place), cleanLine(r.Tool), cleanLine(r.Reason)))
		}
	}
}
