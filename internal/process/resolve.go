package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Resolve returns the command with the file of its program and the absolute
// path of its folder, which are relative to base. An empty Dir means base.
func (c Command) Resolve(base string) (Command, error) {
	if c.Dir == "" {
		c.Dir = base
	} else {
		dir, err := resolveWithin(base, c.Dir)
		if err != nil {
			return Command{}, err
		}
		c.Dir = dir
	}
	if c.Shell != "" {
		return c, nil
	}
	program, err := Find(c.Args[0], base)
	c.Args = append([]string{program}, c.Args[1:]...)
	return c, err
}

// Find returns the file of a program. One with a slash in its name is relative
// to the folder base, any other is looked for in PATH and never in the current
// folder.
func Find(program, base string) (string, error) {
	file, isPath := program, strings.ContainsAny(program, "/"+string(filepath.Separator))
	if isPath {
		var err error
		if file, err = resolveWithin(base, program); err != nil {
			return "", fmt.Errorf("the program %q: %w", program, err)
		}
	}
	found, err := exec.LookPath(file)
	switch {
	case err == nil:
		return found, nil
	case !isPath:
		return "", fmt.Errorf("the program %q is not in the folders of PATH", program)
	}
	info, missing := os.Stat(file)
	switch {
	case missing != nil:
		return "", fmt.Errorf("the program %q is not there: no file %s", program, file)
	case info.IsDir():
		return "", fmt.Errorf("the program %q is a folder", program)
	}
	return "", fmt.Errorf("the program %q may not be executed", program)
}

// resolveWithin returns the absolute path of a file or folder that is named relative
// to base, or absolutely.
func resolveWithin(base, path string) (string, error) {
	switch {
	case filepath.IsAbs(path):
		return path, nil
	case base == "":
		return "", fmt.Errorf("the path %q is relative, and it is not known to what", path)
	}
	return filepath.Abs(filepath.Join(base, path))
}
