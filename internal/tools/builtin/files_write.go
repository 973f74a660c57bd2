package builtin

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"strings"
)

var writeFile = builtinDefinition{
	description: "Writes text content to file",
	input: `{
  "type": "object",
  "properties": {
    "path": { "type": "string" },
    "content": { "type": "string" }
  },
  "required": ["path", "content"]
}`,
	output: `{
  "type": "object",
  "properties": {
    "bytesWritten": { "type": "integer" }
  }
}`,
	example: `{"bytesWritten":4}`,
	changes: true,
	onFiles: (*folder).write, done: "written",
}

// write writes a file beside the one that is meant and renames it then: so
// there is the old content or the new one, and never a write to what the name
// leads to.
func (f *folder) write(ctx context.Context, parts []string, args arguments) (any, error) {
	if len(parts) == 0 || strings.HasSuffix(args.text("path"), "/") {
		return nil, errIsFolder
	}
	dir, base, err := f.parent(parts, true)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	mode, err := writeModeFor(dir, base)
	if err != nil {
		return nil, err
	}
	temporary, content := ".gramc-"+rand.Text(), args.text("content")
	if err = createWrittenFile(dir, temporary, content, mode); err == nil {
		if err = ctx.Err(); err == nil { // a call that is given up changes nothing
			err = dir.Rename(temporary, base)
		}
	}
	if err != nil {
		_ = dir.Remove(temporary) // it may not be there; the failure is reported
		return nil, err
	}
	return struct {
		BytesWritten int `json:"bytesWritten"`
	}{len(content)}, nil
}

// newMode means the mode that the system gives to a new file.
const newMode fs.FileMode = 0

// writeModeFor returns the mode of the file that is replaced, which must be one that
// could be written to, or newMode.
func writeModeFor(dir *os.Root, name string) (fs.FileMode, error) {
	file, info, err := openFile(dir, name, os.O_WRONLY)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newMode, nil
	case err != nil:
		return 0, err
	}
	return info.Mode().Perm(), file.Close()
}

// createWrittenFile writes a file that is not there yet.
func createWrittenFile(dir *os.Root, name, content string, mode fs.FileMode) error {
	file, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	if err == nil && mode != newMode {
		err = file.Chmod(mode)
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}
