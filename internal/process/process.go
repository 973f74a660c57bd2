package process

import (
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

// A Process is a program that runs in a group of its own. The caller of Start
// must read Stdout to its end and call Close. Its methods may be called
// concurrently.
type Process struct {
	Stdin  io.WriteCloser
	Stdout io.Reader

	cmd    *exec.Cmd
	out    *output
	stderr tail

	mu     sync.Mutex
	group  group
	over   bool          // the group is gone and must not be signalled again
	killed chan struct{} // closed by the first Kill

	done chan struct{} // closed when everything is over
	err  error         // set before done is closed
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

// Start starts a program. Its error names the program and the reason.
func Start(c Command) (*Process, error) {
	cmd := shellCommand(c.Shell)
	if c.Shell == "" {
		cmd = &exec.Cmd{Path: c.Args[0], Args: c.Args}
	}
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.Dir, Environment(c.Env), drainPeriod
	stdin, toStdin, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("a pipe: %w", err)
	}
	fromStdout, stdout, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("a pipe: %w", err), stdin.Close(), toStdin.Close())
	}
	p := &Process{
		Stdin: toStdin, cmd: cmd, out: &output{file: fromStdout, end: make(chan struct{})},
		killed: make(chan struct{}), done: make(chan struct{}),
	}
	p.Stdout = p.out
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, &p.stderr
	p.group.prepare(cmd)
	err = cmd.Start()
	_, _ = stdin.Close(), stdout.Close() // the ends of the child; it has its own by now
	if err == nil {
		err = p.group.adopt(cmd)
		if err != nil {
			_, _ = cmd.Process.Kill(), cmd.Wait()
		}
	}
	if err != nil {
		_, _ = toStdin.Close(), fromStdout.Close()
		return nil, fmt.Errorf("cannot start %s: %w", cmd.Path, err)
	}
	go p.wait()
	return p, nil
}

// wait waits for the process, gives what it left behind a moment to finish its
// output, and ends that.
func (p *Process) wait() {
	err := p.cmd.Wait()
	select {
	case <-p.out.end:
	case <-p.killed:
	case <-time.After(drainPeriod):
	}
	p.mu.Lock()
	p.group.kill()
	p.group.release()
	p.over = true
	p.mu.Unlock()
	select {
	case <-p.out.end:
	case <-time.After(drainPeriod): // a process outside of the group still holds the pipe
	}
	_, _ = p.Stdin.Close(), p.out.file.Close()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		err = &ExitError{State: exit.String(), Code: exit.ExitCode(), Stderr: p.stderr.String()}
	case errors.Is(err, exec.ErrWaitDelay): // another process still holds stderr
		err = nil
	}
	p.err = err
	close(p.done)
}

// Kill ends the process and its whole group at once. It does not wait.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.group.kill()
	select {
	case <-p.killed:
	default:
		close(p.killed)
	}
}

// interrupt requests the end of the group.
func (p *Process) interrupt() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		p.group.interrupt()
	}
}

// Done is closed when the process and its group are gone.
func (p *Process) Done() <-chan struct{} { return p.done }

// Stderr returns the end of what the process has written to stderr.
func (p *Process) Stderr() string { return p.stderr.String() }

// Err returns how the process ended: nil or an [*ExitError]. It may be called
// once Done is closed.
func (p *Process) Err() error { return p.err }

// Close closes Stdin, waits for the process to end, interrupts it, and at last
// kills it with its group. It takes less than two seconds.
func (p *Process) Close() {
	_ = p.Stdin.Close() // closing twice is harmless
	for _, next := range []func(){p.interrupt, p.Kill} {
		if p.ended(gracePeriod) {
			return
		}
		next()
	}
	p.ended(gracePeriod)
}

// ended waits for the end of the process, but not for long.
func (p *Process) ended(limit time.Duration) bool {
	select {
	case <-p.done:
		return true
	case <-time.After(limit):
		return false
	}
}

// An output is a pipe that knows when it has been read to its end.
type output struct {
	file *os.File
	once sync.Once
	end  chan struct{}
}

func (o *output) Read(p []byte) (int, error) {
	n, err := o.file.Read(p)
	if err != nil {
		o.once.Do(func() { close(o.end) })
		if errors.Is(err, os.ErrClosed) {
			err = io.EOF
		}
	}
	return n, err
}
