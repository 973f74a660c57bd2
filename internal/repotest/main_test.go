// Package repotest tests the repository as a whole: what its packages import,
// that its documents are true, that its examples run, and that its promises are
// held by tests.
package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// bin is a folder for gramc, which is built once.
var bin string

// TestMain runs the tests in the root of the repository, so that they name files
// as a reader does.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	folder, err := os.MkdirTemp("", "gramc-")
	if err != nil {
		panic(err)
	}
	bin = folder
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// build returns the path of gramc, a static binary.
func build(t *testing.T) string {
	t.Helper()
	file := filepath.Join(bin, "gramc")
	if _, err := os.Stat(file); err == nil {
		return file
	}
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", file, "./cmd/gramc")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}
