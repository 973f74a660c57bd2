package builtin

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

const maxFile = 1 << 20 // bytes of a file that is read

var readFile = builtinDefinition{
	description: "Reads file content as text",
	input: `{
  "type": "object",
  "properties": {
    "path": { "type": "string", "description": "File path to read" }
  },
  "required": ["path"]
}`,
	output: `{
  "type": "object",
  "properties": {
    "content": { "type": "string" },
    "size": { "type": "integer" }
  }
}`,
	example: `{"content":"text","size":4}`,
	onFiles: (*folder).read, done: "read",
}

var getFileInfo = builtinDefinition{
	description: "Returns name, type, size and time of the last change of a file or directory",
	input: `{
  "type": "object",
  "properties": {
    "path": { "type": "string" }
  },
  "required": ["path"]
}`,
	output: `{
  "type": "object",
  "properties": {
    "name": { "type": "string" },
    "type": { "enum": ["file", "directory"] },
    "size": { "type": "integer" },
    "modified": { "type": "string", "format": "date-time" }
  }
}`,
	example: `{"name":"a.txt","type":"file","size":4,"modified":"2000-01-01T00:00:00Z"}`,
	onFiles: (*folder).info, done: "looked at",
}

func (f *folder) read(ctx context.Context, parts []string, _ arguments) (any, error) {
	dir, base, err := f.parent(parts, false)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	file, info, err := openFile(dir, base, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info.Size() > maxFile {
		return nil, fileTooLarge(info.Size())
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1)) // it may have grown
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxFile:
		return nil, fileTooLarge(int64(len(text)))
	}
	return struct {
		Content string `json:"content"` // what is not UTF-8 becomes U+FFFD
		Size    int    `json:"size"`
	}{string(text), len(text)}, nil
}

func fileTooLarge(size int64) error {
	return fmt.Errorf("it has %d bytes, and at most %d are read", size, maxFile)
}

// openFile opens a regular file that has one name. Neither looking at it nor
// opening it waits for anything.
func openFile(dir *os.Root, name string, flag int) (*os.File, fs.FileInfo, error) {
	before, err := regularFile(dir, name)
	if err != nil {
		return nil, nil, err
	}
	file, err := dir.OpenFile(name, flag|nonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !os.SameFile(before, info) {
		err = errChanged
	}
	if err == nil {
		var n uint64
		if n, err = nameCount(file, info); err == nil && n > 1 {
			err = errLinked
		}
	}
	if err != nil {
		_ = file.Close() // nothing was written
		return nil, nil, err
	}
	return file, info, nil
}

// regularFile returns what is known of a regular file.
func regularFile(dir *os.Root, name string) (fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errIsFolder
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errLink
	case !info.Mode().IsRegular():
		return nil, errSpecial
	}
	return info, nil
}

func (f *folder) info(_ context.Context, parts []string, _ arguments) (any, error) {
	dir, base, err := f.parent(parts, false)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	info, err := dir.Lstat(base)
	switch {
	case err == nil && f.isPrivate(info):
		err = fs.ErrPermission
	case err == nil && !info.IsDir():
		info, err = regularFile(dir, base)
	}
	if err != nil {
		return nil, err
	}
	return struct {
		listEntry
		Modified string `json:"modified"`
	}{entryOf(base, info), info.ModTime().UTC().Format(time.RFC3339)}, nil
}
