package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/gram-lang/gramc/internal/workspace"
)

// recordingOf returns the name of the recording of a test, which lies in the project, as
// what the file of the test imports does.
func (k *tester) recordingOf(t *testCase) (string, error) {
	name := t.near(t.Recording)
	if root := workspace.Resolve(k.workspace.Root(t.file.Name())); !workspace.Within(root, workspace.Resolve(name)) {
		return "", fmt.Errorf("its recording %q lies outside of the project, which is %s", t.Recording, root)
	}
	return name, nil
}

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
