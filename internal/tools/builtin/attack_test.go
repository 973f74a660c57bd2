//go:build unix

package builtin_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/tools/builtin"
	"github.com/gram-lang/gramc/runtime"
)

const canary = "CANARY-7f3a"

// A trap is a folder for the tools beside one that is none of their business,
// and that the first one leads to in every way that a file system knows.
type trap struct {
	root, outside string
	before        string // what the outside looked like
}

func newTrap(t *testing.T) *trap {
	base := tree(t, map[string]string{
		"root/a.txt": "fine", "root/sub/b.txt": "fine", "root/.env": canary, "root/.git/secret.txt": canary, "root/sub/.env.local": canary,
		"outside/secret.txt": canary, "outside/sub/secret.txt": canary,
	})
	tr := &trap{root: filepath.Join(base, "root"), outside: filepath.Join(base, "outside")}
	in := func(name string) string { return filepath.Join(tr.root, name) }
	secret := filepath.Join(tr.outside, "secret.txt")
	if socket, err := net.Listen("unix", in("socket")); err == nil { // the path may be too long
		t.Cleanup(func() { socket.Close() })
	}
	for _, err := range []error{
		os.Symlink(secret, in("absolute")),
		os.Symlink("../outside/secret.txt", in("relative")),
		os.Symlink("../outside", in("folder")),
		os.Symlink(tr.outside, in("sub/folder")),
		os.Symlink("..", in("up")),
		os.Symlink("/", in("all")),
		os.Symlink("relative", in("chain")),
		os.Symlink(".env", in("plain.txt")),
		os.Symlink(".git", in("history")),
		os.Symlink("loop", in("loop")),
		os.Symlink("a.txt", in("inside")),
		os.Symlink("../outside/new.txt", in("dangling")),
		os.Symlink("/proc/self/environ", in("environ")),
		os.Symlink("/dev/zero", in("zero")),
		os.Link(secret, in("hard")),
		syscall.Mkfifo(in("pipe"), 0o666),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	tr.before = fingerprint(t, tr.outside)
	return tr
}

// fingerprint returns a hash of names, modes, times and contents.
func fingerprint(t *testing.T, dir string) string {
	t.Helper()
	hash := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(hash, path, info.Mode(), info.ModTime())
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			fmt.Fprintf(hash, "%q %v\n", content, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}

// attacks are paths that lead, or might be taken to lead, to what the tools
// must not touch.
func (tr *trap) attacks() []string {
	return []string{
		"../outside/secret.txt", "..", "../", "../..", "./../outside/secret.txt", "sub/../../outside/secret.txt", "a.txt/../../outside/secret.txt",
		"sub/..", ".../outside", "....//outside/secret.txt", "..;/outside/secret.txt", "..%2foutside%2fsecret.txt", "%2e%2e/outside/secret.txt",
		"..\\outside\\secret.txt", "sub\\..\\..\\outside", "C:\\outside", "\\\\server\\share", "//server/share", "file:///etc/passwd",
		filepath.Join(tr.outside, "secret.txt"), filepath.Join(tr.root, "a.txt"), "/etc/passwd", "/proc/self/environ", "/dev/zero", "~/secret.txt", "~",
		"absolute", "relative", "relative/", "relative/.", "chain", "folder/secret.txt", "folder/", "folder/sub/secret.txt", "sub/folder/secret.txt",
		"up/outside/secret.txt", "up/root/a.txt", "all/etc/passwd", "plain.txt", "history/secret.txt", "loop", "loop/x", "inside", "dangling",
		"environ", "zero", "hard", "pipe", "pipe/", "pipe/x", "socket",
		".env", "./.env", "sub/.env.local", ".git/secret.txt", ".git", "sub//./.env.local", "\u200b.env", "\u2060.git/secret.txt", ".env\x00.txt", "a.txt\n", "a\u0000",
		"", strings.Repeat("a/", 2049), strings.Repeat("x", 300), strings.Repeat("../", 1000) + "etc/passwd",
	}
}

func TestNoPathLeadsOut(t *testing.T) {
	tr := newTrap(t)
	for _, name := range []string{"read_file", "get_file_info", "list_directory", "write_file"} {
		tool, err := builtin.New(name, builtin.Options{Root: tr.root})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range tr.attacks() {
			if name == "write_file" && isNew(path) {
				continue
			}
			result, err := attack(t, tool, path)
			if name == "get_file_info" && path == "hard" {
				continue // that there is a file with another name is no secret
			}
			if err == nil || strings.Contains(result+err.Error(), canary) {
				t.Errorf("%s %.60q: got %.60s, %v", name, path, result, err)
			} else if strings.ContainsAny(err.Error(), "\n\x00") || strings.Contains(err.Error(), "openat") {
				t.Errorf("%s %.60q: the error %q", name, path, err)
			}
		}
	}
	tr.checkOutside(t)
	tr.checkHidden(t)
}

func quoted(s string) string { return string(plainjson.String(s)) }

// isNew reports whether a path is odd but is a name for a new file.
func isNew(path string) bool {
	return strings.HasPrefix(path, "file:") || strings.HasPrefix(path, "%2e")
}

func attack(t *testing.T, tool runtime.Tool, path string) (string, error) {
	t.Helper()
	args := fmt.Sprintf(`{"path":%s,"content":"overwritten","recursive":true}`, quoted(path))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	result, err := tool.Invoke(ctx, []byte(args), time.Minute)
	if ctx.Err() != nil {
		t.Fatalf("%s hangs with %q", tool.Name(), path)
	}
	return string(result), err
}

func (tr *trap) checkOutside(t *testing.T) {
	t.Helper()
	if fingerprint(t, tr.outside) != tr.before {
		t.Error("the folder outside has changed")
	}
}

func (tr *trap) checkHidden(t *testing.T) {
	t.Helper()
	for _, name := range []string{".env", ".git/secret.txt", "sub/.env.local"} {
		if got := text(t, tr.root, name); got != canary {
			t.Errorf("%s holds %q", name, got)
		}
	}
}

func TestAListShowsOnlyWhatCanBeOpened(t *testing.T) {
	tr := newTrap(t)
	got, err := call(t, "list_directory", builtin.Options{Root: tr.root}, map[string]any{"path": ".", "recursive": true})
	// The file with two names is there, but neither read nor written.
	want := `{"entries":[{"name":"a.txt","type":"file","size":4},{"name":"hard","type":"file","size":11},` +
		`{"name":"sub","type":"directory","size":0},{"name":"sub/b.txt","type":"file","size":4}]}`
	if got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

func TestDevicesAreNoFiles(t *testing.T) {
	for _, name := range []string{"null", "zero", "tty", "random"} {
		for _, tool := range []string{"read_file", "get_file_info"} {
			got, err := call(t, tool, builtin.Options{Root: "/dev"}, at(name))
			if err == nil {
				t.Errorf("%s %s: %s", tool, name, got)
			}
		}
	}
}

func TestWhatRefusalsSay(t *testing.T) {
	tr := newTrap(t)
	for path, want := range map[string]string{
		"../x":     "Permission denied: ../x (no path leads upwards with ..)",
		"/x":       "Permission denied: /x (a path starts in the folder of this tool, as in notes/today.txt)",
		`a\b`:      `Permission denied: a\b (the separator of folders is /, not \)`,
		"inside":   "Permission denied: inside (links are not followed)",
		"folder/x": "Permission denied: folder/x (links are not followed)",
		"hard":     "Permission denied: hard (the file has another name, which may lie outside of the folder)",
		"pipe":     "Permission denied: pipe (it is neither a file nor a folder)",
		"":         `the path is empty; the folder itself is "."`,
		"a\x00":    `the path "a\x00" has a control character in it`,
	} {
		if _, err := call(t, "read_file", builtin.Options{Root: tr.root}, at(path)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %q", path, err, want)
		}
	}
}

func TestAHugeFileIsNotRead(t *testing.T) {
	root := tree(t, map[string]string{"huge": ""})
	if err := os.Truncate(filepath.Join(root, "huge"), 1<<40); err != nil {
		t.Skip(err)
	}
	_, err := call(t, "read_file", builtin.Options{Root: root}, at("huge"))
	if want := "huge cannot be read: it has 1099511627776 bytes, and at most 1048576 are read"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestAWrittenFileKeepsItsMode(t *testing.T) {
	root := tree(t, map[string]string{"run.sh": "old"})
	file := filepath.Join(root, "run.sh")
	if err := os.Chmod(file, 0o751); err != nil {
		t.Fatal(err)
	}
	if _, err := call(t, "write_file", builtin.Options{Root: root}, map[string]any{"path": "run.sh", "content": "new"}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o751 || text(t, file) != "new" {
		t.Errorf("%v, %v, %q", info.Mode(), err, text(t, file))
	}
}

func TestTheSystemsPermissionsHold(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may do everything")
	}
	root := tree(t, map[string]string{"locked": "old", "dir/": ""})
	for name, mode := range map[string]fs.FileMode{"locked": 0o000, "dir": 0o555} {
		if err := os.Chmod(filepath.Join(root, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ tool, path string }{{"read_file", "locked"}, {"write_file", "locked"}, {"write_file", "dir/y"}} {
		_, err := call(t, tt.tool, builtin.Options{Root: root}, map[string]any{"path": tt.path, "content": "new"})
		if want := "Permission denied: " + tt.path; err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %q", tt.tool, err, want)
		}
	}
}
