package server

import (
	"fmt"
	"io/fs"
)

// onlyOurs refuses what is no file. Who can read it is up to the folder of the user.
func onlyOurs(file string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", file)
	}
	return nil
}
