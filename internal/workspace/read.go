package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/gram-lang/gramc/grammar"
)

// A TooLarge is the error for more bytes than a gram file can have.
type TooLarge struct{ Size int64 } // 0 if unknown

// Error returns the size and the limit.
func (e *TooLarge) Error() string {
	if e.Size == 0 {
		return fmt.Sprintf("more than the %d bytes that are read at most", grammar.MaxSize)
	}
	return fmt.Sprintf("a file of %d bytes; at most %d are read", e.Size, grammar.MaxSize)
}

// A NotRegular is the error for something that can block or never end, such as
// a pipe.
type NotRegular struct{ kind string }

// Error returns what it is.
func (e *NotRegular) Error() string {
	return fmt.Sprintf("is %s, and only regular files are read", e.kind)
}

// ReadFile returns the whole text of a regular file of at most grammar.MaxSize
// bytes. The errors do not repeat its name.
func ReadFile(name string) (string, error) {
	text, err := readFile(name)
	if err != nil {
		return "", bare(err)
	}
	return text, nil
}

func readFile(name string) (string, error) {
	if info, err := os.Stat(name); err != nil {
		return "", err
	} else if err := mustBeRegular(info); err != nil { // before open, which may do something to a device
		return "", err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		err = mustBeRegular(info) // it may be another file by now
	}
	if err != nil {
		return "", err
	}
	return ReadAll(f, info.Size())
}

func mustBeRegular(info fs.FileInfo) error {
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

// ReadAll reads up to grammar.MaxSize bytes, of which it expects size.
func ReadAll(r io.Reader, size int64) (string, error) {
	if size > grammar.MaxSize {
		return "", &TooLarge{size}
	}
	var b strings.Builder
	b.Grow(int(size))
	n, err := io.Copy(&b, io.LimitReader(r, grammar.MaxSize+1))
	if err == nil && n > grammar.MaxSize {
		err = &TooLarge{}
	}
	return b.String(), err
}

// bare returns an error without the path and the operation, which the reader
// knows.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
