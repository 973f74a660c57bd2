package lsp

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/gram-lang/gramc/ast"
)

// A finder finds out what names mean, for one request.
type finder struct {
	*snapshot
	all   []*document              // those that may speak of what is looked for
	tools map[string][]*definition // of all, by name, as far as somebody asked
}

// finder returns a finder for all documents of the workspace.
func (s *snapshot) finder(ctx context.Context) (*finder, error) {
	all, err := s.workspace(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d.index()
	}
	return s.finderOf(all), nil
}

// finderAt returns a finder that knows enough to say what the names of a
// document mean: only libraries speak of what they do not import.
func (s *snapshot) finderAt(ctx context.Context, d *document) (*finder, error) {
	for _, p := range d.ast().Patterns {
		if p.HasLabel(ast.LabelLibrary) {
			return s.finder(ctx)
		}
	}
	return s.finderOf(s.visible(d)), nil
}

func (s *snapshot) finderOf(all []*document) *finder {
	return &finder{snapshot: s, all: all, tools: map[string][]*definition{}}
}

// visible returns the documents whose tools and types a document knows: itself
// first, then those that it imports, directly or not.
func (s *snapshot) visible(d *document) []*document {
	if known, ok := s.visibles.Load(d); ok {
		return known.([]*document)
	}
	all := []*document{d}
	seen := map[*document]bool{d: true}
	for next := 0; next < len(all); next++ {
		for _, path := range all[next].index().imports {
			if other, err := s.file(path); err == nil && other != nil && !seen[other] {
				seen[other] = true
				all = append(all, other)
			}
		}
	}
	s.visibles.Store(d, all)
	return all
}

// known returns the definitions of a name and a kind that a document knows: its
// own, or without any those of its imports.
func (f *finder) known(d *document, k kind, name string) []*definition {
	if own := d.definitionsOf(k, name); len(own) > 0 {
		return own
	}
	var list []*definition
	for _, other := range f.visible(d)[1:] {
		list = append(list, other.definitionsOf(k, name)...)
	}
	return list
}

// definitionsOf returns the definitions of a name and a kind in the document.
func (d *document) definitionsOf(k kind, name string) []*definition {
	var list []*definition
	for _, def := range d.index().named[name] {
		if def.kind == k {
			list = append(list, def)
		}
	}
	return list
}

// first returns what the first of some kinds defines by a name.
func (f *finder) first(d *document, name string, kinds ...kind) []*definition {
	for _, k := range kinds {
		if k == toolKind || k == typeKind {
			if list := f.known(d, k, name); len(list) > 0 {
				return list
			}
		} else if list := d.definitionsOf(k, name); len(list) > 0 {
			return list
		}
	}
	return nil
}

// resolve returns what a use in a document speaks of; nothing if that is
// unknown.
func (f *finder) resolve(d *document, u *use) []*definition {
	switch u.does {
	case element:
		return f.first(d, u.name, toolKind, patternKind, agentKind)
	case typing:
		return f.known(d, typeKind, u.name)
	case served:
		return f.contracts(d, u.name)
	case argument:
		return f.parameters(u.in, u.name)
	case field:
		var list []*definition
		for _, name := range u.of {
			for _, t := range f.known(d, typeKind, name) {
				list = append(list, t.partsNamed(u.name)...)
			}
		}
		return list
	case mention:
		return f.mentioned(d, u)
	}
	return nil
}

// parameters returns the parameters of an entry, and of the tools that it does
// the work of.
func (f *finder) parameters(entry *definition, name string) []*definition {
	list := entry.partsNamed(name)
	for _, tool := range f.contracts(entry.document, entry.name) {
		list = append(list, tool.partsNamed(name)...)
	}
	return list
}

