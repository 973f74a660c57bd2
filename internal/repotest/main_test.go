// Package repotest tests the repository as a whole: what its packages import,
// that its documents are true, that its examples run, and that its promises are
// held by tests.
package repotest

import (
	"os"
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
