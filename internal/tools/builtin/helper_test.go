package builtin_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gram-lang/gramc/internal/tools/builtin"
)

// call calls a built-in and returns its result, or its error.
func call(t *testing.T, name string, o builtin.Options, args map[string]any) (string, error) {
	t.Helper()
	return callWith(t.Context(), t, name, o, args)
}

func callWith(ctx context.Context, t *testing.T, name string, o builtin.Options, args map[string]any) (string, error) {
	t.Helper()
	tool, err := builtin.New(name, o)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	result, err := tool.Invoke(ctx, raw, 0)
	return string(result), err
}

// at returns the arguments that are a path.
func at(path string) map[string]any { return map[string]any{"path": path} }

// tree makes files in a new folder. A name that ends in a slash is a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		var err error
		if name[len(name)-1] == '/' {
			err = os.MkdirAll(file, 0o777)
		} else {
			err = os.WriteFile(file, []byte(content), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func text(t *testing.T, elem ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
