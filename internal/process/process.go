package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// How long to wait at the ends of a process. Together they are below two
// seconds.
const (
	gracePeriod = 600 * time.Millisecond // for a process to end by itself, and again after it was asked to
	drainPeriod = 300 * time.Millisecond // for output of grandchildren, once the process has ended
)

// A Command is a program to start.
type Command struct {
	Args  []string // the file of the program, as Find returns it, and its arguments
	Shell string   // instead of Args: a line for the shell of the system
	Dir   string   // the folder to start it in; empty means the current one
	Env   []string // variables beside those of Environment, "NAME=value"
}

// An ExitError is the failure of a program that ended by itself.
type ExitError struct {
	State  string // "exit status 3", "signal: segmentation fault"
	Code   int    // -1 after a signal
	Stderr string // the end of what it wrote there
}

// Error returns the state and the end of stderr.
func (e *ExitError) Error() string {
	text := "ended with " + e.State
	if e.Code >= 0 {
		text = fmt.Sprintf("ended with exit code %d", e.Code)
	}
	if e.Stderr != "" {
		text += ": " + e.Stderr
	}
	return text
}

// A child is a program that runs in a group of its own.
type child struct {
	cmd    *exec.Cmd
	stderr tail

	mu    sync.Mutex
	group group
	over  bool // the group is gone and must not be signalled again
}

// start starts a program. When ctx ends, it is killed with its group. The error
// names the program and the reason.
func (c Command) start(ctx context.Context, stdin io.Reader, stdout io.Writer) (*child, error) {
	cmd := shellCommand(ctx, c.Shell)
	if c.Shell == "" {
		cmd = exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	}
	p := &child{cmd: cmd}
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.Dir, Environment(c.Env), drainPeriod
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, &p.stderr
	cmd.Cancel = func() error {
		p.signal((*group).kill)
		return nil
	}
	p.group.prepare(cmd)
	err := cmd.Start()
	if err == nil {
		if err = p.group.adopt(cmd); err != nil {
			_, _ = cmd.Process.Kill(), cmd.Wait()
		}
	}
	if err != nil {
		p.end()
		return nil, fmt.Errorf("cannot start %s: %w", cmd.Path, err)
	}
	return p, nil
}

// wait waits for the end of the program, gives what it left behind a moment to
// finish its output, at whose end read is closed, and ends that; nil waits for stderr alone.
// The error is nil or an [*ExitError].
func (p *child) wait(read <-chan struct{}) error {
	err := p.cmd.Wait()
	if read != nil && !errors.Is(err, exec.ErrWaitDelay) {
		select {
		case <-read:
		case <-time.After(drainPeriod):
		}
	}
	p.end()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &ExitError{State: exit.String(), Code: exit.ExitCode(), Stderr: p.stderr.String()}
	}
	return nil // another process may still hold a pipe, which is no failure
}

// signal sends a signal to the group, while it is there.
func (p *child) signal(send func(*group)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		send(&p.group)
	}
}

// end kills what is left of the group and lets it go.
func (p *child) end() {
	p.signal(func(g *group) {
		g.kill()
		g.release()
		p.over = true
	})
}

// A Process is a program that runs in a group of its own. The caller of Start
// must read Stdout to its end, close it, and call Close. Its methods may be called
// concurrently.
type Process struct {
	Stdin  io.WriteCloser
	Stdout io.ReadCloser

	child *child
	kill  context.CancelFunc
	done  chan struct{} // closed when everything is over
	err   error         // set before done is closed
}

// Start starts a program. Its error names the program and the reason.
func Start(c Command) (*Process, error) {
	stdin, toStdin, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("a pipe: %w", err)
	}
	fromStdout, stdout, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("a pipe: %w", err), stdin.Close(), toStdin.Close())
	}
	ctx, kill := context.WithCancel(context.Background())
	child, err := c.start(ctx, stdin, stdout)
	_, _ = stdin.Close(), stdout.Close() // the ends of the child; it has its own by now
	if err != nil {
		kill()
		_, _ = toStdin.Close(), fromStdout.Close()
		return nil, err
	}
	p := &Process{Stdin: toStdin, Stdout: fromStdout, child: child, kill: kill, done: make(chan struct{})}
	go func() {
		p.err = child.wait(nil)
		kill()
		_ = toStdin.Close()
		_ = fromStdout.SetReadDeadline(time.Now().Add(drainPeriod)) // a process outside of the group may hold the pipe
		close(p.done)
	}()
	return p, nil
}

// Kill ends the process and its whole group at once. It does not wait.
func (p *Process) Kill() { p.kill() }

// Done is closed when the process and its group are gone.
func (p *Process) Done() <-chan struct{} { return p.done }

// Stderr returns the end of what the process has written to stderr.
func (p *Process) Stderr() string { return p.child.stderr.String() }

// Err returns how the process ended: nil or an [*ExitError]. It may be called
// once Done is closed.
func (p *Process) Err() error { return p.err }

// Close closes Stdin, waits for the process to end, interrupts it, and at last
// kills it with its group. It takes less than two seconds.
func (p *Process) Close() {
	_ = p.Stdin.Close() // closing twice is harmless
	for _, next := range []func(){func() { p.child.signal((*group).interrupt) }, p.kill, func() {}} {
		select {
		case <-p.done:
			return
		case <-time.After(gracePeriod):
			next()
		}
	}
}
