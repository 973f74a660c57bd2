package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
)

// The exit codes, see the documentation of the command.
const (
	exitFine        = 0
	exitProblems    = 1
	exitUsage       = 2
	exitRun         = 3
	exitWaiting     = 4
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

// interruptible returns a context that ends with Ctrl-C, and when the system or
// the terminal asks us to end. A second signal kills.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), interruptSignals()...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// interruptSignals returns the signals that end a command.
func interruptSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

const issuesURL = "https://github.com/gram-lang/gramc/issues"
