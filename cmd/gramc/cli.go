package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/runtime"
)

func (c *cli) execute(args []string) int {
	return c.guard(func() int {
		root := c.rootCommand(args)
		root.SetArgs(args)
		command, err := root.ExecuteC()
		return c.end(command.CommandPath(), err)
	})
}

// A cli is the state of one command line.
type cli struct {
	in         io.Reader
	out        *bufio.Writer
	unbuffered io.Writer // what out writes to
	err        io.Writer
	lookup     func(variable string) (string, bool)

	color      flagChoice // the flag --color
	strict     bool       // the flag --strict: warnings count as errors
	strictGram bool       // the flag --strict-gram: what tree-sitter-gram refuses is an error
	filesRead  sync.Map   // names of files, which no output may overwrite
	stdinRead  atomic.Bool
	workspace  *workspace.Workspace

	readKeys sync.Once
	keys     *strings.Replacer // hides the keys of models; see withoutKeys

	baseURL       string     // the flag --base-url, of the commands that have it
	state         stateFlags // the flags of the commands that have sessions
	providerFiles []string   // the flag --providers
	readTable     sync.Once
	table         *models.Table // see models
	tableFault    error         // of the files of --providers
}

func newCLI(s *stdio) *cli {
	return &cli{
		in: s.in, out: bufio.NewWriter(s.out), unbuffered: s.out, err: s.err, lookup: s.lookup,
		color: flagChoice{"auto", colors}, workspace: workspace.Open(workspace.NewDisk()),
	}
}

// guard turns a panic of f into an exit code, and flushes standard output.
func (c *cli) guard(f func() int) (code int) {
	defer func() {
		if bug := recover(); bug != nil {
			code = c.crash(bug, debug.Stack())
		}
		if err := c.out.Flush(); err != nil {
			c.complain(fmt.Sprintf("standard output cannot be written: %v", err))
			code = max(code, exitUsage)
		}
	}()
	return f()
}

// crash reports a bug of ours.
func (c *cli) crash(bug any, stack []byte) int {
	if b, ok := bug.(*workerBug); ok {
		stack = b.stack
	}
	c.complain(fmt.Sprintf("internal error: %v; this is a bug of gramc %s, please report it with the input at %s",
		bug, version(), issuesURL))
	if debugging, _ := c.lookup("GRAMC_DEBUG"); debugging == "1" {
		fmt.Fprintf(c.err, "%s", stack)
	} else {
		c.note("set GRAMC_DEBUG=1 to see where")
	}
	return exitInternal
}

// end reports why a command ended and returns the exit code.
func (c *cli) end(command string, err error) int {
	var e *exit
	switch {
	case c.out.Flush() != nil: // guard reports it
		return exitUsage
	case err == nil:
		return exitFine
	case !errors.As(err, &e):
		c.complain(strings.TrimSpace(err.Error()))
		if unready := new(runtime.Error); !errors.As(err, &unready) { // such as a missing key, which usage says nothing of
			c.note(fmt.Sprintf("run %q for usage", command+" --help"))
		}
		return exitUsage
	case e.err != nil:
		c.complain(e.err.Error())
	}
	return e.code
}
