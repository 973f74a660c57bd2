package repotest

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// From v0.0.26 on, go-runewidth computes the width of every character whenever a
// program starts, which takes longer than all that gramc does to check a file.
func TestStartingComputesNoWidths(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`github\.com/mattn/go-runewidth v0\.0\.(\d+)`).FindSubmatch(text)
	if found == nil {
		return // it is not used any more
	}
	if n, err := strconv.Atoi(string(found[1])); err != nil || n >= 26 {
		t.Errorf("go.mod has %s", found[0])
	}
}
