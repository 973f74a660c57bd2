package builtin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"syscall"
	"unicode"
)

const maxPath = 4096 // bytes

// A folder is the part of the file system that a tool may use. What it refuses
// does not depend on what lies outside of it.
type folder struct {
	root    *os.Root // closed when it is no longer used
	hidden  bool
	private []string
}

func openFolder(o Options) (*folder, error) {
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return nil, fmt.Errorf("the root %q cannot be opened: %w", o.Root, fileErrorCause(err))
	}
	f := &folder{root, o.Hidden, o.Private}
	if f.isWithinPrivate(o.Root) {
		_ = root.Close() // nothing was written through it
		return nil, fmt.Errorf("the root %q is a private folder of gramc", o.Root)
	}
	return f, nil
}

// isWithinPrivate reports whether a path leads to a private folder or into one.
func (f *folder) isWithinPrivate(name string) bool {
	name, err := filepath.EvalSymlinks(name)
	if err == nil {
		name, err = filepath.Abs(name)
	}
	for err == nil {
		if info, err := os.Stat(name); err == nil && f.isPrivate(info) {
			return true
		}
		above := filepath.Dir(name)
		if above == name {
			break
		}
		name = above
	}
	return false
}

// isPrivate reports whether a file is a private folder, by whatever name.
func (f *folder) isPrivate(file fs.FileInfo) bool {
	return file.IsDir() && slices.ContainsFunc(f.private, func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && os.SameFile(info, file)
	})
}

// parts returns the names of which a path consists, none for the folder itself.
// It looks at the path alone.
func (f *folder) parts(name string) ([]string, error) {
	switch {
	case name == "":
		return nil, errors.New(`the path is empty; the folder itself is "."`)
	case len(name) > maxPath:
		return nil, fmt.Errorf("the path has %d bytes; at most %d are allowed", len(name), maxPath)
	case strings.ContainsFunc(name, unicode.IsControl):
		return nil, fmt.Errorf("the path %q has a control character in it", name)
	case strings.HasPrefix(name, "/"), name == "~", strings.HasPrefix(name, "~/"), filepath.VolumeName(name) != "":
		return nil, fileDenied(name, "a path starts in the folder of this tool, as in notes/today.txt")
	case strings.Contains(name, `\`):
		return nil, fileDenied(name, `the separator of folders is /, not \`)
	}
	var parts []string
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "" || part == ".":
			continue
		case part == "..":
			return nil, fileDenied(name, "no path leads upwards with ..")
		case f.hides(part):
			return nil, fileDenied(name, "names that start with a dot are hidden")
		}
		parts = append(parts, part)
	}
	if len(parts) > 0 && !filepath.IsLocal(filepath.FromSlash(path.Join(parts...))) {
		return nil, fileDenied(name, "the system uses this name for something else")
	}
	return parts, nil
}

// hides reports whether a name is out of bounds: one that starts with a dot, also
// after invisible characters that some file systems ignore; on
// Windows also the short names that such names have, and names that lose
// their end when they are used.
func (f *folder) hides(name string) bool {
	if goruntime.GOOS == "windows" {
		short := strings.IndexByte(name, '~')
		if short >= 0 && strings.ContainsAny(name[short:], "0123456789") && !f.hidden || strings.TrimRight(name, ". ") != name {
			return true
		}
	}
	visible := strings.TrimLeftFunc(name, func(r rune) bool { return unicode.Is(unicode.Cf, r) })
	return strings.HasPrefix(visible, ".") && !f.hidden
}

// enter opens the folder that lies at parts, without following a link, and
// makes it if that is wanted. The caller closes it.
func (f *folder) enter(parts []string, create bool) (*os.Root, error) {
	dir, err := f.root.OpenRoot(".")
	for _, part := range parts {
		if err != nil {
			return nil, err
		}
		sub, subErr := f.enterOne(dir, part, create)
		_ = dir.Close() // nothing was written through it
		dir, err = sub, subErr
	}
	return dir, err
}

func (f *folder) enterOne(dir *os.Root, name string, create bool) (*os.Root, error) {
	info, err := dir.Lstat(name)
	if create && errors.Is(err, fs.ErrNotExist) {
		if err = dir.Mkdir(name, 0o777); err == nil || errors.Is(err, fs.ErrExist) {
			info, err = dir.Lstat(name)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errLink
	case !info.IsDir():
		return nil, syscall.ENOTDIR
	case f.isPrivate(info):
		return nil, fs.ErrPermission
	}
	// With the dot, the system opens folders and nothing else: it would wait
	// for ever for the other end of a pipe that has just taken the name.
	sub, err := dir.OpenRoot(name + "/.")
	if err != nil {
		return nil, err
	}
	now, err := sub.Lstat(".")
	if err == nil && !os.SameFile(info, now) {
		err = errChanged
	}
	if err != nil {
		_ = sub.Close()
		return nil, err
	}
	return sub, nil
}

// parent opens the folder in which the last of parts lies, and returns it with
// that name, which is "." for the folder itself.
func (f *folder) parent(parts []string, create bool) (*os.Root, string, error) {
	if len(parts) == 0 {
		dir, err := f.enter(nil, false)
		return dir, ".", err
	}
	last := len(parts) - 1
	dir, err := f.enter(parts[:last], create)
	return dir, parts[last], err
}

// What a file may be instead of a regular file.
var (
	errLink     = errors.New("links are not followed")
	errLinked   = errors.New("the file has another name, which may lie outside of the folder")
	errSpecial  = errors.New("it is neither a file nor a folder")
	errChanged  = errors.New("it was replaced by something else at this moment; try again")
	errIsFolder = errors.New("it is a folder")
)
