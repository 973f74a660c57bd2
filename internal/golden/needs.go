package golden

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Needs returns the file of a program that a test needs besides Go. With args it
// runs the program first, to see that it works. The test is skipped where the
// program is missing or does not work, and fails there when the environment
// variable GRAMC_NEEDS, a list of names with spaces between, has its name.
func Needs(t testing.TB, program string, args ...string) string {
	t.Helper()
	file, err := exec.LookPath(program)
	if err == nil && len(args) > 0 {
		err = exec.Command(file, args...).Run()
	}
	if err != nil {
		Missing(t, program, err)
	}
	return file
}

// Missing skips a test because of what it lacks of a program, or fails it when
// GRAMC_NEEDS has the name of the program.
func Missing(t testing.TB, program string, err error) {
	t.Helper()
	if slices.Contains(strings.Fields(os.Getenv("GRAMC_NEEDS")), program) {
		t.Fatalf("%s: %v", program, err)
	}
	t.Skipf("%s: %v; with %s in GRAMC_NEEDS this is a failure", program, err, program)
}
