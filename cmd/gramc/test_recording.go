package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// refuseOtherFile refuses to write a recording in the place of a file that is none.
func refuseOtherFile(name string) error {
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	file, err := openRegular(name)
	if err != nil {
		return unusableInput(name, err)
	}
	defer file.Close()
	begin := []byte(`{"gramc_recording":`)
	text, err := io.ReadAll(io.LimitReader(file, int64(len(begin))))
	if err != nil {
		return unusableInput(name, err)
	}
	if len(text) > 0 && !bytes.Equal(text, begin) {
		return unusableInput(name, errors.New("this is no recording, so --update does not replace it; name another file, or delete it"))
	}
	return nil
}
