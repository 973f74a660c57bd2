package journal

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock locks a file for as long as it is open, or returns false because another one has
// it open and locked. The system releases the lock when the process ends.
func lock(f *os.File, exclusive bool) (bool, error) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	// One byte far behind the end: what is locked cannot be read by others.
	where := &windows.Overlapped{Offset: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, where)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}
