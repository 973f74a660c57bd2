package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/gram-lang/gramc/grammar"
)

// A NotRegular is the error for something that can block or never end, such as
// a pipe.
type NotRegular struct{ kind string }

// Error returns what it is.
func (e *NotRegular) Error() string {
	return fmt.Sprintf("is %s, and only regular files are read", e.kind)
}

// ReadFile returns the text of a regular file, as ReadAll does. The errors do not
// repeat its name.
func ReadFile(name string) (string, error) {
	text, err := readFile(name)
	if err != nil {
		return "", bareReadError(err)
	}
	return text, nil
}

func readFile(name string) (string, error) {
	if info, err := os.Stat(name); err != nil {
		return "", err
	} else if err := readsRegular(info); err != nil { // before open, which may do something to a device
		return "", err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		err = readsRegular(info) // it may be another file by now
	}
	if err != nil {
		return "", err
	}
	return ReadAll(f, info.Size())
}

func readsRegular(info fs.FileInfo) error {
	kind := "a special file"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return errors.New("is a directory; name the files in it")
	case mode&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return &NotRegular{kind}
}

// ReadAll reads a text of which it expects size bytes. Of a text that is larger
// than a gram file can be, it returns only so much that the parser notices it.
func ReadAll(r io.Reader, size int64) (string, error) {
	const most = grammar.MaxSize + 1
	b := bytes.NewBuffer(make([]byte, 0, min(size, most)+bytes.MinRead)) // io.Copy takes a buffer of 32 KiB
	_, err := b.ReadFrom(io.LimitReader(r, most))
	return b.String(), err
}

// bareReadError returns an error without the path and the operation, which the reader
// knows.
func bareReadError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
