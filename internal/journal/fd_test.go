package journal

import (
	"errors"
	"io/fs"
	"os"
	"testing"
)

// A closed journal has no file open, also if it could not be opened.
func TestNoFileStaysOpen(t *testing.T) {
	open := func() int {
		files, err := os.ReadDir("/proc/self/fd")
		if errors.Is(err, fs.ErrNotExist) {
			t.Skip("the system does not list open files")
		}
		must(t, err)
		return len(files)
	}
	dir := newFolder(t)
	before := 0
	for i := range 12 {
		if i == 2 { // the system has opened what it needs
			before = open()
		}
		j, err := Open(dir, nil)
		must(t, err)
		_ = begun(t, j, Run{})
		must(t, j.Close())
		if _, err := Open(dir, &Options{Key: []byte("a key for another journal")}); err == nil {
			t.Fatal("a wrong key opens it")
		}
	}
	if after := open(); after > before+3 {
		t.Errorf("%d files are open instead of %d", after, before)
	}
}
