//go:build unix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file for as long as it is open, or returns false because another one has
// it open and locked. The system releases the lock when the process ends.
func lock(f *os.File, exclusive bool) (bool, error) {
	how := syscall.LOCK_SH
	if exclusive {
		how = syscall.LOCK_EX
	}
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		}
		return err == nil, err
	}
}
