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
	libraries []*library.Library
}

// librariesOf returns the libraries of a document, none when there are errors.
func (s *snapshot) librariesOf(d *document) []*library.Library {
	if !slices.ContainsFunc(d.ast().Patterns, library.IsLibrary) {
		return nil
	}
	options := s.optionsOf(d)
	last := d.lowered.Load()
	if last == nil || !last.options.Equal(options) {
		libraries, _ := compile.Libraries(d.ast(), options)
		last = &loweredLibraries{options, libraries}
		d.lowered.Store(last)
	}
	return last.libraries
}

// namedDocuments returns the documents that the settings name as libraries.
func (s *snapshot) namedDocuments() []*document {
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
	for _, d := range s.namedDocuments() {
		list = append(list, s.librariesOf(d)...)
	}
	return list
}

func (d *document) hasAgents() bool {
	return slices.ContainsFunc(d.ast().Patterns, func(p *ast.Pattern) bool { _, isAgent := ast.AsAgent(p); return isAgent })
}

// A fit is an entry of a library and the tools of agents that it does the work of,
// with the options of the documents of these.
type fit struct {
	entry   *library.Entry
	tools   []*definition
	options []*compile.Options
}

func (f fit) equal(g fit) bool {
	return f.entry == g.entry && slices.Equal(f.tools, g.tools) && slices.EqualFunc(f.options, g.options, (*compile.Options).Equal)
}

// fits returns what the libraries of a document are compared with: nothing before
// the files of the workspace have been listed.
func (s *snapshot) fits(d *document) []fit {
	libraries := s.librariesOf(d)
	isNamed := len(s.settings.Libraries) > 0
	if len(libraries) == 0 || !s.listing.done.Load() || isNamed && !slices.Contains(s.namedDocuments(), d) {
		return nil
	}
	f, err := s.finder(context.Background())
	if err != nil {
		return nil
	}
	var list []fit
	for _, l := range libraries {
		for _, e := range l.Entries {
			for _, name := range e.Tools() {
				next := fit{entry: e, tools: f.contracts(d, name)}
				if isNamed {
					next.tools = nil
					for _, has := range f.toolDocuments(name) {
						next.tools = append(next.tools, has.tools...)
					}
				}
				for _, tool := range next.tools {
					next.options = append(next.options, s.optionsOf(tool.document))
				}
				list = append(list, next)
			}
		}
	}
	return list
}

// misfits returns where the libraries of a document differ from the tools that
// they are compared with. Where no settings name libraries, an entry need only fit
// one of the tools of its name: any of them may be the one that it is for.
func (s *snapshot) misfits(d *document, fits []fit) diag.List {
	var list diag.List
	views := map[*document]*compile.View{}
	for _, f := range fits {
		var problems diag.List
		for i, tool := range f.tools {
			if views[tool.document] == nil {
				views[tool.document] = compile.NewView(tool.document.ast(), f.options[i])
			}
			found := views[tool.document].CheckEntry(f.entry, ast.Tool{Pattern: tool.pattern})
			found = slices.DeleteFunc(found, func(p *diag.Diagnostic) bool { return p.Span.File != d.source() })
			if len(found) == 0 && len(s.settings.Libraries) == 0 {
				problems = nil
				break
			}
			if i == 0 || len(s.settings.Libraries) > 0 {
				problems = append(problems, found...)
			}
		}
		list = append(list, problems...)
	}
	return list.Unique()
}
