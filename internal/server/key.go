package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// KeySize is the least number of bytes of a key that seals cookies.
const KeySize = 32

func newKey() []byte {
	key := make([]byte, KeySize)
	_, _ = rand.Read(key) // it never fails
	return key
}

// ReadKey reads the key of a file that only its owner can read, and makes a new one if there is
// none. Servers that share the file accept each other's cookies.
func ReadKey(file string) ([]byte, error) {
	key, err := readKey(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	// The file gets its name when it is whole: another server may read it at any moment.
	whole, err := os.CreateTemp(filepath.Dir(file), ".key-*") // 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(whole.Name())
	_, err = whole.Write(newKey())
	if err := errors.Join(err, whole.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(whole.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return readKey(file)
}

func readKey(file string) ([]byte, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return nil, err
	}
	if err := onlyOurs(file, info); err != nil {
		return nil, err
	}
	key, err := os.ReadFile(file)
	if err == nil && len(key) != KeySize {
		err = fmt.Errorf("%s is no key of cookies: it has %d bytes; remove it, and another one is made", file, len(key))
	}
	return key, err
}
