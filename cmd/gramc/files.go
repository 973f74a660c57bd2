package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// gramFiles returns the files that the arguments of a command name: a file is
// meant whatever it is called, and a folder stands for the gram files in it, in
// the order of their names. Not looked for are hidden files, those in hidden
// folders and in node_modules, what .gitignore and .gramignore say, and what is
// behind a link to a folder. The errors say what could not be looked through.
func gramFiles(paths []string) ([]string, []error) {
	f := &finder{seen: map[string]bool{}}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil || !info.IsDir() {
			f.add(p) // reading it will tell
			continue
		}
		if err := f.folder(p); err != nil {
			f.failed(p, err)
		}
	}
	return f.files, f.errs
}

type finder struct {
	files []string
	seen  map[string]bool // the files, by their clean names
	errs  []error
}

func (f *finder) failed(name string, err error) {
	f.errs = append(f.errs, fmt.Errorf("%s: %w", name, bare(err)))
}

// add takes a file, once. Standard input may be named twice, which is told
// where it is read.
func (f *finder) add(name string) {
	clean := filepath.Clean(name)
	if f.seen[clean] && name != stdinName {
		return
	}
	f.seen[clean] = true
	f.files = append(f.files, name)
}

// folder adds the files of a folder that a command line names.
func (f *finder) folder(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	abs = filepath.ToSlash(abs)
	before := len(f.errs)
	found := f.walk(dir, abs, ignoringAbove(abs), nil)
	if len(found) == 0 && len(f.errs) == before {
		return errors.New("there is no gram file in this folder")
	}
	slices.Sort(found)
	for _, name := range found {
		f.add(name)
	}
	return nil
}

// walk appends the files below dir, which has the absolute path abs.
func (f *finder) walk(dir, abs string, ignored *ignoring, found []string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		f.failed(dir, err)
	}
	ignored = ignored.within(abs)
	for _, e := range entries {
		name, path := filepath.Join(dir, e.Name()), strings.TrimSuffix(abs, "/")+"/"+e.Name()
		switch {
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
