package builtin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// fileDenied returns the error of a refusal.
func fileDenied(name, reason string) error {
	return fmt.Errorf("Permission denied: %s (%s)", name, reason)
}

// fileError returns the error that a model gets for a failure with a file. The first
// two texts are those that programs know.
func fileError(verb, name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("File not found: %s", name)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("Permission denied: %s", name)
	case errors.Is(err, errLink), errors.Is(err, errLinked), errors.Is(err, errSpecial):
		return fileDenied(name, err.Error())
	}
	return fmt.Errorf("%s cannot be %s: %w", name, verb, fileErrorCause(err))
}

// fileErrorCause returns an error without the operation and the path in it, which names
// paths outside of the folder.
func fileErrorCause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
