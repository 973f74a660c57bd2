package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	fileName   = "journal.db"
	markName   = "journal.mark"
	openLock   = "open.lock"
	ownersName = "owners"
)

// prepareFolder makes the folder of a journal, or makes sure that nobody else can write
// or read what is in it.
func prepareFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder", dir)
	}
	if err := onlyOurs(dir, info); err != nil {
		return err
	}
	for _, name := range []string{fileName, fileName + "-wal", fileName + "-shm", markName} {
		if err := prepareFile(filepath.Join(dir, name), name == fileName); err != nil {
			return err
		}
	}
	return nil
}

// prepareFile makes a file that only its owner can read, or takes the rights of others
// away. It never opens a file that is there: closing it would release the locks
// that SQLite has on it in this process.
func prepareFile(path string, create bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !create:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if errors.Is(err, fs.ErrExist) {
			return nil // another process has just made it
		}
		if err != nil {
			return err
		}
		return f.Close()
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file", path)
	}
	return onlyOurFile(path, info)
}

// isEmptyOrOurs reports whether a folder holds nothing, or a journal.
func isEmptyOrOurs(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, fileName)); err == nil {
		return true
	}
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(1)
	return len(names) == 0
}
