package lsp

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
)

// An index is the names of one document: what it defines and what it
// references, there or elsewhere. It is made from the tree alone, once;
// references are resolved on demand, see finder.go.
type index struct {
	definitions []*definition // in the order of the text
	places      []*place      // in the order of the text
	byName      []*place      // the same, in the order of the names
	imports     []string      // the paths of the files that the document imports
}

// A place is where a name is written: in a definition or, if that is nil, in a
// reference.
type place struct {
	spelling
	name       string
	definition *definition
	purpose    purpose     // of a reference
	in         *definition // what a reference is part of: an agent, a tool, a type, an entry, a library; may be nil
	of         *filled     // the object of which a field is meant
}

// A filled is a value that is given, or one in a field of another such value.
type filled struct {
	shape *shape
	outer *filled // nil for the whole value
	key   string  // the field of outer
}

// A purpose is the role of a reference.
type purpose uint8

const (
	element  purpose = iota + 1 // of an agent or of another pattern
	typing                      // the name of a type
	argument                    // in a template or a rule of an entry
	field                       // in a discriminator or a default
	served                      // a tool that a server is allowed to give
	mention                     // in backticks in a text for people and models
	tested                      // the agent of a test
	stepped                     // a tool in a test
	imported                    // the path of an import; the name is the path of the file
)

// A spelling is a place where a name is written, and how.
type spelling struct {
	start, end int32
	form       form
	code       code
}

// A form is how a name is written at a place.
type form uint8

const (
	asName   form = iota // name or `name`
	asValue              // name or "name": the value of a property
	inDouble             // part of a text in these quotes
	inSingle
	inBacktick
	inFence
)

// A code is what the text around a name is, where that has quotes of its own.
type code uint8

const (
	noCode code = iota
	typeCode
	jsonCode
)

// index returns the names of the document.
func (d *document) index() *index {
	d.indexed.Do(func() {
		b := &indexer{document: d, index: &index{}}
		b.file(d.ast())
		d.names = b.index
		d.names.sort()
	})
	return d.names
}

// indexOf returns the names of one pattern at the top of the document.
func (d *document) indexOf(p *ast.Pattern) *index {
	b := &indexer{document: d, index: &index{}}
	b.file(&ast.File{Source: d.source(), Patterns: []*ast.Pattern{p}})
	b.sort()
	return b.index
}

// sort makes the tables of what was found.
func (x *index) sort() {
	x.definitions = slices.Clip(x.definitions)
	slices.SortStableFunc(x.definitions, func(a, b *definition) int { return cmp.Compare(a.start, b.start) })
	for _, def := range x.definitions {
		x.places = append(x.places, &place{spelling: def.spelling, name: def.name, definition: def})
		if def.also != nil {
			x.places = append(x.places, &place{spelling: *def.also, name: def.name, definition: def})
		}
		if def.holds != nil && def.holds.isEmpty() {
			def.holds = nil
		}
	}
	x.places = slices.Clip(x.places)
	slices.SortStableFunc(x.places, func(a, b *place) int { return cmp.Compare(a.start, b.start) })
	x.byName = slices.Clone(x.places)
	slices.SortFunc(x.byName, func(a, b *place) int { return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.start, b.start)) })
}

// at returns the place of a name at an offset, nil when there is none. Of two that
// touch there it is the second.
func (x *index) at(offset int) *place {
	i := sort.Search(len(x.places), func(i int) bool { return int(x.places[i].start) > offset }) - 1
	if i < 0 || offset > int(x.places[i].end) { // names do not overlap
		return nil
	}
	return x.places[i]
}

// indexedRange returns the range of a name.
func (d *document) indexedRange(s spelling) protocol.Range { return d.span(int(s.start), int(s.end)) }

// named returns the places of a name, in the order of the text.
func (x *index) named(name string) []*place {
	from := sort.Search(len(x.byName), func(i int) bool { return x.byName[i].name >= name })
	to := from + sort.Search(len(x.byName)-from, func(i int) bool { return x.byName[from+i].name > name })
	return x.byName[from:to]
}

// indexedDefinitions returns the definitions of a kind and a name in the document.
func (d *document) indexedDefinitions(k definitionKind, name string) []*definition {
	var list []*definition
	for _, p := range d.index().named(name) {
		if def := p.definition; def != nil && def.kind == k && p.spelling == def.spelling {
			list = append(list, def)
		}
	}
	return list
}
