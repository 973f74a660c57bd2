package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

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

	// Need names the tools that are wanted: whatever else the libraries hold
	// stays closed, and its variables need not be set. Nil wants all.
	Need []string
}

// A Set is what libraries come to when they are open. It is safe for use by
// several goroutines until it is closed.
type Set struct {
	library   runtime.Library
	origins   map[string]Origin
	openWorld map[string]bool // tools that their servers declare open-world
	refused   []Refusal
	closed    []string // tools that nobody needs
	redact    redactor
	close     []func()
}

// An Origin is where a tool comes from.
type Origin struct {
	Library *library.Library // nil for a tool that is there without a library
	Entry   *library.Entry
}

// A Refusal is a tool that a server offers and that cannot be taken.
type Refusal struct {
	Origin
	Tool, Reason string
}

// An EntryError is the reason why an entry of a library cannot be opened. Its text
// contains no secrets.
type EntryError struct {
	Origin
	Message string
}

// newEntryError returns an error whose message does not name the entry again.
func newEntryError(o Origin, message string) *EntryError {
	for _, name := range []string{fmt.Sprintf("%q: ", o.Entry.Name), o.Entry.Name + ": "} {
		before, after, found := strings.Cut(message, name)
		if found && !strings.Contains(before, ":") {
			message = after
			break
		}
	}
	return &EntryError{Origin: o, Message: message}
}

// Error returns the entry and the message.
func (e *EntryError) Error() string {
	return fmt.Sprintf("%s %q: %s", e.Entry.Kind, e.Entry.Name, e.Message)
}

// Open opens libraries. A tool of a later one replaces that of an earlier one
// of the same name, and those that come with gramc. What MCP servers there are
// is started at the same time.
//
// The error joins an *[EntryError] for each entry that cannot be opened; then
// nothing stays open.
func Open(ctx context.Context, libraries []*library.Library, o *Options) (*Set, error) {
	op := newOpener(o)
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

// Library returns the tools.
func (s *Set) Library() runtime.Library { return s.library }

// Origin returns where a tool comes from.
func (s *Set) Origin(tool string) (o Origin, found bool) {
	o, found = s.origins[tool]
	return o, found
}

// Refused returns what servers offer and cannot be taken.
func (s *Set) Refused() []Refusal { return s.refused }

// Redact returns a text in which the secrets of the libraries have given way to
// the names of their variables.
func (s *Set) Redact(text string) string { return s.redact.text(text) }

// Close ends everything that was started. The tools cannot be called after it.
// It returns nil.
func (s *Set) Close() error {
	for _, end := range slices.Backward(s.close) {
		end()
	}
	s.close = nil
	return nil
}

// An opener is an Open under way.
type opener struct {
	secrets secrets
	need    []string // nil for all
	closed  []string // names of entries that are not needed

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
		op.need = o.Need
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
	for _, name := range e.Secrets() {
		if !op.secrets.hide(name) {
			op.warn(fmt.Sprintf("the value of ${%s} is shorter than %d bytes, and so it is not hidden in results", name, minSecret))
		}
	}
	return cmp.Or(op.secrets.incomplete(), op.checkUntrusted(e))
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
	s := &Set{library: builtin.Library(), origins: map[string]Origin{}, openWorld: map[string]bool{}, closed: op.closed, redact: op.redact}
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

func (s *Set) refuse(o Origin, tool, reason string) {
	s.refused = append(s.refused, Refusal{o, s.Redact(tool), s.Redact(reason)})
}

// unfit returns why a tool of a server is not taken. A server may offer another
// tool tomorrow: what its entry does not name takes the place of nothing.
func (s *Set) unfit(o Origin, tool string) string {
	if o.Entry.Kind != library.EntryMCP {
		return ""
	}
	other, taken := s.origins[tool]
	switch {
	case s.Redact(tool) != tool:
		return "its name holds a secret"
	case !taken || other.Library == o.Library || o.Entry.Replaces || o.Entry.MCP.Allow != nil:
		return ""
	case other.Entry == nil:
		return "gramc has a tool of this name; to replace it, name the tool in allow, or write replaces: true"
	}
	return fmt.Sprintf("the %s %q of an earlier library has this name; to replace it, name the tool in allow, or write replaces: true",
		other.Entry.Kind, other.Entry.Name)
}

// add adds a tool as its entry and its library want it.
func (s *Set) add(o Origin, c runtime.ToolConfig) error {
	if other, known := s.origins[c.Name]; known && other.Library == o.Library {
		return fmt.Errorf("the %s %q has a tool %q too; a prefix keeps them apart", other.Entry.Kind, other.Entry.Name, c.Name)
	}
	o.settle(&c)
	s.redact.tool(&c)
	if o.Entry.Kind == library.EntryMCP {
		s.redact.definition(&c)
	}
	t, err := runtime.NewTool(c)
	if err != nil {
		return err
	}
	if s.library, err = s.library.Add(c.Name, t); err != nil {
		return err
	}
	s.origins[c.Name] = o
	return nil
}

// Names returns the names of all tools that come from libraries, sorted.
func (s *Set) Names() []string {
	names := slices.Sorted(maps.Keys(s.origins))
	return slices.DeleteFunc(names, func(name string) bool { return s.origins[name].Library == nil })
}

// timeout returns how long a call may take, 0 where nothing is said.
func (o Origin) timeout() time.Duration {
	return time.Duration(cmp.Or(o.Entry.TimeoutMS, o.Library.TimeoutMS)) * time.Millisecond
}

// settle applies the settings that the entry and its library have for every tool.
func (o Origin) settle(c *runtime.ToolConfig) {
	c.Timeout = cmp.Or(o.timeout(), c.Timeout)
	if o.Entry.Retryable != nil {
		c.NoRetry = !*o.Entry.Retryable
	}
	if o.Entry.Parallel != nil {
		c.Concurrent = *o.Entry.Parallel
	}
	for _, rule := range o.Entry.Rules {
		args := make(map[string]string, len(rule.Arguments))
		for _, m := range rule.Arguments {
			args[m.Argument] = m.Pattern
		}
		c.Approval.Rules = append(c.Approval.Rules, runtime.ApprovalRule{Args: args, Then: runtime.Decision(rule.Approve)})
	}
	switch {
	case o.Entry.Approve != "":
		c.Approval.Default = runtime.Decision(o.Entry.Approve)
	case o.Library.Approve != "":
		c.Approval.Default = runtime.Decision(o.Library.Approve)
	}
}
