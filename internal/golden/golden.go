// Package golden serves the tests of this module: files whose expected output
// is kept beside them, and the conformance material that lies outside the
// repository.
package golden

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files; the tests that do so fail")

// Updating reports whether the test runs with -update.
func Updating() bool { return *update }

// Root returns the folder of the repository.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}

// Inputs returns the gram files of testdata/golden.
func Inputs(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Root(t), "testdata", "golden", "*.gram"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden inputs: %v", err)
	}
	return files
}

// Read returns the text of a file.
func Read(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Compare compares got with the file beside input that has the suffix instead
// of .gram, as [CompareFile] does.
func Compare(t testing.TB, input, suffix string, got []byte) {
	t.Helper()
	CompareFile(t, input[:len(input)-len(".gram")]+suffix, got)
}

// CompareFile compares got with a file. A missing file means empty. With -update
// the file is rewritten, and the test fails, so that no one takes it for a
// passed one.
func CompareFile(t testing.TB, file string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if bytes.Equal(want, got) {
		return
	}
	if !*update {
		t.Errorf("%s differs (-want +got); -update rewrites it:\n%s", filepath.Base(file), cmp.Diff(string(want), string(got)))
		return
	}
	if len(got) == 0 {
		err = os.Remove(file)
	} else {
		err = os.WriteFile(file, got, 0o644)
	}
	t.Errorf("%s rewritten (%v)", filepath.Base(file), err)
}

// Shared returns the path of a file of the conformance material: below the
// folder that GRAMC_SHARED names, else below ../shared of the repository. It
// skips the test where there is none.
func Shared(t testing.TB, elem ...string) string {
	t.Helper()
	dir := os.Getenv("GRAMC_SHARED")
	if dir == "" {
		dir = filepath.Join(filepath.Dir(Root(t)), "shared")
	}
	file := filepath.Join(append([]string{dir}, elem...)...)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("the conformance material is not here: %v", err)
	}
	return file
}

// Lines decodes each line of a JSON Lines file of the conformance material.
func Lines[T any](t testing.TB, elem ...string) []T {
	t.Helper()
	scanner := bufio.NewScanner(bytes.NewReader([]byte(Read(t, Shared(t, elem...)))))
	scanner.Buffer(nil, 16<<20)
	var rows []T
	for scanner.Scan() {
		var row T
		if err := json.Unmarshal(scanner.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", filepath.Join(elem...), err)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		t.Fatalf("%s is empty", filepath.Join(elem...))
	}
	return rows
}
