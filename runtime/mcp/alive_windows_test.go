package mcp_test

import (
	"context"

	"golang.org/x/sys/windows"
)

// alive reports whether a process is there.
func alive(pid int) bool {
	p, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(p)
	event, err := windows.WaitForSingleObject(p, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}

func sigterm() context.Context { return context.Background() }
