//go:build unix

package mcp_test

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"strconv"
	"syscall"
)

// alive reports whether a process is there and is more than a zombie.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return err != nil || !bytes.HasPrefix(state, []byte("Z"))
}

func sigterm() context.Context {
	ctx, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	return ctx
}
