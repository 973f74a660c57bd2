//go:build unix

package server

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// onlyOurs refuses what is no file of our own that nobody else can read or write.
func onlyOurs(file string, info fs.FileInfo) error {
	owner, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file", file)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s: other users of this machine can read it; remove it, and another one is made", file)
	case ok && int(owner.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to another user", file)
	}
	return nil
}
