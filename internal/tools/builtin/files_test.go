package builtin_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/tools/builtin"
	"github.com/gram-lang/gramc/runtime"
)

func TestReadFile(t *testing.T) {
	root := tree(t, map[string]string{
		"notes/today.txt": "buy <milk> & bread\n",
		"empty":           "",
		"latin1":          "caf\xe9\x00",
		"exact":           strings.Repeat("x", 1<<20),
		"over":            strings.Repeat("x", 1<<20+1),
		"grün.txt":        "ü",
		".env":            "KEY=1",
	})
	for path, want := range map[string]string{
		"notes/today.txt":     `{"content":"buy <milk> & bread\n","size":19}`,
		"./notes//today.txt/": `{"content":"buy <milk> & bread\n","size":19}`,
		"empty":               `{"content":"","size":0}`,
		"latin1":              `{"content":"caf\ufffd\u0000","size":5}`,
		"grün.txt":            `{"content":"ü","size":2}`,
		"exact":               `{"content":"` + strings.Repeat("x", 1<<20) + `","size":1048576}`,
		"over":                "over cannot be read: it has 1048577 bytes, and at most 1048576 are read",
		"none.txt":            "File not found: none.txt",
		"none/none.txt":       "File not found: none/none.txt",
		"notes":               "notes cannot be read: it is a folder",
		".":                   ". cannot be read: it is a folder",
		"empty/x":             "empty/x cannot be read: not a directory",
		".env":                "Permission denied: .env (names that start with a dot are hidden)",
	} {
		got, err := call(t, "read_file", builtin.Options{Root: root}, at(path))
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %.200s, want %.200s", path, got, want)
		}
	}
	if got, err := call(t, "read_file", builtin.Options{Root: root, Hidden: true}, at(".env")); got != `{"content":"KEY=1","size":5}` {
		t.Errorf("what is hidden, if that is wanted: %s, %v", got, err)
	}
}

func TestWriteFile(t *testing.T) {
	root := tree(t, map[string]string{"old.txt": "old", "folder/": "", ".git/": ""})
	o := builtin.Options{Root: root}
	for path, want := range map[string]string{
		"new.txt":           `{"bytesWritten":5}`,
		"old.txt":           `{"bytesWritten":5}`,
		"drafts/2000/a.txt": `{"bytesWritten":5}`,
		"folder":            "folder cannot be written: it is a folder",
		"folder/":           "folder/ cannot be written: it is a folder",
		"name/":             "name/ cannot be written: it is a folder",
		".":                 ". cannot be written: it is a folder",
		"old.txt/x":         "old.txt/x cannot be written: not a directory",
		".env":              "Permission denied: .env (names that start with a dot are hidden)",
		".git/config":       "Permission denied: .git/config (names that start with a dot are hidden)",
		"~/x":               "Permission denied: ~/x (a path starts in the folder of this tool, as in notes/today.txt)",
	} {
		got, err := call(t, "write_file", o, map[string]any{"path": path, "content": "12345"})
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
		if strings.HasPrefix(want, "{") && text(t, root, path) != "12345" {
			t.Errorf("%s holds %q", path, text(t, root, path))
		}
	}
	onlyThose(t, root, "new.txt", "old.txt", "drafts", "folder", ".git")
	onlyThose(t, filepath.Join(root, ".git"))

	o.Hidden = true
	if _, err := call(t, "write_file", o, map[string]any{"path": ".env", "content": "A=1"}); err != nil || text(t, root, ".env") != "A=1" {
		t.Errorf("what is hidden, if that is wanted: %v", err)
	}
}

// onlyThose checks that a folder holds nothing else, such as temporary files.
func onlyThose(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(names) {
		t.Errorf("%s holds %v, %v; want %v", dir, entries, err, names)
	}
}

