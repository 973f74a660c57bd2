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

// TestMain runs the tests in the root of the repository, so that they name files
// as a reader does.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// build builds gramc, statically, and returns the folder that it is in.
func build(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	cmd := exec.Command("go", "build", "-o", filepath.Join(folder, "gramc"), "./cmd/gramc")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}
