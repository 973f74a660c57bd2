package lsp

import (
	"context"
	"fmt"
	"slices"
	"sort"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
)

// goToDefinition handles textDocument/definition and textDocument/declaration.
// An entry of a library is defined by the tool that it does the work of, if any
// agent of the workspace has that.
func goToDefinition(ctx context.Context, s *snapshot, d *document, p *protocol.TextDocumentPositionParams) ([]protocol.Location, error) {
	f, err := s.finderAt(ctx, d)
	if err != nil {
		return nil, err
	}
	defs, at := f.at(d, p.Position)
	switch {
	case at == nil:
		return nil, nil
	case at.purpose == imported:
		if other, err := s.file(at.name); err == nil && other != nil {
			return []protocol.Location{{URI: other.uri}}, nil
		}
		return nil, nil
	case at.definition != nil:
		if tools := f.defining(at.definition); len(tools) > 0 {
			defs = tools
		}
	}
	return definitionLocations(defs), nil
}

// defining returns the tools of agents that an entry implements, or their
// parameters for a parameter of one.
func (f *finder) defining(def *definition) []*definition {
	switch owner := def.owner; {
	case def.kind == entryKind:
		return f.contracts(def.document, def.name)
	case def.kind == parameterKind && owner != nil && owner.kind == entryKind:
		var list []*definition
		for _, tool := range f.defining(owner) {
			list = append(list, tool.partsNamed(def.name)...)
		}
		return list
	}
	return nil
}

// definitionLocations returns the locations of definitions, each once.
func definitionLocations(defs []*definition) []protocol.Location {
	list := make([]protocol.Location, 0, len(defs))
	for i, def := range defs {
		if slices.Index(defs, def) == i {
			list = append(list, protocol.Location{URI: def.document.uri, Range: def.document.indexedRange(def.spelling)})
		}
	}
	return list
}

// goToTypeDefinition handles textDocument/typeDefinition: the types of a parameter or a
// field, those of what a tool gives, those of the answers of an agent.
func goToTypeDefinition(ctx context.Context, s *snapshot, p *protocol.TypeDefinitionParams) ([]protocol.Location, error) {
	f, defs, err := s.definitionsAt(ctx, p.TextDocumentPositionParams, false)
	var types []*definition
	for _, def := range defs {
		types = append(types, f.definitionTypes(def)...)
	}
	return definitionLocations(types), err
}

// definitionTypes returns the types that a definition is of.
func (f *finder) definitionTypes(def *definition) []*definition {
	from, to := int(def.from), int(def.to)
	switch def.kind {
	case typeKind:
		return []*definition{def}
	case toolKind, entryKind:
		from = to
		if e := signatureElement(def.pattern); e != nil {
			if n := len(e.Elements); n > 0 {
				e = e.Elements[n-1]
			}
			from, to = e.Span().Start, e.Span().End
		}
	}
	var list []*definition
	x := def.document.index()
	first := sort.Search(len(x.places), func(i int) bool { return int(x.places[i].start) >= from })
	for _, u := range x.places[first:] {
		if int(u.end) > to {
			break
		}
		if u.purpose == typing && (def.kind != agentKind || u.in == def) {
			list = append(list, f.resolve(def.document, u)...)
		}
	}
	return list
}

// goToImplementation handles textDocument/implementation: the entries of
// libraries that do the work of a tool.
func goToImplementation(ctx context.Context, s *snapshot, p *protocol.ImplementationParams) ([]protocol.Location, error) {
	f, defs, err := s.definitionsAt(ctx, p.TextDocumentPositionParams, true)
	var list []*definition
	for _, def := range defs {
		if def.kind == toolKind || def.kind == entryKind {
			list = append(list, f.symbolEntries(f.symbol([]*definition{def}))...)
		}
	}
	return definitionLocations(list), err
}

// A definition is what gives something its name.
type definition struct {
	document *document
	name     string
	spelling // of the name
	kind     definitionKind
	from, to int32       // all of what defines
	also     *spelling   // where else the name is written: the name property of an agent; nil for most
	owner    *definition // the tool of a parameter, the type of a field, the library of an entry, the agent around a tool
	parts    []*definition
	pattern  *ast.Pattern // nil for a field that is no node
	holds    *shape       // what its values are: of a parameter, a field or a type, and of the answer of an agent; nil when they have no fields
}

// partsNamed returns the parameters or fields of a name.
func (def *definition) partsNamed(name string) []*definition {
	var list []*definition
	for _, p := range def.parts {
		if p.name == name {
			list = append(list, p)
		}
	}
	return list
}

// partsBelow returns the parts of a name, at any depth.
func (def *definition) partsBelow(name string) []*definition {
	list := def.partsNamed(name)
	for _, part := range def.parts {
		list = append(list, part.partsBelow(name)...)
	}
	return list
}

// isBuiltin reports whether an entry is labelled so.
func (def *definition) isBuiltin() bool {
	return def.kind == entryKind && def.pattern.HasLabel("Builtin")
}

// builtin returns the name of the built-in tool that an entry is.
func (def *definition) builtin() string {
	if p := def.pattern.Property("builtin"); p != nil && p.Value != nil {
		name, _ := ast.WordOf(p.Value)
		return name
	}
	return def.name
}

// definitionsAt returns the definitions of the name at a position, and the
// finder that resolved it: of the whole workspace, or of as much of it as that
// needs.
func (s *snapshot) definitionsAt(ctx context.Context, at protocol.TextDocumentPositionParams, everywhere bool) (f *finder, defs []*definition, err error) {
	d := s.document(at.TextDocument.URI)
	if d == nil {
		return nil, nil, nil
	}
	if everywhere {
		f, err = s.finder(ctx)
	} else {
		f, err = s.finderAt(ctx, d)
	}
	if err != nil {
		return nil, nil, err
	}
	defs, _ = f.at(d, at.Position)
	return f, defs, nil
}

// String returns what a kind is called.
func (k definitionKind) String() string {
	return [...]string{"", "agent", "tool", "type", "library", "entry", "pattern", "parameter", "field"}[k]
}

// isPart reports whether definitions of a kind belong to another definition.
func (k definitionKind) isPart() bool { return k >= parameterKind }

// topmostDefinition returns the tool, the type or the entry that a part belongs to.
func topmostDefinition(def *definition) *definition {
	for def.kind.isPart() && def.owner != nil {
		def = def.owner
	}
	return def
}

// quotedDefinition returns the name of a definition for a message.
func quotedDefinition(def *definition) string {
	if def == nil || def.name == "" {
		return "without a name"
	}
	return fmt.Sprintf("%q", def.name)
}

// kindWithArticle returns "an agent" or "a tool".
func kindWithArticle(k definitionKind) string {
	if k == agentKind || k == entryKind {
		return "an " + k.String()
	}
	return "a " + k.String()
}

// A kind is what a definition defines.
type definitionKind uint8

// The kinds. Parameters and fields are parts of what they belong to, and results
// with a name count as parameters.
const (
	agentKind definitionKind = iota + 1
	toolKind
	typeKind
	libraryKind
	entryKind
	patternKind // of gram that is none of those
	parameterKind
	fieldKind
)
