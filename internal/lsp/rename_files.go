package lsp

import (
	"context"
	"path"
	"path/filepath"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/scenario"
	"github.com/gram-lang/gramc/internal/workspace"
)

// This file keeps imports, and the paths in tests, right when files or folders are renamed
// or moved.

// declareFileRenames declares which files the server wants to hear of.
func declareFileRenames(c *capabilities) {
	scheme, file, folder := "file", protocol.FileOperationPatternKindFile, protocol.FileOperationPatternKindFolder
	renames := &protocol.FileOperationRegistrationOptions{Filters: []protocol.FileOperationFilter{
		{Scheme: &scheme, Pattern: protocol.FileOperationPattern{Glob: "**/*.gram", Matches: &file}},
		{Scheme: &scheme, Pattern: protocol.FileOperationPattern{Glob: "**", Matches: &folder}},
	}}
	c.Workspace.FileOperations = &protocol.ServerCapabilitiesWorkspaceFileOperations{WillRename: renames, DidRename: renames}
}

// willRenameFiles handles workspace/willRenameFiles: the paths in files that move, and
// those that lead to such files, are written as they must be afterwards.
func willRenameFiles(ctx context.Context, s *snapshot, p *protocol.RenameFilesParams) (*workspaceEdit, error) {
	all := s.documents()
	c := s.changes()
	for _, d := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !d.isFile() {
			continue
		}
		paths := compile.Imports(d.ast())
		for _, p := range scenario.Paths(d.ast()) {
			paths = append(paths, compile.Import{Path: p.Text, Span: p.Span})
		}
		for _, i := range paths {
			to := filepath.Join(filepath.Dir(d.path), filepath.FromSlash(i.Path))
			written, ok := workspace.ImportPath(renamedFile(d.path, p.Files), renamedFile(to, p.Files))
			if ok && path.Clean(written) != path.Clean(i.Path) {
				c.replace(d, i.Span.Start, i.Span.End, renamedValue(i.Span.Text(), written))
			}
		}
	}
	return c.edit(), nil
}

// renamedFile returns where a file is after renames of files and folders.
func renamedFile(file string, renames []protocol.FileRename) string {
	for _, r := range renames {
		from, ok := uriPath(r.OldURI)
		to, isFile := uriPath(r.NewURI)
		if ok && isFile && workspace.Within(from, file) {
			return filepath.Join(to, file[len(from):])
		}
	}
	return file
}

// didRenameFiles looks for the files of the workspace again.
func didRenameFiles(_ context.Context, s *session, p *protocol.RenameFilesParams) {
	s.update(func(next *snapshot) {
		for _, r := range p.Files {
			next.disk.forget(uriKey(r.OldURI))
			next.disk.forget(uriKey(r.NewURI))
		}
		next.listing = &listing{roots: next.roots}
	})
	s.findFiles()
}
