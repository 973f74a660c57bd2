package lsp

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/gram-lang/gramc/internal/workspace"
)

// A disk is the files below the roots as they were read last.
type disk struct {
	encoding encoding

	mu      sync.Mutex
	entries map[string]*diskEntry // by path
}

type diskEntry struct {
	document *document
	modified time.Time
	size     int64
}

// An outsideError is the error for a file that the server is not allowed to
// read.
type outsideError struct{}

// Error returns the reason.
func (outsideError) Error() string {
	return "it lies outside of the folders that the editor has opened"
}

// Unwrap makes package workspace report it as information: the author made no
// mistake.
func (outsideError) Unwrap() error { return workspace.ErrNotRead }

func newDisk(e encoding) *disk { return &disk{encoding: e, entries: map[string]*diskEntry{}} }

// read returns a file as it is now. Roots are the folders that it may be in.
func (d *disk) read(path string, roots []root) (*document, error) {
	d.mu.Lock()
	known := d.entries[path]
	d.mu.Unlock()
	if known == nil && isOutside(path, roots) {
		return nil, outsideError{}
	}
	info, err := os.Stat(path)
	if err != nil {
		var failed *fs.PathError
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return nil, err
	}
	if known != nil && known.size == info.Size() && known.modified.Equal(info.ModTime()) {
		return known.document, nil
	}
	if isOutside(path, roots) { // it may be a link by now
		return nil, outsideError{}
	}
	text, err := workspace.ReadFile(path)
	if err != nil {
		return nil, err
	}
	fresh := &diskEntry{newDocument(uriOf(path), text, d.encoding), info.ModTime(), info.Size()}
	if known != nil && known.document.text == text {
		fresh.document = known.document
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.entries[path] = fresh
	return fresh.document, nil
}

// forget makes the next read ignore the time of a file.
func (d *disk) forget(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.entries[path]; known != nil {
		known.size = -1
	}
}

// keep drops the files that are not among those of a listing.
func (d *disk) keep(listed map[string]bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for path := range d.entries {
		if !listed[path] {
			delete(d.entries, path)
		}
	}
}

// isOutside reports whether a path leads out of the roots, also by links. A
// root that is a file is outside.
func isOutside(path string, roots []root) bool {
	real := workspace.Resolve(path)
	for _, r := range roots {
		if workspace.Within(r.path, path) && workspace.Within(r.real, real) && real != r.real {
			return false
		}
	}
	return true
}
