package builtin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

const maxEntries = 1000

var listDirectory = builtinDefinition{
	description: "Lists files and directories in a directory",
	input: `{
  "type": "object",
  "properties": {
    "path": { "type": "string" },
    "recursive": { "type": "boolean", "default": false }
  },
  "required": ["path"]
}`,
	output: `{
  "type": "object",
  "properties": {
    "entries": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "name": { "type": "string" },
          "type": { "enum": ["file", "directory"] },
          "size": { "type": "integer" }
        }
      }
    }
  }
}`,
	example: `{"entries":[{"name":"a","type":"directory","size":0},{"name":"a/b.txt","type":"file","size":4}]}`,
	onFiles: (*folder).list, done: "listed",
}

// A listEntry is a file or a folder of a list. Below the folder that is listed,
// its name is a path.
type listEntry struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Size int64  `json:"size"` // of a folder, 0
}

func entryOf(name string, info fs.FileInfo) listEntry {
	if info.IsDir() {
		return listEntry{name, "directory", 0}
	}
	return listEntry{name, "file", info.Size()}
}

func (f *folder) list(ctx context.Context, parts []string, args arguments) (any, error) {
	recursive, _ := args["recursive"].(bool)
	l := lister{folder: f, top: parts, entries: []listEntry{}}
	for pending := []string{"."}; len(pending) > 0; pending = pending[1:] {
		below, err := l.list(ctx, pending[0])
		isGone := errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist)
		if err != nil && !(isGone && pending[0] != ".") { // the folder itself is listed
			return nil, err
		}
		if recursive {
			pending = append(pending, below...)
		}
	}
	slices.SortFunc(l.entries, func(a, b listEntry) int { return strings.Compare(a.Name, b.Name) })
	return struct {
		Entries []listEntry `json:"entries"`
	}{l.entries}, nil
}

// A lister collects what a model may see: the files and folders that the other
// tools would open, without links, devices and what is hidden.
type lister struct {
	folder  *folder
	top     []string
	entries []listEntry
}

// list adds the entries of a folder below the top one, and returns those that
// are folders.
func (l *lister) list(ctx context.Context, below string) (folders []string, err error) {
	parts := slices.Clone(l.top)
	if below != "." {
		parts = append(parts, strings.Split(below, "/")...)
	}
	dir, err := l.folder.enter(parts, false)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	opened, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	const batch = 256
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		names, err := opened.Readdirnames(batch)
		for _, name := range names {
			isFolder, err := l.add(dir, name, path.Join(below, name))
			if err != nil {
				return nil, err
			}
			if isFolder {
				folders = append(folders, path.Join(below, name))
			}
		}
		if errors.Is(err, io.EOF) {
			return folders, nil
		} else if err != nil {
			return nil, err
		}
	}
}

func (l *lister) add(dir *os.Root, name, shown string) (isFolder bool, err error) {
	if l.folder.hides(name) {
		return false, nil
	}
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // it has just gone
		return false, nil
	case err != nil:
		return false, err
	case !info.IsDir() && !info.Mode().IsRegular(), l.folder.isPrivate(info):
		return false, nil
	}
	if len(l.entries) == maxEntries {
		return false, fmt.Errorf("it has more than %d entries; list the folders in it one by one, not recursively", maxEntries)
	}
	l.entries = append(l.entries, entryOf(shown, info))
	return info.IsDir(), nil
}
