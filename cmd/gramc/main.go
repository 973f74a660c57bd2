package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/workspace"
)

// The exit codes, see the documentation of the command.
const (
	exitFine        = 0
	exitProblems    = 1
	exitUsage       = 2
	exitRun         = 3
	exitInternal    = 70
	exitInterrupted = 130
)

// How much a command may allocate, in percent of what it holds, before it looks
// for garbage: the first time not before some 128 MiB, which most commands never
// come to.
const (
	firstGarbageRatio = 3200
	garbageRatio      = 100
)

func main() {
	debug.SetGCPercent(firstGarbageRatio)
	type witness struct{ _ [64]byte }
	runtime.AddCleanup(new(witness), func(percent int) { debug.SetGCPercent(percent) }, garbageRatio)
	os.Exit(run(os.Args[1:], &stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr, lookup: os.LookupEnv}))
}

// stdio is the standard streams and the environment of a process.
type stdio struct {
	in       io.Reader
	out, err io.Writer
	lookup   func(variable string) (string, bool)
}

// run executes one command line and returns the exit code.
func run(args []string, s *stdio) (code int) { return newCLI(s).execute(args) }

func (c *cli) execute(args []string) int {
	return c.guard(func() int {
		root := c.rootCommand()
		root.SetArgs(args)
		command, err := root.ExecuteC()
		return c.end(command.CommandPath(), err)
	})
}

// interruptible returns a context that ends with Ctrl-C, and when the system or
// the terminal asks us to end. A second signal kills.
func interruptible() (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
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

	providerFiles []string // the flag --providers
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

const issuesURL = "https://github.com/gram-lang/gramc/issues"

// An exit ends a command with a code of its own; any other error of a command
// is wrong usage. A nil err has been reported already.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// exitSilently ends a command that has reported everything.
func exitSilently(code int) error { return &exit{code: code} }

// silent reports whether an error has been reported already.
func silent(err error) bool {
	var e *exit
	return errors.As(err, &e) && e.err == nil
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
		c.note(fmt.Sprintf("run %q for usage", command+" --help"))
		return exitUsage
	case e.err != nil:
		c.complain(e.err.Error())
	}
	return e.code
}
