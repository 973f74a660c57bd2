package lsp

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gram-lang/gramc/internal/workspace"
)

// A root is a folder that the client has opened.
type root struct {
	path string
	real string // without symbolic links
}

// workspaceRoots returns the folders of URIs, in their order.
func workspaceRoots(uris []string) []root {
	var roots []root
	for _, uri := range uris {
		if path, ok := uriPath(uri); ok {
			roots = append(roots, root{path, workspace.Resolve(path)})
		}
	}
	return roots
}

// workspacePaths returns the paths of folders.
func workspacePaths(roots []root) []string {
	paths := make([]string, len(roots))
	for i, r := range roots {
		paths[i] = r.path
	}
	return paths
}

// unsavedWorkspacePath returns the path of a document that was never saved, so that it
// can import: one in the first root, or the path that the client plans to save
// it at. It is "" when that is in no root. No file has its name.
func unsavedWorkspacePath(uri string, roots []root) string {
	u, err := url.Parse(uri)
	if err != nil || !strings.EqualFold(u.Scheme, "untitled") || len(roots) == 0 {
		return ""
	}
	folder := roots[0].path
	if planned, ok := uriPath((&url.URL{Scheme: "file", Path: u.Path}).String()); ok {
		folder = filepath.Dir(planned)
		if !slices.ContainsFunc(roots, func(r root) bool { return workspace.Within(r.path, folder) }) {
			return ""
		}
	}
	return filepath.Join(folder, url.PathEscape(uri))
}

// maxListed is how many files of the workspace the server looks at.
const maxListed = 10_000

// A listing is the paths of the gram files below the roots. They are searched
// on demand.
type listing struct {
	roots []root
	once  sync.Once
	paths []string
	done  atomic.Bool
}

// find returns the paths.
func (l *listing) find() []string {
	l.once.Do(func() {
		l.paths, _ = workspace.FindFiles(workspacePaths(l.roots), &workspace.FindOptions{Inside: true, Max: maxListed}) // a folder without gram files is none
		for i, path := range l.paths {
			l.paths[i] = filepath.Clean(path)
		}
		l.done.Store(true)
	})
	return l.paths
}
