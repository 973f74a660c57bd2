// Command gram-worker serves gram agents whose runs are made on a Temporal server, by any number of
// machines.
//
// The exit codes are those of gramc: 0 for success, 1 for problems in files, 2 for wrong usage, 3 for
// what fails later, 4 for a run that waits for a decision, and 130 for one that was interrupted.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/visible"
)

// The exit codes.
const (
	exitProblems    = 1
	exitUsage       = 2
	exitRun         = 3
	exitWaiting     = 4
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills
	os.Exit(run(ctx, os.Args[1:], &cli{out: os.Stdout, err: os.Stderr, lookup: os.LookupEnv}))
}

// A cli is the state of one command line.
type cli struct {
	out, err io.Writer
	lookup   func(variable string) (string, bool)

	connection
}

// An exit ends a command with a code of its own; any other error of a command is wrong usage. A nil
// err has been reported already.
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

// run executes one command line and returns the exit code.
func run(ctx context.Context, args []string, c *cli) int {
	root := c.rootCommand()
	root.SetArgs(args)
	command, err := root.ExecuteContextC(ctx)
	var e *exit
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		return exitInterrupted
	case !errors.As(err, &e):
		c.complain(err)
		c.note(fmt.Sprintf("run %q for usage", command.CommandPath()+" --help"))
		return exitUsage
	case e.err != nil:
		c.complain(e.err)
	}
	return e.code
}

func (c *cli) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "gram-worker", Short: "Serve gram agents on many machines, with runs that a Temporal server keeps", Version: version(),
		SilenceErrors: true, SilenceUsage: true,
		Args: func(_ *cobra.Command, words []string) error {
			if len(words) > 0 {
				return fmt.Errorf("there is no command %q; gram-worker --help lists them", words[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			_ = cmd.Help()
			return &exit{code: exitUsage}
		},
		Long: `gram-worker does what "gramc serve" does, on as many machines as wanted: runs are on a Temporal
server, each machine makes steps of them, and when one dies, the others go on.`,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.AddCommand(c.serveCommand(), c.startCommand(), c.runsCommand(), c.followCommand(), c.approveCommand(), c.denyCommand(), c.cancelCommand())
	return root
}

// version returns the version that the Go toolchain put into the binary; "devel" when there is none.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || strings.Trim(info.Main.Version, "()") == "" {
		return "devel"
	}
	return strings.TrimPrefix(strings.Trim(info.Main.Version, "()"), "v")
}

// complain writes an error.
func (c *cli) complain(err error) {
	fmt.Fprintf(c.err, "error: %s\n", visible.Text(strings.TrimSpace(err.Error())))
}

// note writes a line to standard error.
func (c *cli) note(text string) { fmt.Fprintln(c.err, visible.Text(text)) }

// theRun requires one run.
func theRun(_ *cobra.Command, words []string) error {
	if len(words) != 1 {
		return fmt.Errorf("name one run; there are %d", len(words))
	}
	return nil
}
