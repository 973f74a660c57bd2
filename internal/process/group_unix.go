//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// A group is a process group.
type group struct{ id int }

func (*group) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func (g *group) adopt(cmd *exec.Cmd) error {
	g.id = cmd.Process.Pid
	return nil
}

// An error of a signal means that the group is gone.

func (g *group) interrupt() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }
func (g *group) kill()      { _ = syscall.Kill(-g.id, syscall.SIGKILL) }
func (*group) release()     {}

func shellCommand(line string) *exec.Cmd {
	return &exec.Cmd{Path: "/bin/sh", Args: []string{"/bin/sh", "-c", line}}
}
