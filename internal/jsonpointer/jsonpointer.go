// Package jsonpointer writes and reads the tokens of JSON pointers (RFC 6901).
package jsonpointer

import "strings"

var (
	escapes   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapes = strings.NewReplacer("~1", "/", "~0", "~")
)

// Token returns a key as it stands between the slashes of a pointer.
func Token(key string) string { return escapes.Replace(key) }

// Key returns the key that a token stands for.
func Key(token string) string { return unescapes.Replace(token) }
