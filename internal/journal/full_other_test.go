//go:build !linux

package journal

import "errors"

func filler(string) error { return errors.New("the test is for Linux") }
