package lsp

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
)

// This file compares libraries with the agents that they work for, as gramc check
// does with --library. The settings name the libraries of all agents; without
// them an entry belongs to the tools that a rename joins it with.

// loweredLibraries are the libraries of a document, read with some options.
type loweredLibraries struct {
	options   *compile.Options
	libraries []*library.Library // none when there are errors
	entries   []*library.Entry   // those without errors
}

// librariesOf returns the libraries of a document.
func (s *snapshot) librariesOf(d *document) *loweredLibraries {
	if !slices.ContainsFunc(d.ast().Patterns, library.IsLibrary) {
		return &loweredLibraries{}
	}
	options := s.examineOptionsOf(d)
	last := d.lowered.Load()
	if last == nil || !last.options.Equal(options) {
		tree, problems := d.file()
		last = &loweredLibraries{options: options}
		last.libraries, _ = compile.Libraries(tree, options)
		last.entries = slices.DeleteFunc(compile.NewView(tree, options).Entries(), func(e *library.Entry) bool {
			at := e.Pattern.Span()
			return slices.ContainsFunc(problems, func(p *diag.Diagnostic) bool { return at.Start <= p.Span.Start && p.Span.Start <= at.End })
		})
		d.lowered.Store(last)
	}
	return last
}

// namedLibraryDocuments returns the documents that the settings name as libraries.
func (s *snapshot) namedLibraryDocuments() []*document {
	var list []*document
	for _, name := range s.settings.Libraries {
		paths := []string{filepath.Clean(name)}
		if !filepath.IsAbs(name) {
			paths = nil
			for _, r := range s.roots {
				paths = append(paths, filepath.Join(r.path, filepath.FromSlash(name)))
			}
		}
		for _, path := range paths {
			if d, err := s.file(path); err == nil && d != nil {
				list = append(list, d)
				break
			}
		}
	}
	return list
}

// namedLibraries returns the libraries that the settings name, in their order.
func (s *snapshot) namedLibraries() []*library.Library {
	var list []*library.Library
	for _, d := range s.namedLibraryDocuments() {
		list = append(list, s.librariesOf(d).libraries...)
	}
	return list
}

// A libraryFit is an entry of a library and the tools of agents that it does the work of,
// with the options of the documents of these, and where it differs from them.
type libraryFit struct {
	entry    *library.Entry
	tools    []*definition
	options  []*compile.Options
	problems diag.List
}

func (f libraryFit) equal(g libraryFit) bool {
	return f.entry == g.entry && slices.Equal(f.tools, g.tools) && slices.EqualFunc(f.options, g.options, (*compile.Options).Equal)
}

// libraryFits returns what the libraries of a document are compared with: nothing before
// the files of the workspace have been listed.
func (s *snapshot) libraryFits(d *document) []libraryFit {
	entries := s.librariesOf(d).entries
	isNamed := len(s.settings.Libraries) > 0
	if len(entries) == 0 || !s.listing.done.Load() || isNamed && !slices.Contains(s.namedLibraryDocuments(), d) {
		return nil
	}
	f, err := s.finder(context.Background())
	if err != nil {
		return nil
	}
	var list []libraryFit
	for _, e := range entries {
		for _, name := range e.Tools() {
			next := libraryFit{entry: e, tools: f.contracts(d, name)}
			if isNamed {
				next.tools = nil
				for _, has := range f.toolDocuments(name) {
					next.tools = append(next.tools, has.tools...)
				}
			}
			for _, tool := range next.tools {
				next.options = append(next.options, s.examineOptionsOf(tool.document))
			}
			list = append(list, next)
		}
	}
	return list
}

// libraryMisfits returns where the libraries of a document differ from the tools that
// they are compared with. What was compared before is not compared again.
func (s *snapshot) libraryMisfits(d *document, fits, before []libraryFit) diag.List {
	var list diag.List
	views := map[*document]*compile.View{}
	for i := range fits {
		if i < len(before) && fits[i].equal(before[i]) {
			fits[i].problems = before[i].problems
		} else {
			fits[i].problems = s.libraryMisfit(d, fits[i], views)
		}
		list = append(list, fits[i].problems...)
	}
	return list.Unique()
}

// libraryMisfit returns where an entry differs from its tools. Where no settings name
// libraries, it need only fit one of them: any may be the one that it is for.
func (s *snapshot) libraryMisfit(d *document, f libraryFit, views map[*document]*compile.View) diag.List {
	var problems diag.List
	isNamed := len(s.settings.Libraries) > 0
	for i, tool := range f.tools {
		if views[tool.document] == nil {
			views[tool.document] = compile.NewView(tool.document.ast(), f.options[i])
		}
		found := views[tool.document].CheckEntry(f.entry, ast.Tool{Pattern: tool.pattern})
		found = slices.DeleteFunc(found, func(p *diag.Diagnostic) bool { return p.Span.File != d.source() })
		if len(found) == 0 && !isNamed {
			return nil
		}
		if i == 0 || isNamed {
			problems = append(problems, found...)
		}
	}
	return problems
}
