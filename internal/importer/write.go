package importer

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// A named is a type with a name of its own in the gram text.
type named struct {
	pattern *ast.Pattern
	uses    []string     // the named types that it is made of
	stub    *ast.Pattern // of a shared type, the same without what it is made of
	stubbed bool         // the stub takes its place in the tool that is written now
	size    int          // of a shared type: bytes of its schema
	written bool
}

// A library has the named types that were made.
type library struct {
	names  typeNames
	byName map[string]*named
	same   map[string]string // the names by the content of their types
}

// A gramWriter writes the types of one definition.
type gramWriter struct {
	*library
	uses []string // the named types that are used where it writes now
}

// collect returns the named types that are used while write runs, instead of
// noting them.
func (w *gramWriter) collect(write func()) []string {
	outside := w.uses
	w.uses = nil
	write()
	inside := w.uses
	w.uses = outside
	return inside
}

// sharedName writes a shared type, once, and returns its name.
func (w *gramWriter) sharedName(s *shared, p *namePath) string {
	own := &namePath{p.top(), s.key}
	switch {
	case s.name != "":
	case s.writing: // it contains itself
		s.name = w.names.unique(own)
	default:
		s.writing = true
		var pattern *ast.Pattern
		uses := w.collect(func() { pattern = w.definition(s.typ, own) })
		s.name = w.define(pattern, uses, own, s)
	}
	w.uses = append(w.uses, s.name)
	return s.name
}

// define gives a pattern a name, or finds the name that one with the same content
// has. S is nil, or the type that schemas share.
func (w *gramWriter) define(pattern *ast.Pattern, uses []string, p *namePath, s *shared) string {
	name, key := "", ""
	if s != nil {
		name, key = s.name, s.key
	}
	if name == "" {
		content := camelName(p.word) + "\x00" + key + "\x00" + ast.Print(pattern)
		if known := w.same[content]; known != "" {
			return known
		}
		name = w.names.unique(p)
		w.same[content] = name
	}
	pattern.Subject.Identity = ast.NewName(name)
	made := &named{pattern: pattern, uses: uses}
	if key != "" {
		made.share(key)
	}
	w.byName[name] = made
	return name
}

// name is define for a type that is used here.
func (w *gramWriter) name(pattern *ast.Pattern, uses []string, p *namePath) string {
	name := w.define(pattern, uses, p, nil)
	w.uses = append(w.uses, name)
	return name
}

// share makes a type one that schemas refer to by a key of $defs.
func (t *named) share(key string) {
	subject := t.pattern.Subject
	var value ast.Value = &ast.Bool{Value: true}
	if key != subject.Identity.Text {
		value = textValue(key, false)
	}
	stub, record := *subject, &ast.Record{}
	addToPattern(record, "shared", value)
	stub.Labels = []*ast.Label{{Separator: ":", Name: ast.NewName(ast.LabelType)}}
	stub.Record = &ast.Record{Properties: record.Properties}
	t.stub = &ast.Pattern{Form: ast.FormBracket, Subject: &stub, Elements: []*ast.Pattern{nodePattern("", "Any", nil)}}
	if subject.Record != nil {
		record.Properties = slices.Concat(record.Properties, subject.Record.Properties)
	}
	subject.Record = record
}

// definition returns the pattern of a named type, without its name.
func (w *gramWriter) definition(t *typ, p *namePath) *ast.Pattern {
	u := w.attributesUse(t)
	switch {
	case t.nullable:
	case t.union != nil && len(t.types)+len(t.raw) == 0 && !slices.ContainsFunc(t.attrs, func(a attr) bool { return !slices.Contains(unionKeys, a.key) }):
		return unionPattern(t, u, w.alternativesUse(t, p))
	case len(t.fields) > 0 && !patternHasEmptyName(t):
		return w.objectPattern(t, u, w.fieldUses(t, p), p)
	}
	return aliasPattern(w.use(t, p))
}

// unionKeys are the properties of named unions.
var unionKeys = vocabulary.Keys(vocabulary.OwnerUnion)

// restOf adds the type of the undeclared fields of an object to its record.
func (w *gramWriter) restOf(r *ast.Record, t *typ, p *namePath) {
	if t.rest != nil {
		addElementPattern(r, w.innerUse(t.rest, p.part("Value")))
	}
}