// mentioned returns what a name in backticks speaks of.
func (f *finder) mentioned(d *document, u *use) []*definition {
	if u.in == nil {
		return f.first(d, u.name, toolKind, typeKind, agentKind, patternKind)
	}
	switch u.in.kind {
	case agentKind:
		return f.mentionedByAgent(d, u)
	case toolKind:
		if parts := u.in.within(u.name); len(parts) > 0 {
			return parts
		}
	case typeKind:
		if parts := u.in.within(u.name); len(parts) > 0 {
			return parts
		}
		return f.first(d, u.name, typeKind, toolKind, agentKind)
	case entryKind:
		if parts := f.parameters(u.in, u.name); len(parts) > 0 {
			return parts
		}
		return f.first(d, u.name, entryKind, toolKind, typeKind)
	case libraryKind:
		return f.first(d, u.name, entryKind, toolKind, typeKind)
	}
	return f.first(d, u.name, toolKind, typeKind, agentKind, patternKind)
}

// mentionedByAgent returns what an agent speaks of: one of its tools, their
// parameters, or something else that has a name.
func (f *finder) mentionedByAgent(d *document, u *use) []*definition {
	var parts []*definition
	for _, e := range u.in.pattern.Elements {
		name := e.Identity()
		if name == u.name {
			return f.first(d, name, toolKind, patternKind, agentKind)
		}
		if name == "" {
			continue
		}
		for _, tool := range f.known(d, toolKind, name) {
			parts = append(parts, tool.partsNamed(u.name)...)
		}
	}
	if len(parts) > 0 {
		return parts
	}
	return f.first(d, u.name, toolKind, agentKind, typeKind, patternKind)
}

// within returns the parts of a name, at whatever depth.
func (def *definition) within(name string) []*definition {
	list := def.partsNamed(name)
	for _, part := range def.parts {
		list = append(list, part.within(name)...)
	}
	return list
}

// contracts returns the tools of agents that an entry of a document does the
// work of. Nothing in the files says which library an agent is run with; of
// several tools of a name it is those that share the deepest folder with it.
func (f *finder) contracts(d *document, name string) []*definition {
	all, known := f.tools[name]
	if !known {
		for _, other := range f.all {
			all = append(all, other.definitionsOf(toolKind, name)...)
		}
		f.tools[name] = all
	}
	var nearest []*definition
	depth := 0
	for _, tool := range all {
		switch shared := f.shared(d, tool.document); {
		case shared > depth:
			nearest, depth = []*definition{tool}, shared
		case shared == depth && depth > 0:
			nearest = append(nearest, tool)
		}
	}
	return nearest
}

// shared returns how deep the folder is that two documents share, 0 when they
// share none that the client shows.
func (s *snapshot) shared(a, b *document) int {
	if a == b {
		return len(a.key) + 1
	}
	if a.path == "" || b.path == "" {
		return 0
	}
	folder := filepath.Dir(a.path)
	for !within(folder, b.path) {
		folder = filepath.Dir(folder)
	}
	for _, r := range s.roots {
		if within(r.path, folder) {
			return len(folder)
		}
	}
	if folder == filepath.Dir(a.path) || folder == filepath.Dir(b.path) {
		return len(folder)
	}
	return 0
}

// isBuiltin reports whether an entry is labelled so.
func (def *definition) isBuiltin() bool {
	return def.kind == entryKind && def.pattern.HasLabel("Builtin")
}

// builtin returns the name of the built-in tool that an entry is.
func (def *definition) builtin() string {
	if p := def.pattern.Property("builtin"); p != nil && p.Value != nil {
		if word, bare := p.Value.(*ast.Symbol); bare {
			return word.Text
		}
		text, _ := ast.TextOf(p.Value)
		return text
	}
	return def.name
}

// shownPath returns the path of a document as messages show it.
func (s *snapshot) shownPath(d *document) string {
	for _, r := range s.roots {
		if rest, ok := strings.CutPrefix(d.path, r.path+string(filepath.Separator)); ok {
			return filepath.ToSlash(rest)
		}
	}
	if d.path != "" {
		return filepath.Base(d.path)
	}
	return d.uri
}
