package lsp

import (
	"context"
	"slices"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
)

// A finder finds out what names mean, for one request.
type finder struct {
	*snapshot
	all []*document // those that can reference what is looked for

	// The results so far.
	tools map[string][]toolDocument
	seen  map[*document][]*document
}

// finder returns a finder for all documents of the workspace.
func (s *snapshot) finder(ctx context.Context) (*finder, error) {
	all := s.documents()
	for _, d := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d.index()
	}
	return s.finderOf(all), nil
}

// finderAt returns a finder that knows enough to resolve the names of a
// document: only libraries reference what they do not import.
func (s *snapshot) finderAt(ctx context.Context, d *document) (*finder, error) {
	for _, p := range d.ast().Patterns {
		if p.HasLabel(ast.LabelLibrary) {
			return s.finder(ctx)
		}
	}
	return s.finderOf(s.visible(d)), nil
}

func (s *snapshot) finderOf(all []*document) *finder {
	return &finder{snapshot: s, all: all, tools: map[string][]toolDocument{}, seen: map[*document][]*document{}}
}

// maxVisible is how many files a document can know by its imports, as package
// workspace has it.
const maxVisible = 1000

// visible returns the result of the snapshot, and remembers it.
func (f *finder) visible(d *document) []*document {
	if f.seen[d] == nil {
		f.seen[d] = f.snapshot.visible(d)
	}
	return f.seen[d]
}

// definitionOf returns the definition that a name of a kind references in a
// document, if there is any: the first of its own, or else of its imports.
func (f *finder) definitionOf(d *document, k definitionKind, name string) []*definition {
	for _, other := range f.visible(d) {
		if own := other.indexedDefinitions(k, name); len(own) > 0 {
			return own[:1]
		}
	}
	return nil
}

// oneOf returns what the first of some kinds defines by a name. Tools and types
// may be those of imports.
func (f *finder) oneOf(d *document, name string, kinds ...definitionKind) []*definition {
	for _, k := range kinds {
		if list := f.definitionOf(d, k, name); len(list) > 0 && (k == toolKind || k == typeKind || list[0].document == d) {
			return list
		}
	}
	return nil
}

// resolve returns the definitions of a reference in a document; none if they
// are unknown.
func (f *finder) resolve(d *document, u *place) []*definition {
	switch u.purpose {
	case element:
		return f.oneOf(d, u.name, toolKind, patternKind, agentKind)
	case typing:
		return f.definitionOf(d, typeKind, u.name)
	case served:
		return f.contracts(d, u.name)
	case tested:
		return f.definitionOf(d, agentKind, u.name)
	case stepped:
		return f.definitionOf(d, toolKind, u.name)
	case argument:
		return f.parameters(u.in, u.name)
	case field:
		var list []*definition
		for _, s := range f.shapes(u.of) {
			list = append(list, s.partsNamed(u.name)...)
		}
		return list
	case mention:
		return f.mentioned(d, u)
	}
	return nil
}

// shapes returns what a value that is given may be: the shape that is written
// there, and those of the types that it names.
func (f *finder) shapes(of *filled) []*shape {
	var list []*shape
	if of.outer == nil {
		return f.expanded(list, of.shape)
	}
	for _, outer := range f.shapes(of.outer) {
		parts := outer.partsNamed(of.key)
		for _, part := range parts {
			list = f.expanded(list, part.holds)
		}
		if len(parts) == 0 {
			list = f.expanded(list, outer.rest)
		}
	}
	return list
}

// expanded adds a shape to a list, and those of the types that it names, each
// once.
func (f *finder) expanded(list []*shape, s *shape) []*shape {
	if s == nil || slices.Contains(list, s) {
		return list
	}
	list = append(list, s)
	for _, part := range f.testedShapes(s) {
		list = f.expanded(list, part)
	}
	for _, name := range s.types {
		for _, def := range f.definitionOf(s.document, typeKind, name) {
			list = f.expanded(list, def.holds)
		}
	}
	return list
}

