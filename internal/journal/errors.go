package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Why a journal refuses something. It has written nothing then, and stays usable.
var (
	ErrNotFound   = errors.New("the journal has no such run or session")
	ErrExists     = errors.New("the name is taken")
	ErrHeld       = errors.New("another process is running it")
	ErrFenced     = errors.New("another process has taken over the run")
	ErrEnded      = errors.New("the run has ended")
	ErrIncomplete = errors.New("a part of the run was lost, so it cannot go on")
	ErrMoved      = errors.New("the session went on elsewhere")
	ErrDecided    = errors.New("it was decided before")
	ErrNotWaiting = errors.New("the run waits for no decision")
	ErrInUse      = errors.New("another conversation goes on from it")
	ErrClosed     = errors.New("the journal is closed")
)

// Why a journal cannot be opened.
var (
	ErrNewer        = errors.New("the journal was written by a newer version of gramc")
	ErrNotJournal   = errors.New("the file is no journal of gramc")
	ErrKeyNeeded    = errors.New("the journal is encrypted, and no key is given")
	ErrWrongKey     = errors.New("the journal was encrypted with another key")
	ErrNotEncrypted = errors.New("the journal is not encrypted, but a key is given; use another folder for an encrypted one")
)

// A DamageError says that the file of a journal is not what was written to it.
type DamageError struct {
	What string // what was found, one line
	Err  error  // of SQLite; may be nil
}

func (e *DamageError) Error() string {
	if e.Err == nil {
		return "the journal is damaged: " + e.What
	}
	return fmt.Sprintf("the journal is damaged: %s: %v", e.What, e.Err)
}

func (e *DamageError) Unwrap() error { return e.Err }

// A storeError is an error of the file, as opposed to a refusal.
type storeError struct{ err error }

func (e *storeError) Error() string { return "the journal cannot be used: " + e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }

// scanned returns the error of reading a row as callers get it: what has another type than
// was written is damage.
func scanned(err error) error {
	var own *sqlite.Error
	switch {
	case err == nil, errors.As(err, &own), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return stored(err)
	case errors.Is(err, sql.ErrNoRows):
		return ErrNotFound
	}
	return &DamageError{"a row cannot be read", err}
}

// stored returns the error of a statement as callers get it.
func stored(err error) error {
	var known *storeError
	var damage *DamageError
	if err == nil || errors.Is(err, ErrNotFound) || errors.As(err, &known) || errors.As(err, &damage) {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var own *sqlite.Error
	if errors.As(err, &own) {
		switch own.Code() & 0xff {
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT:
			return &DamageError{"its structure is broken", err}
		case sqlite3.SQLITE_FULL:
			err = fmt.Errorf("the disk is full: %w", err)
		case sqlite3.SQLITE_READONLY:
			err = fmt.Errorf("it is read-only: %w", err)
		case sqlite3.SQLITE_BUSY:
			err = fmt.Errorf("another process has been writing for %v: %w", busyTimeout, err)
		}
		if own.Code() == sqlite3.SQLITE_IOERR_SHORT_READ {
			return &DamageError{"its end is missing", err}
		}
	}
	return &storeError{err}
}
