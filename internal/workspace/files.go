package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// FindOptions are how to find gram files. Nil means the zero FindOptions.
type FindOptions struct {
	// Inside reads no ignore file above a folder that is looked through.
	Inside bool
	// Max is how many files are found at most; 0 means all.
	Max int
	// Until is when the search ends, with what it has found; zero means never.
	Until time.Time
}

// FindFiles returns the files of paths: a file whatever its name is, and for a
// folder the gram files in it, in the order of their names. It skips hidden
// files, those in hidden folders and in node_modules, those that .gitignore and
// .gramignore exclude, and links to folders. The errors are the folders that
// could not be read.
func FindFiles(paths []string, o *FindOptions) ([]string, []error) {
	f := &fileFinder{seen: map[string]bool{}}
	if o != nil {
		f.opts = *o
	}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil || !info.IsDir() {
			f.add(p) // reading it reports the error
			continue
		}
		if err := f.folder(p); err != nil {
			f.failed(p, err)
		}
	}
	return f.files, f.errs
}

type fileFinder struct {
	opts  FindOptions
	files []string
	seen  map[string]bool // the files, by their clean names
	errs  []error
}

func (f *fileFinder) failed(name string, err error) {
	f.errs = append(f.errs, fmt.Errorf("%s: %w", name, bareReadError(err)))
}

// add adds a file, once. Standard input, which is "-", can be named twice: the
// reader reports that.
func (f *fileFinder) add(name string) {
	clean := filepath.Clean(name)
	if f.seen[clean] && name != "-" {
		return
	}
	f.seen[clean] = true
	f.files = append(f.files, name)
}

// folder adds the files of a folder that a command line names.
func (f *fileFinder) folder(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	abs = filepath.ToSlash(abs)
	before := len(f.errs)
	var above *ignoring
	if !f.opts.Inside {
		above = ignoringAbove(abs)
	}
	found := f.walk(dir, abs, above, nil)
	if len(found) == 0 && len(f.errs) == before {
		return errors.New("the folder has no gram files")
	}
	slices.Sort(found)
	for _, name := range found {
		f.add(name)
	}
	return nil
}

// walk appends the files below dir, which has the absolute path abs.
func (f *fileFinder) walk(dir, abs string, ignored *ignoring, found []string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		f.failed(dir, err)
	}
	ignored = ignored.below(abs)
	for _, e := range entries {
		name, path := filepath.Join(dir, e.Name()), strings.TrimSuffix(abs, "/")+"/"+e.Name()
		switch {
		case f.opts.Max > 0 && len(f.files)+len(found) >= f.opts.Max, !f.opts.Until.IsZero() && time.Now().After(f.opts.Until):
			return found
		case strings.HasPrefix(e.Name(), "."), ignored.ignores(path, e.IsDir()):
		case e.IsDir() && e.Name() != "node_modules":
			found = f.walk(name, path, ignored, found)
		case strings.HasSuffix(e.Name(), ".gram") && isFile(name, e):
			found = append(found, name)
		}
	}
	return found
}

// isFile reports whether an entry is a regular file or a link to one.
func isFile(name string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
