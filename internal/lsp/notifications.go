package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/internal/workspace"
)

// notifications returns what is done at each notification of the client.
func notifications() map[string]notification {
	return map[string]notification{
		"$/cancelRequest":                     handleCancel,
		"initialized":                         notificationHandler(initialized),
		"textDocument/didOpen":                notificationHandler(didOpen),
		"textDocument/didChange":              notificationHandler(didChange),
		"textDocument/didClose":               notificationHandler(didClose),
		"textDocument/didSave":                notificationHandler(didSave),
		"workspace/didChangeConfiguration":    notificationHandler(changeSettings),
		"workspace/didChangeWatchedFiles":     notificationHandler(didChangeWatchedFiles),
		"workspace/didRenameFiles":            notificationHandler(didRenameFiles),
		"workspace/didChangeWorkspaceFolders": notificationHandler(didChangeFolders),
	}
}

func didOpen(_ context.Context, s *session, p *protocol.DidOpenTextDocumentParams) {
	s.update(func(next *snapshot) {
		d := next.show(p.TextDocument.URI, p.TextDocument.Text, p.TextDocument.Version)
		next.withOpen(func(open map[string]*document) { open[d.key] = d })
		next.changed = d.key
		next.links = linksOf(next.open)
	})
}

// changeParams are the parameters of didChange, with changes of one kind.
type changeParams struct {
	TextDocument protocol.VersionedTextDocumentIdentifier `json:"textDocument"`
	Changes      []contentChange                          `json:"contentChanges"`
}

func didChange(_ context.Context, s *session, p *changeParams) {
	now := s.snapshot()
	before := now.open[uriKey(p.TextDocument.URI)]
	if before == nil {
		s.log.Printf("a change of %.200q, which is not open, is ignored", p.TextDocument.URI)
		return
	}
	d := now.show(before.uri, applyChanges(before.positionMapper, p.Changes), p.TextDocument.Version)
	s.update(func(next *snapshot) {
		next.withOpen(func(open map[string]*document) { open[d.key] = d })
		next.changed = d.key
	})
}

func didClose(_ context.Context, s *session, p *protocol.DidCloseTextDocumentParams) {
	key := uriKey(p.TextDocument.URI)
	s.update(func(next *snapshot) {
		next.withOpen(func(open map[string]*document) { delete(open, key) })
		next.links = linksOf(next.open)
		next.disk.forget(key)
	})
}

// didSave concerns files that import a saved one by a link. A client that
// watches no files reports a new file only so.
func didSave(_ context.Context, s *session, p *protocol.DidSaveTextDocumentParams) {
	key := uriKey(p.TextDocument.URI)
	isNew := false
	s.update(func(next *snapshot) {
		next.disk.forget(key)
		watches := next.capabilities.Workspace.WatchedFiles.Dynamic
		if isNew = !watches && next.listing.done.Load() && !slices.Contains(next.listing.find(), key); isNew {
			next.listing = &listing{roots: next.roots}
		}
	})
	if isNew {
		s.findFiles()
	}
}

// linksOf returns the keys of open documents whose path leads through a
// symbolic link, by the path without one.
func linksOf(open map[string]*document) map[string]string {
	links := map[string]string{}
	for key, d := range open {
		if !d.isFile() {
			continue
		}
		if real := workspace.Resolve(d.path); real != d.path {
			links[real] = key
		}
	}
	return links
}

func didChangeWatchedFiles(_ context.Context, s *session, p *protocol.DidChangeWatchedFilesParams) {
	listed := false // whether other files may be listed now
	s.update(func(next *snapshot) {
		for _, e := range p.Changes {
			key := uriKey(e.URI)
			next.disk.forget(key)
			isIgnoreFile := !strings.HasSuffix(key, ".gram") && strings.HasPrefix(filepath.Base(key), ".")
			listed = listed || isIgnoreFile || e.Type != protocol.UInteger(protocol.FileChangeTypeChanged)
		}
		if listed {
			next.listing = &listing{roots: next.roots}
		}
	})
	if listed {
		s.findFiles()
	}
}

// didChangeFolders applies a change of the folders that the client shows.
func didChangeFolders(_ context.Context, s *session, p *protocol.DidChangeWorkspaceFoldersParams) {
	s.update(func(next *snapshot) {
		removed := map[string]bool{}
		for _, f := range p.Event.Removed {
			removed[uriKey(f.URI)] = true
		}
		roots := slices.DeleteFunc(slices.Clone(next.roots), func(r root) bool { return removed[r.path] })
		for _, f := range p.Event.Added {
			for _, r := range workspaceRoots([]string{f.URI}) {
				if !slices.Contains(roots, r) {
					roots = append(roots, r)
				}
			}
		}
		next.roots, next.listing = roots, &listing{roots: roots}
		next.withOpen(func(open map[string]*document) {
			for key, d := range open {
				if !d.isFile() { // its path may be another one now
					open[key] = next.show(d.uri, d.text, d.version)
				}
			}
		})
	})
	s.findFiles()
}
