package journal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// An owner is one opened journal, named in the runs that it has claimed. It lives as
// long as somebody has its file locked.
type owner struct {
	id   string
	file *os.File
}

// newOwner makes and locks the file of a new owner.
func newOwner(dir string) (*owner, error) {
	dir = filepath.Join(dir, ownersName)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for range 100 {
		o := &owner{id: strings.ToLower(rand.Text()[:16])}
		path := filepath.Join(dir, o.id)
		var err error
		if o.file, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err != nil {
			return nil, err
		}
		locked, err := lock(o.file, true)
		if err == nil && locked && isAt(o.file, path) {
			_, err = fmt.Fprintln(o.file, os.Getpid())
			if err == nil {
				return o, nil
			}
		}
		_ = os.Remove(path)
		_ = o.file.Close()
		if err != nil {
			return nil, err
		}
		// Somebody who cleared up has taken the file for one left behind.
	}
	return nil, errors.New("no file for the owner of the runs can be locked")
}

func isAt(f *os.File, path string) bool {
	there, err := os.Lstat(path)
	if err != nil {
		return false
	}
	ours, err := f.Stat()
	return err == nil && os.SameFile(ours, there)
}

func (o *owner) close() error {
	if o == nil {
		return nil
	}
	err := o.file.Close()
	_ = os.Remove(o.file.Name()) // else it goes when somebody clears up
	return err
}

// alive reports whether an owner lives, and its process, 0 if that is not known.
func alive(dir, id string) (bool, int, error) {
	f, err := os.Open(filepath.Join(dir, ownersName, filepath.Base(id)))
	if errors.Is(err, fs.ErrNotExist) {
		return false, 0, nil
	}
	if err != nil {
		return false, 0, err
	}
	defer f.Close() // releases the lock
	free, err := lock(f, false)
	if err != nil || free {
		return false, 0, err
	}
	text, _ := io.ReadAll(io.LimitReader(f, 32))
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return true, pid, nil
}

// HeldBy reports whether a process runs something in the journal of a folder, which may be
// damaged, and which process; 0 if that is not known.
func HeldBy(dir string) (isHeld bool, process int, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, ownersName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, 0, nil
	}
	for _, entry := range entries {
		isHeld, process, err := alive(dir, entry.Name())
		if err != nil || isHeld {
			return isHeld, process, err
		}
	}
	return false, 0, err
}

// clearOwners removes the files of owners that live no more. What it cannot remove
// stays.
func clearOwners(dir string) {
	dir = filepath.Join(dir, ownersName)
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		f, err := os.Open(filepath.Join(dir, entry.Name()))
		if err != nil {
			continue
		}
		if free, err := lock(f, false); err == nil && free {
			_ = os.Remove(f.Name())
		}
		_ = f.Close()
	}
}

// lockFile waits until it has locked the file of that path, which it makes.
func lockFile(ctx context.Context, path string, most time.Duration) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for {
		locked, err := lock(f, true)
		if err == nil && locked {
			return f, nil
		}
		select {
		case <-ctx.Done():
			err = fmt.Errorf("%s is locked by another process: %w", path, ctx.Err())
		case <-time.After(2 * time.Millisecond):
		}
		if err != nil {
			_ = f.Close()
			return nil, err
		}
	}
}
