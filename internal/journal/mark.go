package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// A last says what the last commit was. It stands in a small file of its own, the mark, written
// after the commit and never flushed: it may be behind, but never ahead. If it is ahead when
// the journal is opened, commits were lost, as when the write-ahead log was cut off:
// SQLite takes that for a commit that never happened.
type last struct {
	commits int64 // that state counts
	run     int64 // the number of the run that something was appended to after those, 0 for none
	entries int64 // of the run
}

const lastSize = 4 * 8 // bytes

func (l last) sum() uint64 {
	return uint64(place(nil).number(l.commits).number(l.run).number(l.entries).sum())
}

func openMark(path string) (*os.File, last, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, last{}, err
	}
	var data [lastSize]byte
	n, err := f.ReadAt(data[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		_ = f.Close()
		return nil, last{}, err
	}
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8*i:]) }
	l := last{int64(number(0)), int64(number(1)), int64(number(2))}
	if n < len(data) || number(3) != l.sum() {
		l = last{} // it is empty, or damaged itself
	}
	return f, l, nil
}

func (l last) write(f *os.File) {
	data := make([]byte, 0, lastSize)
	for _, n := range []uint64{uint64(l.commits), uint64(l.run), uint64(l.entries), l.sum()} {
		data = binary.LittleEndian.AppendUint64(data, n)
	}
	_, _ = f.WriteAt(data, 0) // a mark that is behind is one that notices less
}

// check returns what is missing from a journal whose state counts so many commits.
func (l last) check(t *tx, commits int64) error {
	if commits < l.commits {
		return &DamageError{What: fmt.Sprintf("its last %d commits are missing", l.commits-commits)}
	}
	if l.run == 0 {
		return nil
	}
	var entries int64
	err := t.row("SELECT entries FROM run WHERE n = ?", []any{l.run}, &entries)
	switch {
	case err == ErrNotFound: // it was deleted; state counts that, as it counts its beginning
		return nil
	case err != nil:
		return err
	case entries < l.entries:
		return &DamageError{What: fmt.Sprintf("its last %d commits are missing", l.entries-entries)}
	}
	return nil
}
