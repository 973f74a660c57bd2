package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/process"
	"github.com/gram-lang/gramc/internal/template"
	gram "github.com/gram-lang/gramc/runtime"
)

// MaxOutput is how much a program may write to stdout before it is stopped.
const MaxOutput = 1 << 20

// A Format is the format of what a program writes to stdout.
type Format string

// The formats.
const (
	Either Format = ""     // JSON where the result is more than a text, else text
	JSON   Format = "json" // one JSON value
	Text   Format = "text" // text; the line end after it does not count
)

// A Config describes a command to [New]. It has Program or Shell. It is not checked
// again: package library does that.
type Config struct {
	Name        string
	Description string          // empty: that of the contract
	Input       json.RawMessage // empty: description and schemas are those of the contract
	Output      json.RawMessage

	// Program is what runs: with a slash it is relative to Base, without it is
	// found in PATH. Arguments are what it gets. They hold no environment
	// variables.
	Program   string
	Arguments []template.Template

	// Shell is a line for the shell of the system. It holds no {parameter}:
	// values would be run as code.
	Shell string

	Base   string   // the folder that relative paths start at
	Dir    string   // the folder to run in; empty means Base
	Env    []string // more variables, "NAME=value"; see process.Environment
	Format Format

	Running *process.Set // gets the runs that are going on; nil is one of its own
}

// KeyVariable is the environment variable that holds the idempotency key of a call, if it has
// one and Env does not set the variable.
const KeyVariable = "GRAMC_CALL_KEY"

// New makes a tool of a command. Whether the program is there is
// looked up when the tool is bound to a contract, and again for each call.
func New(c Config) (gram.Tool, error) {
	if c.Running == nil {
		c.Running = process.NewSet()
	}
	cmd := &command{c}
	own := gram.Contract{Input: c.Input, Output: c.Output}
	if len(c.Input) > 0 {
		if err := cmd.fits(own); err != nil {
			return gram.Tool{}, fmt.Errorf("command %q: %w", c.Name, err)
		}
	}
	return gram.NewTool(gram.ToolConfig{
		Name: c.Name, Description: c.Description, Input: c.Input, Output: c.Output,
		Adopt: len(c.Input) == 0, AdoptDescription: c.Description == "",
		Execute: cmd.handler(own),
		Accept:  cmd.accept,
		For:     cmd.handler,
	})
}

// A command is a Config with methods.
type command struct{ Config }

// accept refuses the contracts that the command cannot keep.
func (c *command) accept(contract gram.Contract) error {
	if err := c.fits(contract); err != nil {
		return err
	}
	if _, err := c.start(nil); err != nil {
		return &gram.BindError{Tool: c.Name, Reason: gram.ReasonMissingEnvironment, Detail: err.Error()}
	}
	return nil
}

// fits compares the parameters of a contract with those that the arguments
// name.
func (c *command) fits(contract gram.Contract) error {
	var schema struct {
		Properties map[string]json.RawMessage
	}
	if err := json.Unmarshal(contract.Input, &schema); err != nil {
		return fmt.Errorf("the input schema: %w", err)
	}
	for _, t := range c.Arguments {
		for _, name := range t.Names(template.Argument) {
			if _, ok := schema.Properties[name]; !ok {
				return fmt.Errorf("the argument %q names %q, which is no parameter; "+
					"write {{ and }} for braces that are meant as such", t, name)
			}
		}
	}
	for name := range schema.Properties {
		before, _, found := strings.Cut(c.Shell, "{"+name+"}")
		if found && !strings.HasSuffix(before, "$") {
			return fmt.Errorf("the shell line names {%s}, and what a model writes would be run as code; "+
				"read it from stdin, or use run", name)
		}
	}
	return nil
}

// start returns what to start for a call. Without arguments, only what is the
// same for every call is looked at.
func (c *command) start(args map[string]json.RawMessage) (process.Command, error) {
	p, err := process.Command{Args: []string{c.Program}, Shell: c.Shell, Dir: c.Dir, Env: c.Env}.Resolve(c.Base)
	if err != nil || c.Shell != "" {
		return p, err
	}
	if runtime.GOOS == "windows" && isBatchCommand(p.Args[0]) && slices.ContainsFunc(c.Arguments, hasValues) {
		return process.Command{}, fmt.Errorf("%q is a batch file, and those may run the values of arguments as code; "+
			"let it read stdin", c.Program)
	}
	if args != nil {
		filled, err := expandArguments(c.Arguments, args)
		if err != nil {
			return process.Command{}, err
		}
		p.Args = append(p.Args, filled...)
	}
	return p, nil
}

func isBatchCommand(program string) bool {
	ext := strings.ToLower(filepath.Ext(program))
	return ext == ".bat" || ext == ".cmd"
}

func hasValues(t template.Template) bool { return t.Has(template.Argument) }

// handler returns what does the work for a contract.
func (c *command) handler(contract gram.Contract) gram.Handler {
	format := c.Format
	if format == Either {
		format = Text
		output := gram.Contract{Output: c.Output}
		if contract.WantsMoreThanText() || output.WantsMoreThanText() {
			format = JSON
		}
	}
	return func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
		var values map[string]json.RawMessage
		if err := json.Unmarshal(args, &values); err != nil {
			return nil, err
		}
		start, err := c.start(values)
		if err != nil {
			return nil, err
		}
		if key := gram.CallKey(ctx); key != "" {
			start.Env = append([]string{KeyVariable + "=" + key}, start.Env...)
		}
		stdout, err := c.Running.Run(ctx, start, args, MaxOutput)
		if err != nil {
			return nil, c.failed(err)
		}
		return c.result(stdout, format)
	}
}

// failed puts the name of the command before the failure of a process.
func (c *command) failed(err error) error {
	var exit *process.ExitError
	var long *process.TooLongError
	if errors.As(err, &exit) || errors.As(err, &long) {
		err = &gram.ToolError{Kind: gram.ToolExecution, Message: fmt.Sprintf("the command %q %v", c.Name, err), Err: err}
	}
	return err
}

func (c *command) result(stdout []byte, format Format) (json.RawMessage, error) {
	if format == Text {
		return plainjson.String(string(bytes.TrimRight(stdout, "\r\n"))), nil
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(stdout, []byte("\uFEFF")))
	switch {
	case len(text) == 0:
		return nil, fmt.Errorf("the command %q wrote nothing to stdout; JSON is expected", c.Name)
	case !json.Valid(text):
		return nil, fmt.Errorf("the command %q wrote no JSON to stdout, but %q", c.Name, excerpt.Short(string(text), 200))
	}
	return text, nil
}
