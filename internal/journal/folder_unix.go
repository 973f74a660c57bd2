//go:build unix

package journal

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// onlyOurs refuses a folder that belongs to somebody else or that others can write, and
// closes one that others can read.
func onlyOurs(dir string, info fs.FileInfo) error {
	if err := ownedByUs(dir, info); err != nil {
		return err
	}
	mode := info.Mode().Perm()
	switch {
	case mode&0o022 != 0:
		return fmt.Errorf("other users can write to the folder %s (mode %04o); make it your own with chmod 700, or use another folder", dir, mode)
	case mode&0o077 == 0:
		return nil
	case !isEmptyOrOurs(dir):
		return fmt.Errorf("other users can read the folder %s (mode %04o), which has other files in it; use a folder of its own for what gramc keeps", dir, mode)
	}
	return os.Chmod(dir, 0o700)
}

func onlyOurFile(path string, info fs.FileInfo) error {
	if err := ownedByUs(path, info); err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return os.Chmod(path, 0o600)
}

func ownedByUs(path string, info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to another user", path)
	}
	return nil
}
