//go:build unix

package builtin

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// nonblock keeps the system from waiting when a pipe is opened.
const nonblock = syscall.O_NONBLOCK

// nameCount returns how many names a file has: hard links.
func nameCount(_ *os.File, info fs.FileInfo) (uint64, error) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, errors.New("the number of its names is unknown")
	}
	return uint64(stat.Nlink), nil
}
