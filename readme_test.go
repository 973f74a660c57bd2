package gramc_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTheReadmeShowsTheExample compares the Go code of the README with the body
// of Example, which runs.
func TestTheReadmeShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)
	if shown == nil {
		t.Fatal("the README has no Go code")
	}
	_, body, _ := strings.Cut(string(example), "func Example() {\n")
	body, _, _ = strings.Cut(body, "\t// Output:")
	body = strings.TrimPrefix(strings.ReplaceAll("\n"+body, "\n\t", "\n"), "\n")
	if body != string(shown[1]) {
		t.Errorf("the README shows\n%s\nand the example is\n%s", shown[1], body)
	}
}
