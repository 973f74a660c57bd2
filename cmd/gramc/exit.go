package main

import (
	"errors"
	"fmt"
)

// An exit ends a command with a code of its own; any other error of a command
// is wrong usage. A nil err has been reported already.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// exitSilently ends a command that has reported everything.
func exitSilently(code int) error { return &exit{code: code} }

// silent reports whether an error has been reported already.
func silent(err error) bool {
	var e *exit
	return errors.As(err, &e) && e.err == nil
}