// testedShapes returns what a value in a test is.
func (f *finder) testedShapes(s *shape) (list []*shape) {
	switch {
	case s.arguments != "":
		for _, tool := range f.definitionOf(s.document, toolKind, s.arguments) {
			list = append(list, &shape{document: tool.document, fields: tool})
		}
	case s.result != "":
		for _, tool := range f.definitionOf(s.document, toolKind, s.result) {
			if n := len(tool.parts); n > 0 {
				list = append(list, tool.parts[n-1].holds)
			}
		}
	case s.answer && s.agent != "":
		for _, agent := range f.definitionOf(s.document, agentKind, s.agent) {
			list = append(list, agent.holds)
		}
	case s.answer:
		for _, d := range f.visible(s.document) {
			for _, def := range d.index().definitions {
				if def.kind == agentKind {
					list = append(list, def.holds)
				}
			}
		}
	}
	return list
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

// mentioned returns the definitions of a name in backticks: parts of what the text
// belongs to, or else the first of some kinds.
func (f *finder) mentioned(d *document, u *place) []*definition {
	var parts []*definition
	kinds := []definitionKind{toolKind, typeKind, agentKind, patternKind}
	if u.in != nil {
		switch u.in.kind {
		case agentKind:
			kinds = []definitionKind{toolKind, agentKind, typeKind, patternKind}
			if parts = f.partsOfTools(d, u); len(parts) == 0 {
				parts = u.in.partsBelow(u.name)
			}
		case toolKind:
			parts = u.in.partsBelow(u.name)
		case typeKind:
			kinds = []definitionKind{typeKind, toolKind, agentKind}
			parts = u.in.partsBelow(u.name)
		case entryKind:
			kinds = []definitionKind{entryKind, toolKind, typeKind}
			parts = f.parameters(u.in, u.name)
		case libraryKind:
			kinds = []definitionKind{entryKind, toolKind, typeKind}
		}
	}
	if len(parts) > 0 {
		return parts
	}
	return f.oneOf(d, u.name, kinds...)
}

// partsOfTools returns what an agent mentions of its tools: one of them, or
// their parameters.
func (f *finder) partsOfTools(d *document, u *place) (parts []*definition) {
	for _, e := range u.in.pattern.Elements {
		name := e.Identity()
		if name == u.name {
			return f.oneOf(d, name, toolKind, patternKind, agentKind)
		}
		if name == "" {
			continue
		}
		for _, tool := range f.definitionOf(d, toolKind, name) {
			parts = append(parts, tool.partsNamed(u.name)...)
		}
	}
	return parts
}

// contracts returns the tools of agents that an entry of a document implements.
// No file declares which library an agent is run with: it is the tools of those
// files that share the deepest folder with the entry, of all that have a tool
// of its name, and of several all of them.
func (f *finder) contracts(d *document, name string) []*definition {
	if _, known := f.tools[name]; !known {
		f.tools[name] = f.toolDocuments(name)
	}
	var nearest []*definition
	depth := 1
	for _, has := range f.tools[name] {
		switch shared := f.shared(d, has.document); {
		case shared > depth:
			nearest, depth = slices.Clone(has.tools), shared
		case shared == depth:
			nearest = append(nearest, has.tools...)
		}
	}
	return nearest
}

// A toolDocument is a document that has tools of a name: it defines them, or an
// agent in it references them.
type toolDocument struct {
	document *document
	tools    []*definition
}

// toolDocuments returns the documents that have a tool.
func (f *finder) toolDocuments(name string) []toolDocument {
	var list []toolDocument
	for _, d := range f.all {
		if !slices.ContainsFunc(d.index().named(name), func(p *place) bool {
			return p.purpose == element || p.definition != nil && p.definition.kind == toolKind
		}) {
			continue
		}
		if tools := f.definitionOf(d, toolKind, name); len(tools) > 0 {
			list = append(list, toolDocument{d, tools})
		}
	}
	return list
}

// at returns the definitions of the name at a position, and its place, nil when
// there is no name.
func (f *finder) at(d *document, p protocol.Position) ([]*definition, *place) {
	found := d.index().at(d.offset(p))
	switch {
	case found == nil:
		return nil, nil
	case found.definition != nil:
		return []*definition{found.definition}, found
	}
	return f.resolve(d, found), found
}
