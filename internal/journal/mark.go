package journal

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// The mark is the number of the last commit, in a small file of its own, written after
// the commit and never flushed: it may be behind, but never ahead. If it is ahead when
// the journal is opened, commits were lost, as when the write-ahead log was
// cut off: SQLite takes that for a commit that never happened.

func openMark(path string) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, 0, err
	}
	var data [16]byte
	n, err := f.ReadAt(data[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		_ = f.Close()
		return nil, 0, err
	}
	commits := int64(binary.LittleEndian.Uint64(data[:8]))
	if n < len(data) || int64(binary.LittleEndian.Uint64(data[8:])) != place(nil).number(commits).sum() {
		commits = 0 // it is empty, or damaged itself
	}
	return f, commits, nil
}

func writeMark(f *os.File, commits int64) {
	data := binary.LittleEndian.AppendUint64(nil, uint64(commits))
	data = binary.LittleEndian.AppendUint64(data, uint64(place(nil).number(commits).sum()))
	_, _ = f.WriteAt(data, 0) // a mark that is behind is one that notices less
}
