package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A group is a job: it ends with its last handle, so that no process of it
// outlives us.
type group struct{ job windows.Handle }

// prepare keeps a CTRL-C on our console from the process, and keeps the command
// line that the shell needs.
func (*group) prepare(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
}

func (g *group) adopt(cmd *exec.Cmd) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return fmt.Errorf("a job: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(job, cmd.Process.Pid)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return fmt.Errorf("a job: %w", err)
	}
	g.job = job
	return nil
}

func assign(job windows.Handle, pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(job, process)
}

// interrupt does nothing: Windows knows no polite way.
func (*group) interrupt() {}

func (g *group) kill()    { _ = windows.TerminateJobObject(g.job, 1) } // fails without a job
func (g *group) release() { _ = windows.CloseHandle(g.job) }

// shellCommand hands the line to the shell as it is: its rules of quoting are
// not those of other programs.
func shellCommand(ctx context.Context, line string) *exec.Cmd {
	shell := os.Getenv("ComSpec")
	if shell == "" {
		shell = `C:\Windows\System32\cmd.exe`
	}
	cmd := exec.CommandContext(ctx, shell)
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `"` + shell + `" /d /s /c "` + line + `"`}
	return cmd
}
