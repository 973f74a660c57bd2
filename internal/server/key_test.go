package server

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

func TestServersShareTheKeyOfCookies(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "cookie.key")
	keys := make([][]byte, 8)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			var err error
			if keys[i], err = ReadKey(file); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, key := range keys {
		if len(key) != KeySize || !bytes.Equal(key, keys[0]) {
			t.Fatalf("the keys are %x", keys)
		}
	}
	if names, err := os.ReadDir(filepath.Dir(file)); err != nil || len(names) != 1 {
		t.Errorf("files are left: %v, %v", names, err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestAKeyThatOthersKnowIsRefused(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, size int, mode os.FileMode) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, make([]byte, size), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := write("good", KeySize, 0o600)
	bad := []string{write("short", 3, 0o600), write("empty", 0, 0o600), folder}
	if runtime.GOOS != "windows" {
		bad = append(bad, write("readable", KeySize, 0o644), filepath.Join(folder, "link"))
		if err := os.Symlink(good, bad[len(bad)-1]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ReadKey(good); err != nil {
		t.Error(err)
	}
	for _, file := range bad {
		if key, err := ReadKey(file); err == nil {
			t.Errorf("%s: %x", file, key)
		}
	}
}
