package builtin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/tools/builtin"
)

// TestPrivateFoldersAreOutOfReach gives the tools for files a root above a private folder.
func TestPrivateFoldersAreOutOfReach(t *testing.T) {
	root := tree(t, map[string]string{"state/gramc/journal.db": "canary", "state/other": "x", "a.txt": "x"})
	private := filepath.Join(root, "state", "gramc")
	o := builtin.Options{Root: root, Hidden: true, Private: []string{filepath.Join(root, "missing"), private}}
	for _, name := range []string{"read_file", "get_file_info", "list_directory", "write_file"} {
		for _, path := range []string{"state/gramc/journal.db", "state/gramc", "state/gramc/new", "state//gramc/./journal.db"} {
			result, err := callWith(t.Context(), t, name, o, map[string]any{"path": path, "content": "overwritten", "recursive": true})
			isFolder := path == "state/gramc" && (name == "read_file" || name == "write_file") // and so no file
			if err == nil || !isFolder && !strings.Contains(err.Error(), "Permission denied") {
				t.Errorf("%s %s: %s, %v", name, path, result, err)
			}
		}
	}
	if list, err := call(t, "list_directory", o, map[string]any{"path": ".", "recursive": true}); err != nil || !strings.Contains(list, `"state/other"`) || strings.Contains(list, "gramc") {
		t.Errorf("listed %s, %v", list, err)
	}
	if entries, err := os.ReadDir(private); err != nil || len(entries) != 1 || text(t, private, "journal.db") != "canary" {
		t.Errorf("the private folder has %v, %v", entries, err)
	}
}

func TestAPrivateFolderIsNoRoot(t *testing.T) {
	root := tree(t, map[string]string{"state/gramc/below/x": "x"})
	private := filepath.Join(root, "state", "gramc")
	link := filepath.Join(root, "link")
	if err := os.Symlink(filepath.Join(private, "below"), link); err != nil {
		t.Skip(err)
	}
	for _, at := range []string{private, filepath.Join(private, "below"), link} {
		if _, err := builtin.New("read_file", builtin.Options{Root: at, Private: []string{private}}); err == nil || !strings.Contains(err.Error(), "is a private folder of gramc") {
			t.Errorf("%s: %v", at, err)
		}
	}
}
