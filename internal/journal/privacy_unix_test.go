//go:build unix

package journal

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOnlyItsOwnerReadsAJournal(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), "state", "gramc")
	j := opened(t, dir, nil)
	_ = begun(t, j, Run{ID: "a"})
	must(t, filepath.WalkDir(filepath.Dir(dir), func(path string, entry fs.DirEntry, err error) error {
		must(t, err)
		info, err := entry.Info()
		must(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return nil
	}))
	if files, err := filepath.Glob(filepath.Join(dir, "journal.db-*")); err != nil || len(files) != 2 {
		t.Errorf("the test has not seen %v, %v", files, err)
	}
}

func TestFoldersThatAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		mode fs.FileMode
		file string
		want string // in the error; "" if it is closed and used
	}{
		"others can write":              {0o777, "", "other users can write to the folder"},
		"the group can write":           {0o770, "", "other users can write to the folder"},
		"others can read, it is empty":  {0o755, "", ""},
		"others can read, it is a home": {0o755, "notes.txt", "a folder of its own"},
		"nobody else can read it":       {0o700, "notes.txt", ""},
	} {
		dir := newFolder(t)
		must(t, os.Mkdir(dir, 0o700))
		if test.file != "" {
			must(t, os.WriteFile(filepath.Join(dir, test.file), nil, 0o600))
		}
		must(t, os.Chmod(dir, test.mode))
		j, err := Open(dir, nil)
		if err == nil {
			must(t, j.Close())
		}
		switch {
		case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v", name, err)
		case test.want == "":
			if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("%s: %v, %v", name, info.Mode(), err)
			}
		}
	}
	if os.Geteuid() != 0 {
		return // only root can give folders away
	}
	dir := newFolder(t)
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.Chown(dir, 12345, 12345))
	if _, err := Open(dir, nil); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("a folder of somebody else: %v", err)
	}
}

func TestAFileThatOthersCanReadIsClosed(t *testing.T) {
	dir := newFolder(t)
	must(t, opened(t, dir, nil).Close())
	must(t, os.Chmod(filepath.Join(dir, fileName), 0o644))
	_ = opened(t, dir, nil)
	if info, err := os.Stat(filepath.Join(dir, fileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	dir = newFolder(t)
	must(t, os.Mkdir(dir, 0o700))
	must(t, os.Symlink("/dev/null", filepath.Join(dir, fileName)))
	if _, err := Open(dir, nil); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a link: %v", err)
	}
}

// What an encrypted journal does not hide is what the documentation says.
func TestAnEncryptedJournalHidesWhatIsSaid(t *testing.T) {
	dir := newFolder(t)
	j := opened(t, dir, &Options{Key: []byte("correct horse battery staple")})
	c, err := j.Create(t.Context(), &Run{ID: "readable-run", Session: "readable-session", Agent: "readable-agent", File: "readable.gram", Title: "hidden title"},
		[]byte("hidden program"), Entry{Key: "readable-key", Kind: "readable-kind", Data: []byte("hidden start")})
	must(t, err)
	must(t, j.PutSession(t.Context(), &Session{Name: "readable-session", Title: "hidden name", Data: []byte("hidden data")}))
	must(t, c.End(t.Context(), Waiting, "hidden error", Entry{Data: []byte(strings.Repeat("hidden outcome ", 30))}))
	must(t, j.Decide(t.Context(), "readable-run", Decision{Key: "1", Note: "hidden note"}))
	must(t, j.Close())
	data, err := os.ReadFile(filepath.Join(dir, fileName))
	must(t, err)
	if bytes.Contains(data, []byte("hidden")) {
		t.Error("something can be read")
	}
	for _, word := range []string{"readable-run", "readable-session", "readable-agent", "readable.gram", "readable-key", "readable-kind"} {
		if !bytes.Contains(data, []byte(word)) {
			t.Errorf("%s is not there: the test sees nothing, or the documentation is wrong", word)
		}
	}
	for key, want := range map[string]error{"": ErrKeyNeeded, "correct horse battery stable": ErrWrongKey} {
		if _, err := Open(dir, &Options{Key: []byte(key)}); !errors.Is(err, want) {
			t.Errorf("the key %q: %v", key, err)
		}
	}
	if _, err := Open(newFolder(t), &Options{Key: []byte("short")}); err == nil || !strings.Contains(err.Error(), "at least 12") {
		t.Errorf("a short key: %v", err)
	}
	plain := newFolder(t)
	must(t, begun(t, opened(t, plain, nil), Run{}).End(t.Context(), Finished, ""))
	if _, err := Open(plain, &Options{Key: []byte("correct horse battery staple")}); !errors.Is(err, ErrNotEncrypted) {
		t.Errorf("a key for a journal without one: %v", err)
	}
}
