package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/tools/builtin"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/mcp"
)

// Options change how libraries are opened. The zero value, like nil, is the
// default.
type Options struct {
	// LookupEnv returns the value of an environment variable. Nil means that
	// of the process.
	LookupEnv func(name string) (string, bool)

	// Untrusted returns where a variable comes from, or "" if that is the user. Such a variable may hold a secret, but it may not decide
	// what is run, or where the secrets of the user are sent. Nil trusts all.
	Untrusted func(name string) (from string)

	// Warn is called with what a person should know about and what stops nothing, such
	// as a server that was started again. It may be called concurrently. Nil ignores it.
	Warn func(message string)

	// Private are folders that no tool for files may enter, whatever its root is. They
	// need not exist.
	Private []string

	// Need names the tools that are wanted: whatever else the libraries hold
	// stays closed, and its variables need not be set. Nil wants all.
	Need []string
}

// Open opens libraries. A tool of a later one replaces that of an earlier one
// of the same name, and those that come with gramc. What MCP servers there are
// is started at the same time.
//
// The error joins an *[EntryError] for each entry that cannot be opened; then
// nothing stays open.
func Open(ctx context.Context, libraries []*library.Library, o *Options) (*Set, error) {
	op := newOpener(o)
	op.given = len(libraries) > 0
	for _, l := range libraries {
		op.plan(l)
	}
	op.redact = op.secrets.redactor()
	op.openAll(ctx)
	set, err := op.set()
	if err != nil {
		_ = set.Close()
		return nil, err
	}
	return set, nil
}

// An opener is an Open under way.
type opener struct {
	secrets secrets
	need    []string // nil for all
	closed  []string // names of entries that are not needed
	given   bool     // there is a library
	private []string // folders that no tool for files may enter

	untrusted func(name string) (from string)
	warn      func(message string)

	planned []*planned
	redact  redactor // of the secrets of all that is planned
}

// A planned is an entry that is to be opened.
type planned struct {
	Origin
	open func(context.Context) (opened, error) // has its secrets already
	got  opened
	err  error
}

// An opened is what an entry gives.
type opened struct {
	tools     []runtime.ToolConfig
	openWorld []string // names of open-world tools
	refused   []mcp.Refusal
	close     func() // nil when there is nothing to end
}

func newOpener(o *Options) *opener {
	op := &opener{
		secrets:   secrets{lookup: os.LookupEnv},
		untrusted: func(string) string { return "" },
		warn:      func(string) {},
	}
	if o != nil {
		op.need, op.private = o.Need, o.Private
		if o.Warn != nil {
			op.warn = func(message string) { o.Warn(op.redact.text(message)) }
		}
		if o.Untrusted != nil {
			op.untrusted = o.Untrusted
		}
		if o.LookupEnv != nil {
			op.secrets.lookup = o.LookupEnv
		}
	}
	return op
}

// plan prepares the entries of a library that are wanted. What they replace of
// earlier libraries need not be opened.
func (op *opener) plan(l *library.Library) {
	for _, e := range l.Entries {
		if !op.wanted(e) {
			if e.Kind != library.EntryMCP {
				op.closed = append(op.closed, e.Name)
			}
			continue
		}
		if e.Kind != library.EntryMCP {
			op.planned = slices.DeleteFunc(op.planned, func(p *planned) bool {
				return p.Library != l && p.Entry.Kind != library.EntryMCP && p.Entry.Name == e.Name
			})
		}
		p := &planned{Origin: Origin{l, e}}
		op.secrets.missing = nil
		p.open = op.entry(l, e)
		p.err = op.checkVariables(e)
		op.planned = append(op.planned, p)
	}
}

// checkVariables hides the secrets of an entry, and checks that its variables are set
// and may do what they do.
func (op *opener) checkVariables(e *library.Entry) error {
	op.hideSecrets(e)
	return cmp.Or(op.secrets.incomplete(), op.checkUntrusted(e))
}

// hideSecrets keeps the values of the secrets of an entry out of results.
func (op *opener) hideSecrets(e *library.Entry) {
	for _, name := range e.SecretVariables() {
		if !op.secrets.hide(name) {
			op.warn(fmt.Sprintf("the value of ${%s} is shorter than %d bytes, and so it is not hidden in results", name, minSecret))
		}
	}
}

// wanted reports whether an entry may have a tool that is needed.
func (op *opener) wanted(e *library.Entry) bool {
	switch {
	case op.need == nil:
		return true
	case e.Kind != library.EntryMCP:
		return slices.Contains(op.need, e.Name)
	case e.MCP.Allow != nil:
		return slices.ContainsFunc(e.MCP.Allow, func(name string) bool { return slices.Contains(op.need, e.MCP.Prefix+name) })
	}
	return slices.ContainsFunc(op.need, func(name string) bool { return strings.HasPrefix(name, e.MCP.Prefix) })
}

// openAll opens what is planned, all at the same time.
func (op *opener) openAll(ctx context.Context) {
	var opening sync.WaitGroup
	for _, p := range op.planned {
		if p.err == nil {
			opening.Go(func() { p.got, p.err = p.open(ctx) })
		}
	}
	opening.Wait()
}

// set makes a Set of what was opened; it is never nil.
func (op *opener) set() (*Set, error) {
	s := &Set{library: builtin.Library(), given: op.given, origins: map[string]Origin{}, openWorld: map[string]bool{}, closed: op.closed, redact: op.redact}
	for _, name := range s.library.Names() {
		s.origins[name] = Origin{}
	}
	var failed []error
	fail := func(o Origin, message string) {
		failed = append(failed, newEntryError(o, s.Redact(message)))
	}
	for _, p := range op.planned {
		if p.got.close != nil {
			s.close = append(s.close, p.got.close)
		}
		if p.err != nil {
			fail(p.Origin, p.err.Error())
			continue
		}
		for _, r := range p.got.refused {
			s.refuse(p.Origin, r.Tool, r.Reason)
		}
		for _, c := range p.got.tools {
			if reason := s.unfit(p.Origin, c.Name); reason != "" {
				s.refuse(p.Origin, c.Name, reason)
				continue
			}
			if err := s.add(p.Origin, c); err != nil {
				fail(p.Origin, err.Error())
			}
			s.openWorld[c.Name] = slices.Contains(p.got.openWorld, c.Name)
		}
	}
	return s, errors.Join(failed...)
}
