package lsp

import (
	"net/url"
	"path/filepath"
	"strings"
)

// uriPath returns the clean path of a file URI, and whether it is one of a file
// of this machine.
func uriPath(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || u.Path == "" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // /c:/folder
		path = strings.ToUpper(path[1:2]) + path[2:]
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", false
	}
	return filepath.Clean(path), true
}

// uriOf returns the URI of an absolute path.
func uriOf(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// uriKey returns the same key for all spellings of a URI: the path of a file,
// and else the URI itself.
func uriKey(uri string) string {
	if path, ok := uriPath(uri); ok {
		return path
	}
	return uri
}
