//go:build unix

package process

import (
	"context"
	"os"
	"os/exec"
	"syscall"
)

// A group is a process group. Its leader is a guard that outlives us.
type group struct {
	id    int
	guard *exec.Cmd // nil where there is no shell
	life  *os.File  // the end of a pipe; its other end is the stdin of the guard
}

// guardScript waits for the end of its stdin, which comes when we are gone,
// however we ended, and kills its group. It outlives what asks the group to end.
const guardScript = `trap "" HUP INT TERM; read -r line; kill -KILL 0`

func (g *group) prepare(cmd *exec.Cmd) {
	g.startGuard()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.id}
}

// startGuard makes a group of a guard. Where that fails, as in a container without a
// shell, the program gets a group of its own and may outlive us when we are killed.
func (g *group) startGuard() {
	stdin, life, err := os.Pipe()
	if err != nil {
		return
	}
	defer stdin.Close()
	guard := &exec.Cmd{
		Path: "/bin/sh", Args: []string{"sh", "-c", guardScript}, Dir: "/", Env: []string{}, Stdin: stdin,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	if guard.Start() != nil {
		_ = life.Close()
		return
	}
	g.id, g.guard, g.life = guard.Process.Pid, guard, life
}

func (g *group) adopt(cmd *exec.Cmd) error {
	if g.guard == nil {
		g.id = cmd.Process.Pid
	}
	return nil
}

// An error of a signal means that the group is gone.

func (g *group) interrupt() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }

func (g *group) kill() {
	if g.id != 0 { // a program that did not start
		_ = syscall.Kill(-g.id, syscall.SIGKILL)
	}
}

func (g *group) release() {
	if g.guard != nil {
		_, _ = g.life.Close(), g.guard.Wait()
	}
}

func shellCommand(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "/bin/sh", "-c", line)
}
