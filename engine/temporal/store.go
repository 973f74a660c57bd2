package temporal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Store keeps data by its SHA-256, in hexadecimal. All processes share it.
type Store interface {
	// Put keeps data, and returns its hash.
	Put(ctx context.Context, data []byte) (hash string, err error)

	// Get returns the data of a hash. The error of an unknown one wraps [fs.ErrNotExist].
	Get(ctx context.Context, hash string) ([]byte, error)
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// checkHash returns why data is not that of a hash.
func checkHash(hash string, data []byte) error {
	if hashOf(data) != hash {
		return fmt.Errorf("the store has other data for %s than was put there", hash)
	}
	return nil
}

// Files is a store of files in a folder, for one machine or a shared disk.
type Files string

// Put writes a file.
func (f Files) Put(_ context.Context, data []byte) (string, error) {
	hash := hashOf(data)
	name := filepath.Join(string(f), hash)
	if _, err := os.Stat(name); err == nil {
		return hash, nil
	}
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return "", err
	}
	part, err := os.CreateTemp(string(f), "part-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(part.Name())
	_, err = part.Write(data)
	if err == nil {
		err = part.Sync()
	}
	if err = errors.Join(err, part.Close()); err != nil {
		return "", err
	}
	return hash, os.Rename(part.Name(), name)
}

// Get reads a file.
func (f Files) Get(_ context.Context, hash string) ([]byte, error) {
	if len(hash) != hex.EncodedLen(sha256.Size) || filepath.Base(hash) != hash {
		return nil, fmt.Errorf("%q is not a hash: %w", hash, fs.ErrNotExist)
	}
	data, err := os.ReadFile(filepath.Join(string(f), hash))
	if err != nil {
		return nil, err
	}
	return data, checkHash(hash, data)
}