func TestListDirectory(t *testing.T) {
	root := tree(t, map[string]string{"b.txt": "12", "a/x/deep.txt": "123", "a/y.txt": "", ".env": "KEY", "a/.git/config": "", "empty/": ""})
	tests := []struct {
		path      string
		recursive any
		hidden    bool
		want      string
	}{
		{".", nil, false, `[{"name":"a","type":"directory","size":0},{"name":"b.txt","type":"file","size":2},{"name":"empty","type":"directory","size":0}]`},
		{"a", false, false, `[{"name":"x","type":"directory","size":0},{"name":"y.txt","type":"file","size":0}]`},
		{"./a/", true, false, `[{"name":"x","type":"directory","size":0},{"name":"x/deep.txt","type":"file","size":3},{"name":"y.txt","type":"file","size":0}]`},
		{"a", false, true, `[{"name":".git","type":"directory","size":0},{"name":"x","type":"directory","size":0},{"name":"y.txt","type":"file","size":0}]`},
		{"empty", true, false, `[]`},
		{"none", true, false, `File not found: none`},
		{"b.txt", true, false, `b.txt cannot be listed: not a directory`},
		{"a/.git", true, false, `Permission denied: a/.git (names that start with a dot are hidden)`},
	}
	for _, tt := range tests {
		args := at(tt.path)
		if tt.recursive != nil {
			args["recursive"] = tt.recursive
		}
		got, err := call(t, "list_directory", builtin.Options{Root: root, Hidden: tt.hidden}, args)
		got = strings.TrimSuffix(strings.TrimPrefix(got, `{"entries":`), "}")
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%+v:\n got %s\nwant %s", tt, got, tt.want)
		}
	}
}

func TestALongListIsRefused(t *testing.T) {
	files := map[string]string{}
	for i := range 600 {
		files[fmt.Sprintf("a/%d", i)] = ""
		files[fmt.Sprintf("b/%d", i)] = ""
	}
	o := builtin.Options{Root: tree(t, files)}
	got, err := call(t, "list_directory", o, map[string]any{"path": ".", "recursive": true})
	if want := ". cannot be listed: it has more than 1000 entries; list the folders in it one by one, not recursively"; err == nil || err.Error() != want {
		t.Errorf("got %.100s, %v; want %q", got, err, want)
	}
	if got, err := call(t, "list_directory", o, at("a")); strings.Count(got, "name") != 600 {
		t.Errorf("one folder: %.100s, %v", got, err)
	}
}

func TestGetFileInfo(t *testing.T) {
	root := tree(t, map[string]string{"a/b.txt": "12"})
	day := time.Date(2000, 1, 1, 1, 0, 0, 0, time.FixedZone("", 3600))
	for _, name := range []string{"a/b.txt", "a", "."} {
		if err := os.Chtimes(filepath.Join(root, name), day, day); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"a/b.txt": `{"name":"b.txt","type":"file","size":2,"modified":"2000-01-01T00:00:00Z"}`,
		"./a/":    `{"name":"a","type":"directory","size":0,"modified":"2000-01-01T00:00:00Z"}`,
		".":       `{"name":".","type":"directory","size":0,"modified":"2000-01-01T00:00:00Z"}`,
		"c":       `File not found: c`,
		"../a":    `Permission denied: ../a (no path leads upwards with ..)`,
	} {
		got, err := call(t, "get_file_info", builtin.Options{Root: root}, at(path))
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

// A call that was given up must not change anything later.
func TestNothingHappensWhenTheTimeIsOver(t *testing.T) {
	root := tree(t, map[string]string{"a.txt": "old"})
	for _, name := range []string{"read_file", "write_file", "list_directory"} {
		tool, err := builtin.New(name, builtin.Options{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		path := "a.txt"
		if name == "list_directory" {
			path = "."
		}
		// The handler itself: the tool would not even start it.
		_, err = tool.Config().Execute(ctx, []byte(`{"path":"`+path+`","content":"new"}`))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := text(t, root, "a.txt"); got != "old" {
		t.Errorf("the file holds %q", got)
	}
	onlyThose(t, root, "a.txt")
}

func TestFailuresAreThoseOfExecution(t *testing.T) {
	_, err := call(t, "read_file", builtin.Options{Root: t.TempDir()}, at("none"))
	var failed *runtime.ToolError
	if !errors.As(err, &failed) || failed.Kind != runtime.ToolExecution || failed.Message != "File not found: none" {
		t.Errorf("got %#v", err)
	}
}
